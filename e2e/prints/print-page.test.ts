import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inside } from '../filmed.ts'
import { aWorkshop } from '../fixture.ts'
import { seriousFindings, sidewaysFindings, touchFindings } from '../look.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { aPrintedOne, aScene } from '../printed.ts'
import { addPrinter, aPerson, complaintsBut, type Person, until, walkTo } from '../support.ts'
import { asId } from '../../server/test/ids.ts'

const workshop = aWorkshop()
const say = wordsIn('en')
/** Machines that take their time as little as they may. */
const QUICK = { timeScale: 20, withoutPictures: true }
let scene: Awaited<ReturnType<typeof aScene>>
let printerId: number
let stranger: Person | undefined

beforeAll(async () => {
  scene = await aScene()
  printerId = (await addPrinter(workshop.owner.page, 'Prusa in the attic')).id
})
afterAll(() => stranger?.close())

const aPrint = (more: Parameters<typeof aPrintedOne>[3] = {}) =>
  aPrintedOne(workshop.vigil, printerId, scene, more)
const axis = (page: Page) => page.getByRole('slider', { name: say('player:scrubber') })
/** Where each of the films stands, in seconds. */
const places = (page: Page) =>
  page
    .locator('video')
    .evaluateAll((films) => films.map((film) => (film instanceof HTMLVideoElement ? film.currentTime : NaN)))

async function clickAxis(page: Page, share: number): Promise<void> {
  await axis(page).scrollIntoViewIfNeeded()
  const box = await axis(page).boundingBox()
  if (box) await page.mouse.click(box.x + box.width * share, box.y + box.height / 2)
}

test('an owner plays a print: both films, gauge, axis and temperatures go together, by mouse and by keyboard', async () => {
  workshop.evidence('printpage-play')
  const { page } = workshop.owner
  const [older, id, newer] = [
    await aPrint({ videos: false, frames: false, values: { filename: 'older.gcode' } }),
    await aPrint(),
    await aPrint({ videos: false, frames: false, values: { filename: 'newer.gcode' } }),
  ]
  await page.goto(workshop.at(`/prints/${id}/?index=1`))
  await page.getByRole('heading', { name: 'vase_spiral.gcode', level: 1 }).waitFor()
  await until(async () => (await page.locator('video').count()) === 2, 'both films')

  await clickAxis(page, 0.9)
  const isAt = (seconds: number) => async () =>
    (await places(page)).every((at) => Math.abs(at - seconds) < 0.3)
  await until(isAt(12 * 0.9), 'both films at the place of the click')
  await page.getByText(say('printers:band.failing')).waitFor()
  await axis(page).press('Home')
  await page.getByText(say('printers:band.good')).waitFor()
  await axis(page).press('PageUp')
  expect(await axis(page).getAttribute('aria-valuenow')).toBe('11')
  await until(isAt(12 * (10 / 96)), 'both films at the place of the key')

  await page.getByRole('button', { name: say('player:toAlert') }).click()
  expect(await axis(page).getAttribute('aria-valuenow')).toBe('73')
  await page.locator('label').filter({ hasText: '2×' }).click()
  await page.keyboard.press('k')
  await until(async () => ((await places(page))[0] ?? 0) > 9.5, 'the film to play')
  await until(
    async () => Math.abs(((await places(page))[0] ?? 0) - ((await places(page))[1] ?? 9)) < 0.6,
    'both films together',
  )
  await page.getByRole('button', { name: say('player:play'), exact: true }).waitFor()
  await page.getByRole('button', { name: say('player:full'), exact: true }).click()
  await page.getByRole('button', { name: say('player:leaveFull') }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: say('player:full'), exact: true }).waitFor()

  await page.getByRole('button', { name: say('print-page:heat.asTable') }).click()
  await page.getByRole('columnheader', { name: say('printers:heater.nozzle') }).waitFor()
  expect(await page.getByRole('row').count()).toBeGreaterThan(20)

  const siblings = page.getByRole('navigation', { name: say('print-page:siblings.label') })
  await siblings.getByRole('link', { name: 'Older older.gcode' }).click()
  await page.getByRole('heading', { name: 'older.gcode', level: 1 }).waitFor()
  expect(page.url()).toBe(workshop.at(`/prints/${older}/?index=2`))
  await page.goBack()
  await siblings.getByRole('link', { name: 'Newer newer.gcode' }).click()
  expect(page.url()).toBe(workshop.at(`/prints/${newer}/?index=0`))
  // At a place where it does not stand, nothing is said of others.
  await walkTo(page, `/prints/${id}/?index=7`)
  await page.getByRole('heading', { name: 'vase_spiral.gcode', level: 1 }).waitFor()
  expect(await siblings.count()).toBe(0)
})

test('shares the film with a stranger and takes it back, deletes the print', async () => {
  const { owner, vigil } = workshop
  const { page } = owner
  workshop.evidence('printpage-answers')
  stranger = await aPerson()
  workshop.evidence('printpage-stranger', stranger)
  const id = await aPrint({ frames: false })
  await inside(vigil, (db) => db.updateTable('users').set({ firstName: 'Ada' }).execute())
  await walkTo(page, `/prints/${id}/`)
  await page.getByRole('button', { name: say('print-page:share.button') }).click()
  const dialog = page.getByRole('dialog', { name: say('print-page:share.title') })
  await dialog.getByRole('switch').click({ force: true })
  const link = await dialog.getByLabel(say('print-page:share.address')).inputValue()
  const shared = workshop.at(new URL(link).pathname)

  await stranger.page.goto(shared)
  await stranger.page.getByRole('heading', { name: 'Time-lapse by Ada' }).waitFor()
  const banner = stranger.page.getByText(say('print-page:public.banner'))
  expect(await banner.count()).toBe(0)
  await clickAxis(stranger.page, 0.9)
  await banner.waitFor()
  expect(await stranger.page.content()).not.toMatch(/vase_spiral|Prusa in the attic|owner@example/)

  await dialog.getByRole('switch').click({ force: true })
  await page.getByRole('button', { name: say('print-page:share.off.action') }).click()
  await dialog.getByLabel(say('print-page:share.address')).waitFor({ state: 'detached' })
  await stranger.page.reload()
  await stranger.page.getByRole('heading', { name: say('print-page:public.endedTitle') }).waitFor()
  // What is there for strangers, too.
  await stranger.page.goto(workshop.at('/help/#share'))
  await stranger.page.getByRole('heading', { name: 'Share a camera' }).waitFor()
  await stranger.page.getByRole('link', { name: 'Sign in' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: say('print-page:actions.more'), exact: true }).click()
  await page.getByRole('menuitem', { name: say('print-page:actions.delete') }).click()
  await page.getByText('Delete 1 print(s)? This action can not be undone.').waitFor()
  await page.getByRole('button', { name: say('print-page:delete.action'), exact: true }).click()
  await page.getByText('Time-lapse vase_spiral.gcode deleted!').waitFor()
  await page.getByRole('heading', { name: say('history:title.rows'), level: 1 }).waitFor()
  expect(complaintsBut(stranger, /status of 404/)).toEqual([])
})

test('without a video the pictures themselves are played, and one that is gone says why', async () => {
  const { page } = workshop.owner
  workshop.evidence('printpage-frames')
  const bare = await aPrint({ videos: false })
  const ended = { endedAt: new Date(), state: 'failed', printId: bare }
  await inside(workshop.vigil, (db) =>
    db
      .insertInto('timelapses')
      .values(asId(ended))
      .onConflict((conflict) => conflict.column('printId').doUpdateSet(asId(ended)))
      .execute(),
  )
  await page.goto(workshop.at(`/prints/${bare}/`))
  await page.getByText(say('print-page:lapse.framesOnly')).waitFor()
  const picture = page.getByRole('img', { name: say('player:labels.plain', { name: 'vase_spiral.gcode' }) })
  const before = await picture.getAttribute('src')
  await axis(page).press('End')
  await until(async () => (await picture.getAttribute('src')) !== before, 'the last picture')

  const archived = await aPrint({ videos: false, frames: false, values: { videoArchivedAt: new Date() } })
  await page.goto(workshop.at(`/prints/${archived}/`))
  await page.getByRole('heading', { name: 'Video file is deleted.' }).waitFor()
  await page.getByRole('button', { name: 'Why?' }).click()
  await page.getByText('Time-lapse videos older than 6 months are deleted.').waitFor()
  await page
    .getByRole('button', { name: say('common:close'), exact: true })
    .last()
    .click()
})

test('prints it again where it lies: not while the printer is busy, asked each second until it begins', async () => {
  workshop.evidence('printpage-again')
  const { page } = workshop.owner
  const name = 'Voron in the cellar'
  const { id, machine } = await workshop.linked(name, { ...QUICK, flavour: 'klipper', speed: 15 })
  expect(machine.startPrint('vase.gcode')).toBe(true)
  const print = await until(() => firstPrintOf(id), 'the print to begin')
  await page.clock.install()
  const states = await tellStates(page, id)

  await page.goto(workshop.at(`/prints/${print.id}/`))
  const again = page.getByRole('button', { name: say('print-page:reprint.button'), exact: true })
  const busy = page.getByText(say('print-page:reprint.notNow', { why: say('catalogue:notReadyBusy') }))
  const send = async (...told: string[]) => {
    await busy.waitFor()
    expect(await again.isDisabled()).toBe(true)
    await until(async () => machine.cancel(), 'the print to be cancelled')
    await busy.waitFor({ state: 'detached' })
    await again.click()
    const question = page.getByRole('dialog', { name: say('printers:reprint.title') })
    // Not earlier: the page reads its printer anew when anything of it changes.
    states.push(...told)
    await question.getByRole('button', { name: say('printers:reprint.action') }).click()
  }
  const waiting = page.getByRole('dialog', { name: say('print-page:reprint.title') })

  // The simulated printer does print: of one that does not, no event tells that it began.
  await page.route(EVENTS, async (route) => route.fulfill({ json: [] }))
  await send('Operational', 'Error')
  await page.getByText(say('print-page:reprint.failed', { name })).waitFor()
  await waiting.waitFor({ state: 'detached' })
  await page.unroute(EVENTS)

  await send('Operational', 'G-Code Downloading', 'Downloading G-Code', 'Printing')
  await waiting.getByText(say('print-page:reprint.waiting', { name })).waitFor()
  const left = (count: number) => waiting.getByText(say('print-page:reprint.begun_other', { count }))
  await until(async () => {
    if (states.length === 0) await page.clock.runFor(20)
    return await left(3).isVisible()
  }, 'the countdown')
  await page.clock.runFor(1_000)
  await left(2).waitFor()
  await waiting.getByRole('button', { name: say('print-page:reprint.redirect') }).click()
  await page.waitForURL(workshop.at(`/printers/${id}/control/`))
  await page.clock.resume()

  await page.goto(workshop.at(`/prints/${print.id}/`))
  expect(machine.removeFile('vase.gcode')).toBe(true)
  await send()
  await page.getByText(say('printers:reprint.gone', { file: 'vase.gcode' })).waitFor()
  expect(await waiting.count()).toBe(0)
})

const firstPrintOf = (printerId: number) =>
  inside(workshop.vigil, (db) =>
    db.selectFrom('prints').select('id').where('printerId', '=', asId(printerId)).executeTakeFirst(),
  )

const EVENTS = '**/api/v1/printer_events/?*'

/** What the page is told of the printer's state when it asks, one after the other; the clock stands at the last one. */
async function tellStates(page: Page, printerId: number): Promise<string[]> {
  const states: string[] = []
  await page.route(`**/api/v1/printers/${printerId}/?*`, async (route) => {
    const text = states[0]
    if (text === undefined) return route.continue()
    const printer = (await (await route.fetch()).json()) as object
    const status = { _ts: 1, state: { text, flags: { operational: true } } }
    if (text === 'Printing') await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000)
    states.shift()
    return route.fulfill({ json: { ...printer, status } })
  })
  return states
}

test.each(['klipperPhone', 'octoprintNight'] as const)('can be read and touched: %s', async (name) => {
  const id = await aPrint()
  const { person, page, say: words } = await workshop.ownerAt(LOOKS[name], `printpage-${name}`)
  await page.goto(workshop.at(`/prints/${id}/`))
  await page.getByRole('slider', { name: words('player:scrubber') }).waitFor()
  await page.getByText(words('print-page:heat.title')).first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  expect(await sidewaysFindings(page)).toEqual([])
  if (LOOKS[name].width === 390) expect(await touchFindings(page)).toEqual([])
  expect(person.complaints).toEqual([])
  await person.close()
})
