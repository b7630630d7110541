import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { addPrinter, complaintsBut, until, walkTo } from '../support.ts'

const workshop = aWorkshop()
/** Each is told to pages and kept in rows of its own, which is what they cost. */
const MANY = inSuite(60, 100)
let token = ''

beforeAll(async () => {
  token = (await addPrinter(workshop.owner.page, 'Ender')).auth_token
})

/** Something happens to the printer, as its agent tells it. */
async function happens(title: string, more: Record<string, string> = {}): Promise<void> {
  const answer = await fetch(workshop.at('/api/v1/octo/printer_events/'), {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      event_type: 'PRINTER_ERROR',
      event_class: 'ERROR',
      event_title: title,
      event_text: 'x',
      ...more,
    }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

async function happen(from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at++)
    await happens(`Event ${at}`, at % 2 === 0 ? {} : { event_class: 'WARNING' })
}

const HOSTILE = {
  event_class: 'WARNING',
  event_text: `<img src=x onerror="window.hacked=1"><b>bold</b><br><a href="javascript:window.hacked=2">bad</a> <a href="https://example.org/">good</a><script>window.hacked=3</script>`,
  info_url: 'https://example.org/info',
}

/** What an agent has written is text, in the few styles that it may have; `more` leads to what it says of more. */
async function isHarmless(told: Locator, more: string): Promise<void> {
  await told.waitFor()
  expect(await told.locator('b').innerText()).toBe('bold')
  expect(await told.locator('img:not([role])').count()).toBe(0)
  expect(await told.innerText()).toContain('<img src=x onerror="window.hacked=1">')
  const links = await told.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual(['https://example.org/', 'https://example.org/info'])
  expect(await told.getByRole('link', { name: more }).getAttribute('target')).toBe('_blank')
  expect(await told.page().evaluate(() => 'hacked' in window)).toBe(false)
}

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const badge = (page: Page, text: string) => page.locator('aside').getByText(text, { exact: true })
const topOf = async (page: Page, title: string) => (await card(page, title).boundingBox())?.y

test('what happened is told by a badge on every page, and seen once the page of events is open', async () => {
  workshop.evidence('events-badge')
  const { page } = workshop.owner
  await walkTo(page, '/user_preferences/')
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  expect(await page.getByRole('img', { name: /new$/ }).count()).toBe(0)
  await happen(1, 3)
  await badge(page, '3').waitFor()
  await happen(4, MANY)
  const most = MANY > 99 ? '99+' : String(MANY)
  await badge(page, most).waitFor()
  await page.getByRole('link', { name: /Notifications/ }).click()
  await card(page, `Event ${MANY}`).waitFor()
  await badge(page, most).waitFor({ state: 'detached' })
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('all of it comes by scrolling, and what is new comes on top without moving what is read', async () => {
  workshop.evidence('events-scroll')
  const { page } = workshop.owner
  await walkTo(page, '/printer_events/')
  await card(page, `Event ${MANY}`).waitFor()
  expect(await page.getByRole('article').count()).toBeLessThan(MANY)
  await card(page, `Event ${MANY - 20}`).scrollIntoViewIfNeeded()
  // All that is near is read: what is awaited at the end of the page would move it, too.
  await card(page, `Event ${MANY - 47}`).waitFor({ state: 'attached' })
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  const before = await topOf(page, `Event ${MANY - 20}`)
  await happens('Arrived', HOSTILE)
  await page.getByRole('button', { name: '1 new' }).waitFor()
  expect(await card(page, 'Arrived').count()).toBe(1)
  expect(Math.abs((await topOf(page, `Event ${MANY - 20}`))! - before!)).toBeLessThan(2)
  await badge(page, '1').waitFor()
  await page.getByRole('button', { name: '1 new' }).click()
  await until(() => page.evaluate(() => scrollY === 0), 'the page to be at its top')
  await badge(page, '1').waitFor({ state: 'detached' })
  await isHarmless(card(page, 'Arrived'), 'More about this')
  await until(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    return (await page.getByText('No more notifications.').count()) === 1
  }, 'the end of the list')
  const titles = await page.getByRole('article').getByRole('heading').allInnerTexts()
  expect(titles).toEqual(['Arrived', ...Array.from({ length: MANY }, (_, at) => `Event ${MANY - at}`)])
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('filters are toggles, kept in this browser; the last one off shows all again', async () => {
  workshop.evidence('events-filters')
  const { page } = workshop.owner
  await page.goto(workshop.at('/printer_events/'))
  await card(page, `Event ${MANY}`).waitFor()
  const choose = async (name: string, group: string) =>
    await page.getByRole('group', { name: group }).getByRole('menuitemcheckbox', { name }).click()
  await page.getByRole('button', { name: 'Filter' }).click()
  await choose('Warning', 'Classes')
  await card(page, `Event ${MANY - 1}`).waitFor()
  await card(page, `Event ${MANY}`).waitFor({ state: 'detached' })
  await choose('Print ended', 'Types')
  await page.getByText('Nothing to look here. Enjoy your vacation!').waitFor()
  await page.reload()
  await page.getByRole('button', { name: '2 filters' }).waitFor()
  await page.getByText('Nothing to look here. Enjoy your vacation!').waitFor()
  await page.getByRole('button', { name: '2 filters' }).click()
  await choose('Print ended', 'Types')
  await card(page, `Event ${MANY - 1}`).waitFor()
  await choose('Warning', 'Classes')
  await card(page, `Event ${MANY}`).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter' }).waitFor()
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('what an agent writes is shown as text, in the few styles that it may have', async () => {
  const { page, person, say } = await workshop.ownerAt(LOOKS.klipperPhone, 'events-hostile')
  await page.goto(workshop.at('/printer_events/'))
  await happens('Hostile', HOSTILE)
  await isHarmless(card(page, 'Hostile'), say('events:more'))
  expect(complaintsBut(person)).toEqual([])
})
