import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { motionFindings, seriousFindings, sidewaysFindings, touchFindings } from '../look.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { addPrinter, until } from '../support.ts'

const COUNT = inSuite(60, 90)
/** In the middle of the list. */
const MIDDLE = `part_${COUNT - 30}.gcode`
/** Of each ten prints two were cancelled. */
const CANCELLED = COUNT / 5

const workshop = aWorkshop()
const say = wordsIn('en')
let database: pg.Client
let printers: { voron: number; ender: number }

/** Asks the server's own database: as if those prints had been made over many weeks. */
const sql = async (text: string, values: unknown[] = []) =>
  (await database.query<{ id: number }>(text, values)).rows

beforeAll(async () => {
  const { page } = workshop.owner
  database = new pg.Client(workshop.vigil.databaseUrl)
  await database.connect()
  const [voron, ender] = [await addPrinter(page, 'Voron'), await addPrinter(page, 'Ender')]
  printers = { voron: voron.id, ender: ender.id }
  await sql(
    `insert into prints (user_id, printer_id, filename, started_at, finished_at, cancelled_at, print_time, filament_used, alerted_at)
     select u.id, case when n % 3 = 0 then $2::int else $1::int end, 'part_' || n || '.gcode', at, 
       case when n % 5 > 0 then at + interval '1 hour' end, case when n % 5 = 0 then at + interval '1 hour' end, 3600, 1000,
       case when n % 10 = 1 then at end
     from users u, generate_series(1, $3::int) n, lateral (select now() - (($3::int - n) || ' days')::interval - interval '2 hours' as at) t
     order by n`,
    [printers.voron, printers.ender, COUNT],
  )
})
afterAll(() => database?.end())

/** Gives the newest print a time-lapse of two seconds. */
async function film(n: number): Promise<void> {
  const folder = join(workshop.vigil.dataFolder, 'files', 'tsd-timelapses')
  await mkdir(folder, { recursive: true })
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10:duration=2']
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
  await promisify(execFile)('ffmpeg', [...source, ...coding, join(folder, 'e2e.mp4')])
  const frames = Array.from({ length: 20 }, () => [{ fields: { normalized_p: 0.9 } }])
  await writeFile(join(folder, 'e2e.json'), JSON.stringify(frames))
  const refs = ['e2e.mp4', 'e2e.json'].map((path) => JSON.stringify({ container: 'tsd-timelapses', path }))
  await sql(
    'update prints set video = $1::jsonb, tagged_video = $1::jsonb, prediction_json = $2::jsonb where filename = $3',
    [...refs, `part_${n}.gcode`],
  )
}

const rowOf = (page: Page, name: string) => page.locator('article').filter({ hasText: name })

/** The prints that are drawn, by the place that each of them names. */
const drawn = (page: Page) =>
  page
    .locator('article a')
    .evaluateAll((links) =>
      links.map((link) => [link.textContent, new URL((link as HTMLAnchorElement).href).search]),
    )

/** Scrolls on by what is in sight, and until that is drawn. */
const scrollOn = (page: Page) =>
  page.evaluate(async () => {
    scrollBy({ top: innerHeight, behavior: 'instant' })
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })

async function openHistory(page: Page): Promise<void> {
  await page.goto(workshop.at('/print_history/'))
  await page.locator('article').first().waitFor()
}

test('the list is read to its end: nothing is skipped and nothing told twice while prints begin, end and go', async () => {
  workshop.evidence('history-scroll')
  const { page } = workshop.owner
  await page.goto(workshop.at('/prints/?from=elsewhere'))
  await page.getByRole('heading', { name: 'Print history', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/print_history/')
  await page.locator('article').first().waitFor()
  expect(await page.locator('dl').innerText()).toMatch(new RegExp(`prints\\s+${COUNT}`))

  // Meanwhile one begins, one ends, and one that was not read yet goes.
  const [running] = await sql(
    `insert into prints (user_id, printer_id, filename, started_at) select id, $1, 'running.gcode', now() from users returning id`,
    [printers.voron],
  )
  await sql(
    `insert into prints (user_id, printer_id, filename, started_at, finished_at) select id, $1, 'new.gcode', now(), now() from users`,
    [printers.voron],
  )
  await sql(`update prints set deleted_at = now() where filename = 'part_10.gcode'`)
  const seen = new Map<string, string>()
  const end = page.getByText('No more time-lapses.')
  await until(
    async () => {
      const isAtEnd = await page.evaluate(() => scrollY + innerHeight >= document.body.scrollHeight - 2)
      const isOver = isAtEnd && (await end.isVisible())
      for (const [name, place] of await drawn(page)) seen.set(String(name), String(place))
      if (!isOver) await scrollOn(page)
      return isOver
    },
    'the end of the list',
    120_000,
  )
  const names = Array.from({ length: COUNT }, (_, at) => `part_${COUNT - at}.gcode`)
  expect([...seen.keys()].filter((name) => name !== 'new.gcode')).toEqual(
    names.filter((name) => name !== 'part_10.gcode'),
  )
  expect(await page.locator('article').count(), 'only what is near is drawn').toBeLessThan(40)

  // What has come is told by what the prints come to, and stands at the top; the running one ends and stands there too.
  await sql('update prints set finished_at = now() where id = $1', [running?.id])
  await page.evaluate(() => scrollTo(0, 0))
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await rowOf(page, 'running.gcode').waitFor()
  await rowOf(page, 'new.gcode').waitFor()
  await sql(`delete from prints where filename in ('running.gcode', 'new.gcode')`)
})

test('back from a print the list stands where it was left; another order is kept', async () => {
  workshop.evidence('history-back')
  const { page } = workshop.owner
  await openHistory(page)
  await until(async () => {
    await scrollOn(page)
    return await rowOf(page, MIDDLE).isVisible()
  }, 'the print in the middle')
  const link = rowOf(page, MIDDLE).getByRole('link')
  await link.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  const top = (await rowOf(page, MIDDLE).boundingBox())?.y
  const address = await link.getAttribute('href')
  expect(address).toMatch(/\/prints\/\d+\/\?index=30$/)
  await link.click()
  await page.waitForURL(`**${address}`)
  await page.goBack()
  await rowOf(page, MIDDLE).waitFor()
  await until(async () => Math.abs((await page.evaluate(() => scrollY)) - before) < 3, 'its place')
  expect((await rowOf(page, MIDDLE).boundingBox())?.y).toBeCloseTo(top ?? 0, -1)

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Sort by date: Newest first' }).click()
  await rowOf(page, 'part_1.gcode').waitFor()
  const id = /\d+/.exec(String(address))?.[0]
  await page.goto(workshop.at(`/print_history/${id}/`))
  await page.locator('article[data-meant]').waitFor()
  expect(await page.locator('article[data-meant]').innerText()).toContain(MIDDLE)
  // It was brought into view once: another order begins at its top.
  await page.getByRole('button', { name: 'Sort by date: Oldest first' }).click()
  await rowOf(page, `part_${COUNT}.gcode`).waitFor()
})

test('filters hide prints, say how many, and are kept; days are asked for', async () => {
  workshop.evidence('history-filters')
  const { page } = workshop.owner
  await openHistory(page)
  await page.getByText('Cancelled', { exact: true }).first().click()
  await page.getByText(`${COUNT - CANCELLED} prints are hidden by the filters.`).waitFor()
  await page.getByRole('button', { name: 'Printers: All printers' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Ender' }).click()
  await page.keyboard.press('Escape')
  await rowOf(page, `part_${COUNT}.gcode`).waitFor()
  const [all, ofBoth] = [COUNT - 1, COUNT / 15]
  await page.getByText(`${all - ofBoth} prints are hidden by the filters.`).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Printers: Ender' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Ender' }).click()
  await page.getByRole('button', { name: 'Printers: All printers' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rowOf(page, `part_${COUNT - 1}.gcode`).waitFor()

  await page.getByRole('button', { name: 'Time: Any time' }).click()
  await page.getByRole('menuitemradio', { name: 'Choose days…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show these prints' }).click()
  await dialog.getByText(say('history:period.missing')).waitFor()
  const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('From').fill(dayOf(20))
  await dialog.getByLabel('To').fill(dayOf(40))
  await dialog.getByText('The first day comes after the last one').waitFor()
  await dialog.getByLabel('To').fill(dayOf(11))
  await dialog.getByRole('button', { name: 'Show these prints' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await rowOf(page, 'part_75.gcode').waitFor()
  await page.getByText(say('history:end')).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  expect(workshop.owner.complaints).toEqual([])
})

test('a verdict is given and kept; prints are deleted, one and several, after a question', async () => {
  workshop.evidence('history-delete')
  const { page } = workshop.owner
  await openHistory(page)
  const row = rowOf(page, 'part_81.gcode')
  await row.getByRole('button', { name: 'No, it was fine' }).click()
  // Nothing more is asked, and what was answered stands there.
  await row.getByText('you disagreed').waitFor()
  await page.reload()
  await row.getByText('you disagreed').waitFor()
  expect(await row.getByRole('button').count()).toBe(0)

  for (const n of [88, 86])
    await page.getByLabel(`Select part_${n}.gcode`).click({ modifiers: n === 86 ? ['Shift'] : [] })
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Delete 3 prints' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 3 print(s)?' })
  await dialog.getByText(say('history:delete.text')).waitFor()
  await dialog.getByRole('button', { name: 'Keep them' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete 3 prints' }).click()
  await dialog.getByRole('button', { name: 'Delete 3 prints' }).click()
  await page.getByText('3 time-lapse(s) deleted!').waitFor()
  await rowOf(page, 'part_87.gcode').waitFor({ state: 'detached' })
  await page.getByLabel('Select part_85.gcode').check()
  await page.getByRole('button', { name: 'Delete 1 print' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 print' }).click()
  await page.getByText('Time-lapse part_85.gcode deleted!').waitFor()
  await page.reload()
  await rowOf(page, 'part_84.gcode').waitFor()
  expect(await rowOf(page, 'part_85.gcode').count()).toBe(0)
  expect(workshop.owner.complaints).toEqual([])
})

test('on a phone, at night and in Chinese: cards play in place, all prints of a filter go at once', async () => {
  await film(COUNT)
  const { person, page, say: zh } = await workshop.ownerAt(LOOKS.klipperPhone, 'history-phone')
  await page.goto(workshop.at('/timelapses/'))
  const card = rowOf(page, `part_${COUNT}.gcode`)
  await card.waitFor()
  for (const findings of [seriousFindings, sidewaysFindings, motionFindings, touchFindings])
    expect(await findings(page), findings.name).toEqual([])
  await page.evaluate(() => scrollTo(0, 0))
  await card.getByRole('button', { name: zh('history:card.play', { name: `part_${COUNT}.gcode` }) }).click()
  const plays = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime > 0)
  await until(plays, 'the time-lapse to play')
  await page.getByText(zh('history:card.failing')).waitFor()

  await page.goto(workshop.at('/print_history/'))
  await page.locator('article').first().waitFor()
  for (const findings of [seriousFindings, sidewaysFindings, motionFindings, touchFindings])
    expect(await findings(page), findings.name).toEqual([])
  await page.getByText(zh('history:status.cancelled'), { exact: true }).first().click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: /全选/ }).click()
  await page.getByRole('button', { name: /^删除 1\d 个打印$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^删除/ }).click()
  await page.getByRole('heading', { name: zh('history:empty') }).waitFor()
  expect(person.complaints).toEqual([])
})
