import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { askAbout } from '../asked.ts'
import { inside } from '../filmed.ts'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { seriousFindings, sidewaysFindings } from '../look.ts'
import { addPrinter, complaintsBut, touchSwitch, until } from '../support.ts'
import { asId } from '../../server/test/ids.ts'

const workshop = aWorkshop({ env: { IS_ENT: 'true' }, machinesStay: true })
let printerId = 0

beforeAll(async () => {
  printerId = (await addPrinter(workshop.owner.page, 'Voron')).id
})

/** An ended print with so many pictures to be asked about and of its first layer; returns its id. */
async function aPrint(shots: number, layers = 0): Promise<number> {
  const id = await inside(workshop.vigil, async (db) => {
    const { userId } = await db
      .selectFrom('printers')
      .select('userId')
      .where('id', '=', asId(printerId))
      .executeTakeFirstOrThrow()
    const [startedAt, finishedAt] = [new Date(), new Date()]
    const print = { userId, printerId, filename: 'vase_spiral.gcode', startedAt, finishedAt }
    return (await db.insertInto('prints').values(asId(print)).returning('id').executeTakeFirstOrThrow()).id
  })
  await askAbout(workshop.vigil, id, { shots, layers })
  return id
}

const shown = (page: Page, number: number, count: number) =>
  page.getByRole('heading', { name: `Picture ${number} of ${count}` }).waitFor()
const findings = async (page: Page) => [...(await seriousFindings(page)), ...(await sidewaysFindings(page))]

test('an owner consents, answers by button, key and dot, changes an answer, and earns 2 hours once', async () => {
  workshop.evidence('feedback-shots')
  const { owner, at } = workshop
  const { page } = owner
  const id = await aPrint(4)
  await page.goto(at(`/prints/shot-feedback/${id}/`))
  const start = page.getByRole('button', { name: 'Start' })
  await page.getByText('4 pictures take about 48').waitFor()
  expect(await start.isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: /I grant the Vigil team permission to review/ }).check()
  await start.click()

  await shown(page, 1, 4)
  await page.getByRole('button', { name: 'It looks bad' }).click()
  await shown(page, 2, 4)
  await page.keyboard.press('ArrowRight')
  await shown(page, 3, 4)
  await page.keyboard.press('2')
  await shown(page, 4, 4)
  const dots = page.getByRole('group', { name: 'Pictures' }).getByRole('button')
  expect(await dots.evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
    'Picture 1, answered',
    'Picture 2, seen but not answered',
    'Picture 3, answered',
    'Picture 4, seen but not answered',
  ])
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: "I can't tell" }).click()
  // The one that was passed over comes again.
  await shown(page, 2, 4)
  await page.reload()
  await shown(page, 2, 4)
  await page.getByRole('button', { name: 'It looks OK' }).click()
  await page.getByText('You have earned 2 non-expirable AI Detection Hours.').waitFor()

  await page.getByRole('button', { name: 'Change answers' }).click()
  await shown(page, 1, 4)
  expect(await page.getByRole('button', { name: 'It looks bad' }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'It looks OK' }).click()
  await page.getByRole('heading', { name: 'Thank you, every picture is answered' }).waitFor()

  await page.goto(at('/user_preferences/dh/'))
  const earned = page.getByRole('row', { name: 'Focused feedback' })
  await earned.getByRole('cell', { name: /^\+\s2\W{1,3}h$/ }).waitFor()
  expect(await earned.count()).toBe(1)
  expect(complaintsBut(owner)).toEqual([])
})

test('on a phone, in Chinese, pictures are drawn aside with a finger, answered, and hours are earned', async () => {
  const { person, page, say } = await workshop.ownerAt(LOOKS.klipperPhone, 'feedback-phone')
  const id = await aPrint(3)
  await page.goto(workshop.at(`/prints/shot-feedback/${id}/`))
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: say('feedback:focused.start') }).click()
  const place = (number: number) =>
    page.getByRole('heading', { name: say('feedback:place', { number, count: 3 }) }).waitFor()
  await place(1)
  const finger = await page.context().newCDPSession(page)
  const draw = async (from: number, to: number) => {
    const picture = page.locator('section[aria-roledescription] img')
    await picture.scrollIntoViewIfNeeded()
    const { y, height } = (await picture.boundingBox())!
    const tell = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: y + height / 2 }],
      })
    await tell('touchStart', from)
    for (const share of [0.25, 0.5, 0.75, 1]) await tell('touchMove', from + (to - from) * share)
    await tell('touchEnd')
  }
  await draw(300, 100)
  await place(2)
  await draw(100, 120)
  await draw(100, 300)
  await place(1)
  expect(await findings(page)).toEqual([])
  for (const number of [1, 2, 3]) {
    await place(number)
    await page.getByRole('button', { name: say('feedback:focused.answer.LOOKS_BAD') }).click()
  }
  await page.getByText(say('feedback:focused.earned')).waitFor()
  await page.getByRole('link', { name: say('feedback:toHours') }).click()
  // One more for each print: another journey may have earned before.
  await page
    .getByRole('row', { name: say('hours-server:focused_feedback') })
    .first()
    .waitFor()
  expect(complaintsBut(person)).toEqual([])
})

test('the survey wants a label for each picture, keeps it with Next, and pays 3 hours at the end', async () => {
  workshop.evidence('feedback-survey')
  const { owner, at } = workshop
  const { page } = owner
  const id = await aPrint(0, 2)
  await page.goto(at(`/first_layer_inspection_images/?print_id=${id}`))
  await shown(page, 1, 2)
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
  const next = page.getByRole('button', { name: 'Next' })
  const previous = page.getByRole('button', { name: 'Previous' })
  expect([await previous.isDisabled(), await next.isDisabled()]).toEqual([true, true])
  await page.getByRole('button', { name: 'Examples: Bubbling' }).click()
  await page.getByRole('dialog').getByRole('img', { name: 'Bubbling, example 2' }).waitFor()
  await page.keyboard.press('Escape')
  await box('Gaps').check()
  await box('Bubbling').check()
  await box('No issues').check()
  expect(await box('Gaps').isChecked(), 'no issue stands alone').toBe(false)
  await box('Gaps').check()
  expect(await box('No issues').isChecked()).toBe(false)
  expect(await findings(page)).toEqual([])
  await next.click()
  await shown(page, 2, 2)
  await previous.click()
  await shown(page, 1, 2)
  expect(await box('Gaps').isChecked(), 'what was kept').toBe(true)
  await next.click()
  await shown(page, 2, 2)
  await box('Detached').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText('You have earned 3 AI Detection Hours.').waitFor()
  await page.getByText('You can close this page now.').waitFor()
  await page.getByRole('button', { name: 'Open the report' }).click()
  const report = page.getByRole('dialog', { name: 'First-layer report' })
  await report.getByText('Fair · 52 of 100').waitFor()
  await report.getByText('You said: Gaps').waitFor()
  await report.getByText('Film', { exact: true }).click()
  const video = report.locator('video')
  await video.evaluate((element: HTMLVideoElement) => element.play())
  await until(() => video.evaluate((element: HTMLVideoElement) => element.currentTime > 0), 'the film plays')
  await page.keyboard.press('Escape')
  await page.goto(at('/user_preferences/dh/'))
  await page.getByRole('row', { name: 'First-layer survey' }).waitFor()
  await page.goto(at('/first_layer_inspection_images/?print_id=x'))
  await page.getByRole('heading', { name: 'There is no such print' }).waitFor()
  expect(complaintsBut(owner)).toEqual([])
})

test('a nozzle camera is tried, kept, and its scan set, one field at a time', async () => {
  workshop.evidence('feedback-nozzle')
  const { owner, at } = workshop
  const { page } = owner
  const { id } = await workshop.linked('Nozzle', { flavour: 'klipper', withoutPictures: true })
  await page.goto(at('/nozzle_ninja/'))
  const printer = page.getByPlaceholder('Please select a printer')
  const choose = async (name: string) => {
    await printer.click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  const address = page.getByRole('textbox', { name: 'Snapshot address of the nozzle camera' })
  const tryIt = page.getByRole('button', { name: 'Test the camera' })

  await choose('Voron')
  await address.fill('http://10.0.0.9/shot.jpg')
  await tryIt.click()
  await page.getByText('Printer is offline!').waitFor()

  await choose('Nozzle')
  await page.getByRole('button', { name: 'simulated' }).click()
  expect(await address.inputValue()).toBe('http://127.0.0.1/webcam/?action=snapshot')
  await tryIt.click()
  const question = page.getByRole('dialog', { name: 'Is this the nozzle camera?' })
  await question.getByRole('img', { name: 'What this camera shows now' }).waitFor()
  await question.getByRole('button', { name: 'Yes, save it' }).click()
  await page.getByText('The nozzle camera was saved').waitFor()
  expect(await printer.inputValue(), 'nothing is chosen any more').toBe('')

  await choose('Nozzle')
  await page.getByText('In use: http://127.0.0.1/webcam/?action=snapshot').waitFor()
  const saved: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saved.push(request.postDataJSON())
  })
  const number = (name: string) => page.getByRole('textbox', { name, exact: true })
  expect(await number('Temperature while scanning').inputValue()).toBe('170 °C')
  await number('Scan height').press('ArrowUp')
  await until(async () => saved.length === 1, 'the height to be kept')
  await number('Retraction').press('ArrowDown')
  await until(async () => saved.length === 2, 'the retraction to be kept')
  await touchSwitch(page.getByRole('switch', { name: 'Scan the first layer' }))
  await until(async () => saved.length === 3, 'the choice to be kept')
  expect(saved).toEqual([
    { first_layer_scan_zhop: 4.1 },
    { first_layer_scan_retract: 6 },
    { first_layer_scan_opted_in: false },
  ])
  page.removeAllListeners('request')
  expect(await findings(page)).toEqual([])

  // One that is too old to be asked, and what is said of an address that gives no picture: no simulated agent is so.
  let agent_version = '1.4.10'
  await page.routeWebSocket(/\/ws\/web\//, (socket) =>
    socket.onMessage((text) => {
      const { passthru } = JSON.parse(String(text)) as { passthru?: { ref: string } }
      socket.send(
        JSON.stringify(passthru ? { passthru: { ref: passthru.ref, ret: { error: 'no route' } } } : {}),
      )
    }),
  )
  await page.route('**/api/v1/printers/?**', async (route) => {
    const answer = await route.fetch()
    const all = (await answer.json()) as { id: number }[]
    await route.fulfill({ json: all.map((one) => (one.id === id ? { ...one, agent_version } : one)) })
  })
  await page.goto(at(`/nozzle_ninja/?printer_id=${id}`))
  await address.fill('http://10.0.0.9/shot.jpg')
  await tryIt.click()
  await page
    .getByText(
      'The plugin version is too old to use this function. Please update it to the latest version to test camera!',
    )
    .waitFor()
  agent_version = '1.4.11'
  await page.reload()
  await address.fill('http://10.0.0.9/shot.jpg')
  await tryIt.click()
  await page.getByText('Unable to connect to your nozzle camera using the URL you entered!').waitFor()
  expect(complaintsBut(owner)).toEqual([])
})
