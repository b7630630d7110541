import type { Page } from 'playwright-core'
import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { SimulatedPrinter } from '@vigil/simulator/index.ts'
import { expect, test } from 'vitest'
import { isAll } from '../../scripts/suites.ts'
import { openDb } from '../../server/engines/db/postgres.ts'
import { aWorkshop, SCALE } from '../fixture.ts'
import { setUpFirstAccount, until } from '../support.ts'
import type { Vigil } from '../vigil.ts'

const workshop = aWorkshop({
  env: { DETECTION_TIME_SCALE: String(SCALE) },
  embedded: true,
  withAccount: false,
})

/** From the empty account to a watched printer (docs/rules/pages.md 4). */
const CLICKS_AT_MOST = 12
const SECONDS_AT_MOST = 60

interface WirePrint {
  readonly finished_at: string | null
  readonly cancelled_at: string | null
  readonly alerted_at: string | null
  readonly paused_at: string | null
  readonly alert_overwrite: string | null
}

/** Links the printer whose agent is started with the code of the page, by its name. */
async function link(page: Page): Promise<SimulatedPrinter> {
  await page.getByRole('link', { name: 'Link your first printer' }).click()
  await page.getByRole('link', { name: /OctoPrint/ }).click()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText(/Expires in/).waitFor()
  const code = await page.getByTestId('link-code').innerText()
  const printer = workshop.machine({
    code: code.replace(/\s/g, ''),
    flavour: 'octoprint',
    seed: 3,
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 70 }) }],
    speed: 8,
    picEverySeconds: 10 / SCALE,
  })
  await printer.ready
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  await page.getByLabel('Give it a name').fill('Ender in the cellar')
  // saving says so, and what stands below moves
  await page.getByText('Saved').waitFor()
  expect((await printers(page))[0]?.name).toBe('Ender in the cellar')
  await page.getByRole('link', { name: 'See the printer' }).click()
  await page.getByRole('heading', { name: 'Ender in the cellar' }).waitFor()
  return printer
}

/** A camera that stands still is never called watched. */
async function standsStill(page: Page, printer: SimulatedPrinter): Promise<void> {
  printer.freezeCamera()
  await page.getByText("Can't watch").first().waitFor()
  await page.getByText('A failure would not be noticed now.').waitFor()
  printer.freezeCamera(false)
  await page.getByText('Looking good').waitFor()
}

test('from an empty folder to a failing print that is paused, answered, resumed and finished', async () => {
  const { page } = workshop.owner
  workshop.evidence('first-print')
  await setUpFirstAccount(page, workshop.vigil)

  const begin = performance.now()
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 })
    addEventListener('click', () => void (window as unknown as { clicks: number }).clicks++)
  })
  const printer = await link(page)
  expect(printer.startPrint()).toBe(true)
  await page.getByText('Printing', { exact: true }).first().waitFor()
  await page.getByText('Looking good').waitFor()
  const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks)
  const seconds = (performance.now() - begin) / 1000
  console.log(`from the empty account to a watched printer: ${clicks} clicks, ${seconds.toFixed(1)} s`)
  expect(clicks).toBeLessThanOrEqual(CLICKS_AT_MOST)
  expect(seconds).toBeLessThanOrEqual(SECONDS_AT_MOST)
  await page.getByText('Nozzle').first().waitFor()
  await page.locator('main img').first().waitFor()

  // server/modules/watch/alarms/faults.test.ts freezes a camera, too, and reads what its page says
  if (isAll) await standsStill(page, printer)

  printer.fail('spaghetti')
  await page.getByText('This print looks like it is failing.').waitFor()
  await page.getByText('Paused by Vigil · alert open').first().waitFor()
  expect(await page.title()).toMatch(/^Paused by Vigil · alert open · Ender in the cellar/)
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image\/svg/)
  await until(async () => printer.state === 'paused', 'the printer to be paused')

  // Of a print as short as this one no picture is kept when it has ended.
  const kept = await keptFrames(workshop.vigil)
  expect(kept.frames).toBeGreaterThan(10)
  expect(kept.decisions).toEqual(expect.arrayContaining(['none', 'pause']))

  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Was it a failure?' })
  await question.getByRole('button', { name: 'Leave it paused' }).click()
  await question.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Not a failure?' }).click()
  await page.getByRole('button', { name: 'Resume and mute' }).click()
  await until(async () => printer.state === 'printing', 'the printer to go on')
  // All that the print had to show is seen.
  printer.setSpeed(100)
  await until(async () => printer.state === 'operational', 'the print to be done', 90_000)
  await page.getByText('Ready to print').first().waitFor()

  const prints = (await page.evaluate(
    async () => await (await fetch('/api/v1/prints/')).json(),
  )) as WirePrint[]
  expect(prints).toHaveLength(1)
  expect(prints[0]).toMatchObject({ cancelled_at: null, alert_overwrite: 'NOT_FAILED' })
  for (const time of ['finished_at', 'alerted_at', 'paused_at'] as const)
    expect(prints[0]?.[time]).not.toBeNull()

  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByText('You said “Not a failure?” once').waitFor()
  await page.getByRole('button', { name: 'Forget', exact: true }).click()
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByText('Nothing yet. It learns while a print goes well.').waitFor()

  expect(workshop.owner.complaints).toEqual([])
}, 280_000)

const printers = (page: Page) =>
  page.evaluate(
    async () => (await (await fetch('/api/v1/printers/')).json()) as { id: number; name: string }[],
  )
/** What the database holds of the print, read beside the running server. */
async function keptFrames({ databaseUrl }: Vigil) {
  const silent = () => undefined
  const log = { info: silent, warn: silent, error: silent }
  const { db, close } = openDb(databaseUrl, { log })
  try {
    const frames = await db.selectFrom('frames').select('id').execute()
    const decisions = await db.selectFrom('decisions').select('decision').execute()
    return { frames: frames.length, decisions: decisions.map(({ decision }) => decision) }
  } finally {
    await close()
  }
}
