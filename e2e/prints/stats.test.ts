import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { addPrinter, complaintsBut } from '../support.ts'

const workshop = aWorkshop()

/** A total by its name, beside it or below. */
const total = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
const totals = (page: Page, text: string, name: string) =>
  total(page, name).getByText(text, { exact: true }).waitFor()
const rows = (page: Page, title: string) =>
  page
    .getByRole('region', { name: `${title} as a table` })
    .locator('tbody tr')
    .allInnerTexts()

async function print(page: Page, id: number, what: 'start' | 'finish'): Promise<void> {
  const status = await page.evaluate(
    async ([path, filename]) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(path!, { method: 'POST', headers, body: JSON.stringify({ filename }) })).status
    },
    [`/api/v1/printers/${id}/${what}_print/`, 'cube.gcode'],
  )
  expect(status).toBeLessThan(300)
}

beforeAll(async () => {
  const { page } = workshop.owner
  const { id } = await addPrinter(page, 'Ender')
  for (const what of ['start', 'finish', 'start', 'finish', 'start'] as const) await print(page, id, what)
})

test('the prints of an account in figures, charts and tables; filters and grouping are kept', async () => {
  workshop.evidence('stats')
  const { page } = workshop.owner
  await page.goto(workshop.at('/stats/'))
  await totals(page, '3', 'Total prints')
  await totals(page, '2', 'Succeeded')
  await totals(page, '0', 'Cancelled')
  await totals(page, '1', 'Not ended')
  for (const title of ['Print count', 'Print time', 'Filament used'])
    expect(await page.getByRole('img', { name: `${title} over time` }).count()).toBe(1)
  expect(await rows(page, 'Print count')).toEqual([expect.stringMatching(/\t3$/)])

  await page.getByRole('radiogroup', { name: 'Filter by result' }).getByText('Finished').click()
  await totals(page, '2', 'Total prints')
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Year').click()
  const year = new Date().getFullYear()
  await page
    .getByRole('rowheader', { name: String(year), exact: true })
    .first()
    .waitFor()
  await page.reload()
  await totals(page, '2', 'Total prints')
  expect(await rows(page, 'Print count')).toEqual([`${year}\t2`])

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const download = await coming
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toMatch(
    /^\ufeffFrom,Prints,Print time \(h\),Filament \(m\)\r\n\d{4}-\d\d-\d\d,2,[\d.]+,0\r\n$/,
  )
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('an app shows it without the frame, with its own filters in the address', async () => {
  const { page, person, say } = await workshop.ownerAt(LOOKS.klipperPhone, 'stats-bare')
  await page.goto(workshop.at('/stats/?hide_header=true&filter=cancelled&group_by=month'))
  await totals(page, '0', say('stats:totals.prints'))
  await page.getByRole('img', { name: say('stats:nothing') }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await page.getByRole('link', { name: say('stats:own') }).click()
  await totals(page, '3', say('stats:totals.prints'))
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(complaintsBut(person)).toEqual([])
})

test('what cannot be asked for is said', async () => {
  workshop.evidence('stats-failed')
  const { page } = workshop.owner
  await page.goto(workshop.at('/stats/?group_by=never'))
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Failed to fetch statistics').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('heading', { name: 'Failed to fetch statistics' }).waitFor()
  expect(complaintsBut(workshop.owner, /status of 400/)).toEqual([])
})
