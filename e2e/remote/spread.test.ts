import type { SimulatorOptions } from '@vigil/simulator/index.ts'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { type Look, LOOKS, profileOf } from '../looks.ts'
import { aPerson, complaintsBut, touchSwitch, until } from '../support.ts'

const workshop = aWorkshop()

const QUICK = { picEverySeconds: 1, speed: 15, timeScale: 20 }

/** A printer of the look's flavour that is linked and connected. */
const linked = (name: string, look: Look, options: Partial<SimulatorOptions> = {}) =>
  workshop.linked(name, { ...QUICK, flavour: look.flavour, ...options })

test('a printer that stops answering: Chinese, dark, on a phone', async () => {
  const look = LOOKS.klipperPhone
  const { person, page, say } = await workshop.ownerAt(look, 'spread-silent')
  const { id, machine } = await linked('沉默', look)
  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByText(say('printers:idle.ready')).first().waitFor()
  machine.startPrint()
  // the page has heard of it, too: what is said after that is lost
  const pause = page.getByRole('button', { name: say('printers:pause.button'), exact: true })
  await pause.and(page.locator(':enabled')).waitFor()

  const quiet = machine.loseNetwork(40_000)
  await pause.click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: say('printers:pause.action') }).click()
  await page.getByText(say('printers:state.Pausing')).first().waitFor()
  // The page has 15 s of patience with the printer; on a busy machine a reload may take as long.
  await page.evaluate(
    (key) => localStorage.setItem(key, String(Date.now() + 20_000)),
    `printer-${id}-state-transitioning-timeout`,
  )
  await page.reload()
  await page.getByText(say('printers:state.Pausing')).first().waitFor()
  const told = page.getByRole('dialog', { name: say('printers:notResponding.title') })
  await told.waitFor()
  await told.getByText(say('printers:notResponding.text')).waitFor()
  await told.getByRole('button', { name: say('printers:notResponding.dismiss') }).click()
  await told.waitFor({ state: 'detached' })
  await quiet
  await page
    .getByRole('button', {
      name: new RegExp(`^(${say('printers:pause.button')}|${say('printers:resume.button')})$`),
    })
    .waitFor()
  // What is asked of a silent printer (its macros) is answered with why not.
  expect(complaintsBut(person, /status of 409/)).toEqual([])
}, 180_000)

test('a link with a PIN, and a zone to ignore: Chinese, on a phone', async () => {
  const look = LOOKS.octoprintPhone
  const { person, page, say } = await workshop.ownerAt(look, 'spread-share')
  const viewer = await aPerson(profileOf(LOOKS.klipperPocket))
  workshop.evidence('spread-viewer', viewer)
  const { id, machine } = await linked('阳台', look, { print: true })
  await until(async () => machine.state === 'printing', 'the print to begin')

  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByRole('button', { name: say('sharing:buttonOf', { name: '阳台' }) }).click()
  const dialog = page.getByRole('dialog')
  await touchSwitch(dialog.getByRole('switch', { name: say('sharing:share') }))
  await dialog.getByRole('button', { name: say('sharing:add') }).click()
  await dialog.getByRole('textbox', { name: say('sharing:form.label') }).fill('祖母')
  await dialog.getByRole('textbox', { name: say('sharing:form.pin') }).fill('2468')
  await dialog.getByRole('button', { name: say('sharing:form.create') }).click()
  const address = dialog.getByRole('textbox', { name: say('sharing:address', { label: '祖母' }) })
  await viewer.page.goto(await address.inputValue())

  await viewer.page.getByRole('heading', { name: 'This camera needs a PIN' }).waitFor()
  await viewer.page.getByRole('textbox').fill('1357')
  await viewer.page.getByRole('button', { name: 'Show the camera' }).click()
  await viewer.page.getByText('This PIN is not right.').waitFor()
  await viewer.page.getByRole('textbox').fill('2468')
  await viewer.page.getByRole('button', { name: 'Show the camera' }).click()
  await viewer.page.getByRole('img', { name: 'Shared camera of 阳台' }).waitFor()
  await dialog.getByRole('button', { name: say('sharing:revokeOf', { label: '祖母' }) }).click()
  await page.getByRole('button', { name: say('sharing:revoke.action') }).click()
  await viewer.page.getByText('This camera is not shared any more').waitFor()

  await page.goto(workshop.at(`/printers/${id}/`))
  await page.getByRole('button', { name: say('zones:draw') }).click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('button', { name: say('zones:newBox') }).click()
  await editor.getByRole('button', { name: say('zones:save') }).click()
  await page.getByText(say('zones:saved')).waitFor()
  await page.reload()
  await page.getByRole('button', { name: say('zones:edit') }).waitFor()
  expect(complaintsBut(person)).toEqual([])
  expect(complaintsBut(viewer, /status of 40[0134]/)).toEqual([])
}, 180_000)

test('five prints are paused at once, and each answers: Chinese, dark, at a desk', async () => {
  const look = LOOKS.octoprintNight
  const { person, page, say } = await workshop.ownerAt(look, 'spread-bulk')
  const farm = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      linked(`农场 ${n}`, n > 3 ? LOOKS.klipperDesk : look, { print: true, withoutPictures: true, seed: n }),
    ),
  )
  await until(async () => farm.every(({ machine }) => machine.state === 'printing'), 'five prints')
  await page.goto(workshop.at('/printers/'))
  const view = page.getByRole('radiogroup', { name: say('grid:view.label') })
  await view.getByText(say('grid:view.grid'), { exact: true }).click()
  const box = (n: number) =>
    page.getByRole('checkbox', { name: say('grid:tile.select', { name: `农场 ${n}` }) })
  const camera = page.getByRole('dialog', { name: say('grid:tile.camera', { name: '农场 1' }) })
  // A hand that rests on a tile sees its camera; once it chooses or goes on, the camera no longer lies over the next box.
  await box(1).hover()
  await camera.waitFor()
  await box(1).check()
  await camera.waitFor({ state: 'hidden' })
  for (const n of [2, 3, 4, 5]) await box(n).check()
  await page.getByRole('button', { name: say('grid:bulk.pause.button'), exact: true }).click()
  await page.getByRole('button', { name: say('grid:bulk.pause.action_other', { count: 5 }) }).click()
  const answers = page.getByRole('dialog', { name: say('grid:bulk.pause.running_other', { count: 5 }) })
  await until(
    async () => (await answers.locator('li[data-phase=done]').count()) === 5,
    'an answer for each of five',
  )
  await until(async () => farm.every(({ machine }) => machine.state === 'paused'), 'five paused prints')
  expect(complaintsBut(person)).toEqual([])
}, 180_000)

test("the printer's own link opens on a phone, and the passcode in it links: dark, on a phone", async () => {
  const look = LOOKS.klipperPocket
  const { person, page } = await workshop.ownerAt(look, 'spread-deep-link')
  const shown = Promise.withResolvers<string>()
  const machine = workshop.machine({
    ...QUICK,
    flavour: look.flavour,
    timeScale: 4,
    onPasscode: (_, link) => shown.resolve(link),
  })
  const link = new URL(await shown.promise)
  await page.goto(workshop.at(`${link.pathname}${link.search}`))
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  await machine.ready
  await page.getByLabel('Give it a name').fill('Voron')
  await page.getByRole('link', { name: 'See the printer' }).click()
  await page.getByRole('heading', { name: 'Voron' }).waitFor()
  expect(complaintsBut(person)).toEqual([])
}, 120_000)
