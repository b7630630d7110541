import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { expect, test } from 'vitest'
import { aWorkshop, QUICK, SCALE } from '../fixture.ts'
import { complaintsBut, until, walkTo } from '../support.ts'

const workshop = aWorkshop({ env: QUICK })

/** Ages such as `38 s ago`, as many as are on the page. */
const ages = (text: string) => text.match(/\d+\W{1,3}(s|min)\W{1,3}ago|just now/g) ?? []

test('an alert whose print goes on offers to pause it, says what will happen, and keeps its verdict', async () => {
  workshop.evidence('alert')
  const { page } = workshop.owner
  const { id, machine } = await workshop.linked('Voron', {
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 400 }) }],
    speed: 30,
    picEverySeconds: 10 / SCALE,
  })
  await page.evaluate(
    async (printerId) =>
      await fetch(`/api/v1/printers/${printerId}/`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ action_on_failure: 'NONE' }),
      }),
    id,
  )
  const second = await workshop.linked('Prusa')
  await page.goto(workshop.at('/printers/'))
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Voron' }) })
  await card.getByText('Standing by').waitFor()

  machine.startPrint()
  await card.getByText('Looking good').waitFor()
  await walkTo(page, `/printers/${id}/control/`)
  await until(
    async () => /Watched (\d+)/.exec(await page.locator('main').innerText())?.[1],
    'the share that was watched',
  )
  // A printer that runs thirty times as fast as our clock is watched no less.
  await until(
    async () => Number(/Watched (\d+)/.exec(await page.locator('main').innerText())?.[1]) >= 80,
    'most of the print to be watched',
  )
  await walkTo(page, '/printers/')
  machine.fail('spaghetti')
  const alert = card.getByRole('alert')
  await alert.waitFor()
  expect(await alert.getByRole('button').first().innerText()).toBe('Pause print')
  await alert.getByText('Vigil will not pause it: this printer is set to notify you only.').waitFor()
  await alert.getByText(/^(Fishy|Failing) when it was noticed$/).waitFor()
  expect(ages(await card.innerText()), 'one age').toHaveLength(1)

  await walkTo(page, `/printers/${id}/control/`)
  const standing = page.getByRole('alert')
  await standing.getByRole('button', { name: 'Pause print' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause print' }).click()
  await until(async () => machine.state === 'paused', 'the printer to pause')
  await page.getByRole('img', { name: /^Failure gauge when it alerted: (Fishy|Failing)/ }).waitFor()
  await page.getByText('That was the verdict when it alerted.').waitFor()
  await standing.getByRole('button', { name: 'Pause print' }).waitFor({ state: 'detached' })
  const words = await page.locator('main').innerText()
  for (const wrong of ['Not watching', 'Off\n']) expect(words).not.toContain(wrong)

  await walkTo(page, `/printers/${second.id}/control/`)
  await page.getByText('Nothing is printing.').waitFor()
  expect(await page.getByText('Standing by').count()).toBe(2)
  expect(complaintsBut(workshop.owner)).toEqual([])
}, 240_000)
