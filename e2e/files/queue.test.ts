import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, storeGcode } from '../support.ts'

const workshop = aWorkshop({ machinesStay: true })
const TEXT = vaseGcode({ layers: 3, nozzle: 40, bed: 30 })
let printerId = 0

const aFile = (name: string): Promise<number> => storeGcode(workshop.owner.page, name, TEXT)

/** The same as the button does on the page of a file. */
async function queued(id: number): Promise<void> {
  await workshop.owner.page.evaluate(
    async (body) =>
      await fetch('/api/v1/queue/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      }),
    JSON.stringify({ g_code_file_id: id }),
  )
}

/** Drags one entry by its grip onto the place of another, as a browser is told of a mouse or a finger. */
async function dragged(page: Page, file: string, onto: string, by: 'mouse' | 'touch'): Promise<void> {
  const middle = async (name: string) => {
    const box = await page.getByRole('button', { name: `Move ${name}` }).boundingBox()
    if (box === null) throw new Error(`no grip of ${name}`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const [from, to] = [await middle(file), await middle(onto)]
  const steps = [0.1, 0.3, 0.5, 0.7, 0.9, 1].map((part) => ({
    x: from.x,
    y: from.y + (to.y - from.y) * part,
  }))
  if (by === 'mouse') {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    for (const { x, y } of steps) await page.mouse.move(x, y)
    return await page.mouse.up()
  }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [from])
  for (const step of steps) await touch('touchMove', [step])
  await touch('touchEnd', [])
  await session.detach()
}

test('two files are queued, put in order and printed, each when the bed was cleared', async () => {
  const { page } = workshop.owner
  workshop.evidence('queue')
  const { id } = await workshop.linked('Voron', { speed: 60, withoutPictures: true })
  printerId = id
  await page.goto(workshop.at(`/g_code_files/cloud/${await aFile('first.gcode')}/`))
  await page.getByRole('button', { name: 'Add to queue' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await queued(await aFile('second.gcode'))
  await page.goto(workshop.at('/queue/'))
  const rows = page.getByRole('list', { name: 'What is printed next' }).getByRole('listitem')
  await page.getByText('Is the bed of Voron clear?').waitFor()
  await page.getByText('Next: first.gcode').waitFor()

  // By the keyboard: the second goes before the first.
  const grip = page.getByRole('button', { name: 'Move second.gcode' })
  await grip.focus()
  await page.keyboard.press('Space')
  await page.getByText('second.gcode is at place 2 of 2').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowUp')
  await page.getByText('second.gcode is at place 1 of 2').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await page.getByText('Next: second.gcode').waitFor()

  // By the mouse the first goes before the second again, by a finger the second before the first.
  await dragged(page, 'first.gcode', 'second.gcode', 'mouse')
  await page.getByText('Next: first.gcode').waitFor()
  await dragged(page, 'second.gcode', 'first.gcode', 'touch')
  await page.getByText('Next: second.gcode').waitFor()

  await page.getByRole('button', { name: 'The bed is clear: print' }).click()
  await page.getByText('Printed on Voron').waitFor()
  expect(await rows.filter({ hasText: 'first.gcode' }).count()).toBe(1)

  expect(complaintsBut(workshop.owner)).toEqual([])
}, 240_000)

test('over a restart what waits waits on, and for somebody to look at the bed', async () => {
  const { page } = workshop.owner
  workshop.evidence('queue-restart')
  workshop.vigil.restart()
  await page.getByText('Next: first.gcode').waitFor()
  await page.goto(workshop.at(`/printers/${printerId}/control/`))
  const clear = page.getByRole('button', { name: 'The bed is clear: print' })
  await clear.waitFor()
  await clear.click()
  await page.goto(workshop.at('/queue/'))
  await expect.poll(() => page.getByText('Printed on Voron').count()).toBe(2)
  expect(complaintsBut(workshop.owner, /WebSocket|Failed to load resource|ERR_/)).toEqual([])
}, 240_000)
