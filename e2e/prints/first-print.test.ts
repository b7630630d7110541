import type { Page } from 'playwright-core'
import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { expect, test } from 'vitest'
import { openDb } from '../../server/engines/db/postgres.ts'
import { aWorkshop, SCALE } from '../fixture.ts'
import { setUpFirstAccount, until } from '../support.ts'
import type { Vigil } from '../vigil.ts'

const workshop = aWorkshop({
  env: { DETECTION_TIME_SCALE: String(SCALE) },
  embedded: true,
  withAccount: false,
})

interface WirePrint {
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly cancelled_at: string | null
  readonly alerted_at: string | null
  readonly paused_at: string | null
  readonly alert_overwrite: string | null
}

test('from an empty folder to a failing print that is paused, answered, resumed and finished', async () => {
  const { page } = workshop.owner
  workshop.evidence('first-print')
  await setUpFirstAccount(page, workshop.vigil)

  await page.getByRole('link', { name: 'Link your first printer' }).click()
  await page.getByRole('link', { name: /OctoPrint/ }).click()
  await page.getByRole('link', { name: 'Next' }).click()
  const code = await until(
    async () => /\b(\d{3})\s?(\d{3})\b/.exec(await page.locator('main').innerText()),
    30_000,
    'a code',
  )
  const printer = workshop.machine({
    code: `${code[1]}${code[2]}`,
    flavour: 'octoprint',
    seed: 3,
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 70 }) }],
    speed: 8,
    picEverySeconds: 10 / SCALE,
  })
  await printer.ready
  await page.getByText('Printer linked').waitFor()
  await page.getByLabel('Give it a name').fill('Ender in the cellar')
  await until(
    async () => (await printers(page))[0]?.name === 'Ender in the cellar',
    60_000,
    'the name to be kept',
  )
  await page.getByRole('link', { name: 'See the printer' }).click()
  await page.getByRole('heading', { name: 'Ender in the cellar' }).waitFor()

  expect(printer.startPrint()).toBe(true)
  await page.getByText('Printing', { exact: true }).first().waitFor()
  await page.getByText('Nozzle').first().waitFor()
  await page.getByText('Looking good').waitFor({ timeout: 60_000 })
  await page.locator('main img').first().waitFor()

  printer.fail('spaghetti')
  await page.getByText('This print looks like it is failing.').waitFor({ timeout: 60_000 })
  await page.getByText('Paused by Vigil · alert open').first().waitFor({ timeout: 60_000 })
  expect(await page.title()).toMatch(/^Paused by Vigil · alert open · Ender in the cellar/)
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image\/svg/)
  await until(async () => printer.state === 'paused', 30_000, 'the printer to be paused')

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
  await until(async () => printer.state === 'printing', 20_000, 'the printer to go on')
  // All that the print had to show is seen.
  printer.setSpeed(100)
  await until(async () => printer.state === 'operational', 90_000, 'the print to be done')
  await page.getByText('Ready to print').first().waitFor()

  const prints = (await page.evaluate(
    async () => await (await fetch('/api/v1/prints/')).json(),
  )) as WirePrint[]
  expect(prints).toHaveLength(1)
  expect(prints[0]).toMatchObject({ cancelled_at: null, alert_overwrite: 'NOT_FAILED' })
  for (const time of ['finished_at', 'alerted_at', 'paused_at'] as const)
    expect(prints[0]?.[time]).not.toBeNull()

  // Somebody who started it and looks again when it is over is not told that nothing came of it.
  const began = Date.parse(String(prints[0]?.started_at))
  // From a page without printers: an open one would see it, ask and forget it before it is loaded again.
  const [here, id] = [page.url(), await printerId(page)]
  await page.goto(workshop.at('/user_preferences/general/'))
  await page.evaluate(
    ([id, until]) => {
      localStorage.setItem(`printer-${id}-state-transitioning-name`, 'Starting')
      localStorage.setItem(`printer-${id}-state-transitioning-timeout`, String(until))
    },
    [id, began + 15_000],
  )
  const asked = page.waitForResponse((answer) => /printer_events.*STARTED/.test(answer.url()))
  await page.goto(here)
  await (await asked).finished()
  await page.getByText('Ready to print').first().waitFor()
  expect(await page.getByText('Printer not responding').count()).toBe(0)

  await page.goto(workshop.at(`/printers/${await printerId(page)}/`))
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
const printerId = async (page: Page) => (await printers(page))[0]!.id

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
