import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { addPrinter, aPerson, complaintsBut, type Person } from '../support.ts'
import { type Way, wayTo } from '../way.ts'

/** A line that is lost is said within this time, wherever one looks. */
const SAID_MS = 42_000
/** What a browser logs of a network that is not there. */
const NETWORK = /ERR_|WebSocket|Failed to load|Failed to fetch|404/

const workshop = aWorkshop({ machinesStay: true })
const say = wordsIn(LOOKS.klipperDesk.language)
let way: Way
let printer: number
let person: Person

beforeAll(async () => {
  way = await wayTo(workshop.vigil.address)
  const { id, machine } = await workshop.linked('Voron', {
    flavour: 'klipper',
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 400 }) }],
    picEverySeconds: 5,
  })
  printer = id
  machine.startPrint()
  await addPrinter(workshop.owner.page, 'Prusa')
  // The owner, by that way: the cookies are of its host.
  const { cookies } = await workshop.owner.page.context().storageState()
  const domain = new URL(way.address).hostname
  person = await aPerson({
    storageState: { cookies: cookies.map((one) => ({ ...one, domain })), origins: [] },
  })
  await person.page.goto(at('/printers/'))
  await person.page.getByRole('heading', { name: 'Voron' }).waitFor()
})
afterAll(async () => {
  await person?.close()
  await way?.close()
})
afterEach(async () => {
  await person.page.context().setOffline(false)
  await way.mend()
})

const at = (path: string) => `${way.address}${path}`
const banner = (page: Page) =>
  page.getByRole('status').getByText(/No connection to the server|You are offline/)
const places = (page: Page) => page.getByRole('navigation').getByText(say('common:nav.printers')).first()

/** Waits until the way is there again and nobody complains. */
async function isBack(page: Page): Promise<void> {
  await banner(page).waitFor({ state: 'detached' })
}

test('without network Pause asks, says that it was not sent, and the page stands', async () => {
  workshop.evidence('bad-line-pause', person)
  const { page } = person
  await page.goto(at(`/printers/${printer}/control/`))
  await page
    .getByText(/Looking good|Watching/)
    .first()
    .waitFor()
  await page.context().setOffline(true)
  await banner(page).waitFor({ timeout: SAID_MS })
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('printers:pause.action') })
    .click()
  await page.getByText(say('common:problem.offline')).waitFor()
  expect(await page.getByRole('heading', { name: 'Voron' }).isVisible()).toBe(true)
  expect(await places(page).isVisible()).toBe(true)
  // What is read without the line is not called true.
  expect(await page.getByText('Looking good', { exact: true }).count()).toBe(0)
  expect(await page.getByText(/· connected/).count()).toBe(0)

  await page.context().setOffline(false)
  await isBack(page)
  await page.getByText(/· connected/).waitFor()
  expect(complaintsBut(person, NETWORK)).toEqual([])
})

test('a line that died unseen is said on every page, and is gone when it is back', async () => {
  const context = person.page.context()
  const shared = await person.page.evaluate(async (id) => {
    const answer = await fetch(`/api/v1/printers/${id}/share_links/`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    return ((await answer.json()) as { share_token: string }).share_token
  }, printer)
  const paths = [`/printers/share_token/${shared}/`, '/printers/', '/printers/?grid', `/printers/${printer}/`]
  const control = person.page
  if (!control.url().endsWith('/control/')) await control.goto(at(`/printers/${printer}/control/`))
  const pages = [control]
  for (const path of inSuite(paths.slice(0, 1), paths)) {
    const page = await context.newPage()
    pages.push(page)
    await page.addInitScript(
      (view) => localStorage.setItem('printersView', view),
      path.includes('grid') ? 'grid' : 'cards',
    )
    await page.goto(at(path))
    await page.getByText('Voron').first().waitFor()
  }
  await control.getByText('Looking good', { exact: true }).waitFor()
  way.freeze()
  const began = Date.now()
  await Promise.all(pages.map((page) => banner(page).waitFor({ timeout: SAID_MS })))
  expect(Date.now() - began).toBeLessThan(SAID_MS)
  expect(await control.getByText('Looking good', { exact: true }).count()).toBe(0)
  expect(await control.getByText(/· connected/).count()).toBe(0)
  for (const page of pages) await isOnTop(page)

  const asked = control.waitForRequest(/\/hc\/$/)
  await control.getByRole('button', { name: say('common:line.now') }).click()
  await asked
  await way.mend()
  await Promise.all(pages.map(isBack))
  await control.getByText('Looking good', { exact: true }).waitFor()
  for (const page of pages.slice(1)) await page.close()
})

/** Nothing of the page covers the banner. */
async function isOnTop(page: Page): Promise<void> {
  const box = (await banner(page).boundingBox())!
  const shown = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x!, y!)?.closest('[role="status"]') !== null,
    [box.x + 5, box.y + box.height / 2],
  )
  expect(shown).toBe(true)
}

test('a page that is not loaded yet keeps the shell, says that there is no connection, and comes by itself', async () => {
  workshop.evidence('bad-line-part', person)
  const { page } = person
  await page.goto(at('/printers/'))
  await page.getByRole('heading', { name: 'Voron' }).waitFor()
  await page.context().setOffline(true)
  await page
    .getByRole('link', { name: say('common:nav.preferences') })
    .first()
    .click()
  await page.getByRole('heading', { name: say('common:part.offline') }).waitFor()
  expect(await places(page).isVisible()).toBe(true)
  // Neither does a dialog whose code is not there take the page along.
  await page.keyboard.press('?')
  await page.getByText(say('common:part.offlineText')).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: say('accounts:preferences.sections.general'), level: 1 }).waitFor()
  expect(complaintsBut(person, NETWORK)).toEqual([])
})

test('an old page after an update is loaded anew, once', async () => {
  workshop.evidence('bad-line-update', person)
  const { page } = person
  const go = (to: string) => page.getByRole('navigation').getByRole('link', { name: to }).first().click()
  // As after an update: the files of the page that is open are gone, those of the next one are there.
  let documents = 0
  let always = false
  await page.route('**/*', (route) => {
    const request = route.request()
    if (request.resourceType() === 'document') documents++
    const isPart = /assets\/.*(StatsScreen|EventsScreen).*\.js/.test(request.url())
    const gone = isPart && (always || documents === 0)
    return gone ? route.fulfill({ status: 404, body: 'gone' }) : route.continue()
  })
  await go(say('common:nav.stats'))
  await page.getByRole('heading', { name: say('common:nav.stats'), level: 1 }).waitFor()
  expect([documents, new URL(page.url()).pathname]).toEqual([1, '/stats/'])

  // Where the part stays away the page says so rather than loading itself again and again.
  always = true
  await go(say('common:nav.notifications'))
  await page.getByRole('heading', { name: say('common:part.gone') }).waitFor()
  expect(await places(page).isVisible()).toBe(true)
  expect(documents).toBeLessThanOrEqual(3)
  await page.unroute('**/*')
  expect(complaintsBut(person, NETWORK)).toEqual([])
})
