import type { SimulatorOptions } from '@vigil/simulator/index.ts'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { catalogue, type Situation } from '../../web/src/lib/catalogue.ts'
import { aWorkshop } from '../fixture.ts'
import { type Look, LOOKS } from '../looks.ts'
import { addPrinter, complaintsBut, until, closeToast } from '../support.ts'

const DESK = LOOKS.klipperDesk
const PHONE = LOOKS.klipperPhone

/** What a browser logs of answers that are refused, and of those that never come. */
const REFUSED = /status of (40\d|500)|net::ERR_FAILED/

const workshop = aWorkshop()

/** Machines that take their time as little as they may. */
const QUICK = { timeScale: 20, withoutPictures: true }

/** The owner at another device, with the texts of the catalogue by their situation. */
async function theOwner(look: Look, evidence: string) {
  const there = await workshop.ownerAt(look, `errors-${evidence}`)
  const told = (situation: Situation, values?: Record<string, string>) =>
    there.say(catalogue[situation], values)
  return { ...there, told }
}

const linked = (name: string, options: Partial<SimulatorOptions>) =>
  workshop.linked(name, { ...QUICK, ...options })

/** The button with the word, below the cross that says it too. */
const shut = (dialog: Locator, close: string) => dialog.getByRole('button', { name: close }).last().click()

test('a printer that cannot be read, and one that is not there', async () => {
  const { person, page, say, told } = await theOwner(DESK, 'fetch')
  const { id } = await addPrinter(workshop.owner.page, 'Unreadable')
  let isAway = false
  await page.route(`**/api/v1/printers/${id}/*`, (route) =>
    isAway ? route.abort() : route.fulfill({ status: 500, body: '<h1>no JSON</h1>' }),
  )
  await page.goto(workshop.at(`/printers/${id}/control/`))
  const dialog = page.getByRole('dialog', { name: told('error') })
  await dialog.getByText(told('printerFetchFailed')).waitFor()
  const support = dialog.getByRole('link', { name: told('support') })
  expect(await support.getAttribute('href')).toBe('/help/#support')
  await dialog.getByRole('button', { name: told('close') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: told('printerFetchFailed') }).waitFor()
  expect(await page.getByRole('alert').innerText()).toBe(told('serverError'))

  isAway = true
  await page.getByRole('button', { name: say('common:tryAgain') }).click()
  await page.getByRole('alert').getByText(say('common:problem.offline')).waitFor()
  await page.unroute(`**/api/v1/printers/${id}/*`)
  await page.getByRole('button', { name: say('common:tryAgain') }).click()
  await page.getByRole('heading', { name: 'Unreadable' }).waitFor()

  await page.goto(workshop.at('/printers/wizard/link/octoprint/?printerId=987654321'))
  await page.getByRole('heading', { name: told('printerNotFound') }).waitFor()
  expect(complaintsBut(person, REFUSED)).toEqual([])
})

test('calls that come to nothing, each for its reason: Chinese, dark, on a phone', async () => {
  const { person, page, say, told } = await theOwner(PHONE, 'calls')
  const { id, machine } = await linked('聋子', { flavour: 'klipper' })
  const line = { isAway: false, isWordless: false, hasSpoken: false, cut: () => {} }
  await page.routeWebSocket(`**/ws/web/${id}/`, (ws) => {
    if (line.isAway) return void ws.close()
    const server = ws.connectToServer()
    server.onMessage((message) => {
      line.hasSpoken = true
      ws.send(line.isWordless ? String(message).replace(/"ret":/, '"error":{},"ret":') : message)
    })
    line.cut = () => void ws.close()
  })
  await page.clock.install()
  await page.goto(workshop.at(`/printers/${id}/control/`))
  const home = page.getByRole('button', { name: say('toolhead:jog.homeAll') })
  await until(async () => line.hasSpoken, 'a word on the line')
  await home.click()
  await closeToast(page, told('commandSent'), told('close'))

  line.isWordless = true
  await home.click()
  await closeToast(page, told('commandFailed'), told('close'))
  line.isWordless = false

  const silence = machine.loseNetwork(15_000)
  await home.click()
  await page.clock.fastForward(60_000)
  await closeToast(page, told('noReply'), told('close'))
  await silence

  line.isAway = true
  line.cut()
  await home.click()
  await page.getByText(told('socketNotOpen')).first().waitFor()
  expect(complaintsBut(person, REFUSED)).toEqual([])
})

test('a printer on the network that does not shake hands, or shakes them in vain; copied and not', async () => {
  const { person, page, say, told } = await theOwner(DESK, 'linking')
  let doorbell: string | null = null
  await page
    .context()
    .route('**/grab-discovery-secret*', (route) =>
      doorbell === null ? route.abort() : route.fulfill({ contentType: 'text/html', body: doorbell }),
    )
  workshop.machine({ ...QUICK, flavour: 'klipper', timeScale: 4, handshakePort: 0, hostOrIp: '127.0.0.3' })
  await page.clock.install()
  await page.goto(workshop.at('/printers/wizard/link/klipper-generic/'))
  const link = page
    .getByRole('listitem')
    .filter({ hasText: '127.0.0.3' })
    .getByRole('button', { name: say('linking:discovery.link') })

  const ring = () => Promise.all([page.waitForEvent('popup'), link.click()])

  await ring()
  await page.clock.fastForward(5_000)
  const dialog = page.getByRole('dialog', { name: told('handshakeFailed') })
  for (const words of [told('handshakeChecklist'), told('handshakePlugin'), told('handshakeNetwork')])
    await dialog.getByText(words).waitFor()
  await dialog.getByRole('button', { name: say('linking:handshake.byHand') }).click()
  await dialog.waitFor({ state: 'detached' })

  doorbell = '<script>opener.postMessage({ device_secret: "of somebody else" }, "*")</script>'
  const sent = page.waitForResponse(
    (answer) => answer.url().includes('printer_discovery') && answer.request().method() === 'POST',
  )
  await ring()
  expect((await sent).status()).toBe(200)
  await page.clock.fastForward(20_000)
  await page.getByText(told('autoLinkFellBack')).first().waitFor()

  const copy = page.getByRole('button', { name: say('linking:copy'), exact: true }).first()
  await copy.click()
  await page.getByRole('button', { name: told('copied') }).waitFor()
  await page.clock.fastForward(2_000)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    document.execCommand = () => false
  })
  await copy.click()
  await page.getByRole('button', { name: told('copyFailed') }).waitFor()
  expect(complaintsBut(person, REFUSED)).toEqual([])
})

test('a printer too busy to print again, then one without a serial port: Chinese, dark, on a phone', async () => {
  const name = '无线'
  const { person, page, say, told } = await theOwner(PHONE, 'serial')
  const { id, machine } = await linked(name, { flavour: 'octoprint', speed: 15 })
  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByText(say('printers:idle.ready')).first().waitFor()
  machine.startPrint()
  await page.getByRole('button', { name: say('printers:pause.button'), exact: true }).waitFor()
  await until(async () => machine.cancel(), 'the print to begin')
  const again = page.getByRole('button', { name: say('printers:reprint.button') })
  await again.click()
  const question = page.getByRole('dialog')
  const sure = question.getByRole('button', { name: say('printers:reprint.action') })
  await sure.waitFor()
  expect(machine.startPrint()).toBe(true)
  await sure.click()
  const dialog = page.getByRole('dialog', { name: told('notReady', { name }) })
  await dialog.getByText(told('notReadyBusy')).waitFor()
  await shut(dialog, told('close'))

  machine.plug(false)
  const connect = page.getByRole('button', { name: say('widgets:connect.button') })
  await connect.click()
  await page.getByText(told('noSerialPort')).first().waitFor()
  expect(complaintsBut(person)).toEqual([])
})
