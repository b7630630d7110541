import { towerGcode } from '@vigil/simulator/gcode.ts'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, aPerson, complaintsBut, type Person, storeGcode } from '../support.ts'

/** All is drawn in software: fewer pixels. */
const workshop = aWorkshop({ profile: { viewport: { width: 800, height: 480 } } })
const LAYERS = inSuite(16, 40)
const HALF = LAYERS / 2
let fileId: number

beforeAll(async () => {
  await addPrinter(workshop.owner.page, 'Not linked')
  const text = `${towerGcode({ layers: LAYERS })}\n; bed_shape = 0x0,250x0,250x210,0x210\n`
  fileId = await storeGcode(workshop.owner.page, 'tower.gcode', text)
})

const stage = (page: Page) => page.getByRole('application')
/** What the page says is shown: "Layers 1 to 40 of 40 …". */
const shown = async (page: Page) => (await stage(page).getAttribute('aria-label'))?.split('.')[0]
const picture = async (page: Page) =>
  createHash('sha256')
    .update(await stage(page).screenshot())
    .digest('hex')
/** Frames that were drawn so far. */
const frames = async (page: Page) =>
  await stage(page).evaluate((frame) => (frame as HTMLElement & { cost: { frames: number } }).cost.frames)
/** Waits until nothing is drawn any more, looked at twice 0.4 s apart: what is drawn less sharply while it moves is drawn anew 0.2 s later. */
async function still(page: Page): Promise<number> {
  let last = -1
  await expect
    .poll(
      async () => {
        const before = last
        last = await frames(page)
        return last === before && last > 0
      },
      { interval: 400 },
    )
    .toBe(true)
  return last
}

test('a file is looked at in three dimensions, layer by layer and move by move; the graphics may go and come back', async () => {
  workshop.evidence('gcode')
  const { owner } = workshop
  const { page } = owner
  await page.goto(workshop.at(`/g_code_files/cloud/${fileId}/`))
  await stage(page).waitFor()
  expect(await shown(page)).toBe(`Layers 1 to ${LAYERS} of ${LAYERS}`)
  for (const word of ['Outer wall', 'Inner wall', 'Solid infill'])
    await page.getByText(word, { exact: true }).waitFor()

  // A printer that has not told anything, and that its owner has said nothing of.
  await page.getByText('Not known of this printer: bed size').waitFor()

  await still(page)
  const whole = await picture(page)
  await stage(page).focus()
  for (let press = 0; press < HALF; press++) await page.keyboard.press('ArrowDown')
  expect(await shown(page)).toBe(`Layers 1 to ${HALF} of ${LAYERS}`)
  await still(page)
  const half = await picture(page)
  expect(half, 'fewer layers look otherwise').not.toBe(whole)

  const moves = page.getByRole('slider', { name: 'Move' })
  const all = Number(await moves.getAttribute('aria-valuenow'))
  await moves.focus()
  for (let press = 0; press < 20; press++) await page.keyboard.press('ArrowLeft')
  expect(Number(await moves.getAttribute('aria-valuenow'))).toBe(all - 20)
  await still(page)
  const partly = await picture(page)
  expect(partly, 'part of a layer looks otherwise').not.toBe(half)

  await page.getByText('Speed', { exact: true }).click()
  await page.getByText('45 mm/s').first().waitFor()
  await still(page)
  expect(await picture(page), 'other colours look otherwise').not.toBe(partly)

  await page.getByRole('button', { name: 'From above' }).click()
  const drawn = await still(page)
  await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
  expect(await frames(page), 'nothing moves, so nothing is drawn in thirty frames').toBe(drawn)
  await losesGraphics(page)
  expect(complaintsBut(owner)).toEqual([])
})

/** The graphics go and come back. */
async function losesGraphics(page: Page): Promise<void> {
  const before = await picture(page)
  const lose = (how: 'loseContext' | 'restoreContext') =>
    stage(page).evaluate((frame, call) => {
      const kept = frame as HTMLElement & { lost?: WEBGL_lose_context | null }
      kept.lost ??=
        frame.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context') ?? null
      kept.lost?.[call]()
    }, how)
  await lose('loseContext')
  await page.getByText('taken the graphics away').waitFor()
  await lose('restoreContext')
  await page.getByText('taken the graphics away').waitFor({ state: 'detached' })
  await expect.poll(() => picture(page)).toBe(before)
}

test('without WebGL that is said, and each layer is drawn flat', async () => {
  const { storageState } = await workshop.owner.page
    .context()
    .storageState()
    .then((state) => ({ storageState: state }))
  const person: Person = await aPerson({ storageState })
  const { page } = person
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function without(
      this: HTMLCanvasElement,
      kind: string,
      ...more: never[]
    ) {
      return kind === 'webgl2' ? null : real.call(this, kind, ...more)
    } as typeof real
  })
  await page.goto(workshop.at(`/g_code_files/cloud/${fileId}/`))
  await page.getByText('WebGL is missing').waitFor()
  await stage(page).focus()
  const top = await picture(page)
  await page.keyboard.press('ArrowDown')
  for (let press = 0; press < LAYERS - 4; press++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => shown(page)).toBe(`Layers 1 to 3 of ${LAYERS}`)
  await expect.poll(() => picture(page)).not.toBe(top)
  expect(complaintsBut(person)).toEqual([])
  await person.close()
})
