import type { SimulatorOptions } from '@vigil/simulator/index.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop, QUICK } from '../fixture.ts'
import { complaintsBut, until } from '../support.ts'

/** From the empty account to a watched printer (docs/rules/pages.md 4). */
const CLICKS_AT_MOST = 12
const SECONDS_AT_MOST = 60

/** The browser logs the answer to a wrong passcode. */
const WRONG_PASSCODE = /status of 404/

const workshop = aWorkshop({ env: QUICK })

/** Counts the clicks of a page from its next load on. */
const countClicks = (page: Page) =>
  page.addInitScript(() => {
    window.addEventListener('click', () => {
      sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
    })
  })

const agent = (options: Partial<SimulatorOptions>) =>
  workshop.machine({ handshakePort: 0, picEverySeconds: 0.5, speed: 8, ...options })

async function codeOn(page: Page): Promise<string> {
  const digits = await page.getByTestId('link-code').innerText()
  expect(digits.replace(/\s/g, '')).toMatch(/^\d{6}$/)
  return digits.replace(/\s/g, '')
}

/** Takes back what was typed as the passcode, as a person does: until nothing is left. */
async function emptied(page: Page): Promise<void> {
  for (const at of [5, 4, 3, 2, 1]) {
    const field = page.getByLabel(`Character ${at}`)
    while ((await field.inputValue()) !== '') {
      await field.click()
      await page.keyboard.press('Backspace')
    }
  }
}

test('a new owner has a watched printer within a dozen clicks and a minute', async () => {
  workshop.evidence('linking-code')
  const { page } = workshop.owner
  await countClicks(page)
  await page.goto(workshop.at('/printers/'))
  const begin = performance.now()
  await page.evaluate(() => sessionStorage.setItem('clicks', '0'))
  await page.getByRole('link', { name: 'Link your first printer' }).click()
  await page.getByRole('link', { name: /OctoPrint/ }).click()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText(/Expires in/).waitFor()
  const printer = agent({ flavour: 'octoprint', code: await codeOn(page) })
  await printer.ready
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  await page.getByLabel('Give it a name').fill('Ender')
  // saving says so, and what stands below moves
  await page.getByText('Saved').waitFor()
  await page.getByRole('link', { name: 'See the printer' }).click()
  await page.getByRole('heading', { name: 'Ender' }).waitFor()
  printer.startPrint()
  await page.getByText('Looking good').waitFor()

  const clicks = Number(await page.evaluate(() => sessionStorage.getItem('clicks')))
  const seconds = (performance.now() - begin) / 1000
  console.log(`from the empty account to a watched printer: ${clicks} clicks, ${seconds.toFixed(1)} s`)
  expect(clicks).toBeLessThanOrEqual(CLICKS_AT_MOST)
  expect(seconds).toBeLessThanOrEqual(SECONDS_AT_MOST)
  expect(complaintsBut(workshop.owner, WRONG_PASSCODE)).toEqual([])
})

test('a passcode from the printer links it; a wrong one says so', async () => {
  workshop.evidence('linking-passcode')
  const { page } = workshop.owner
  // The printer shows another one whenever an answer is late.
  let shown = ''
  agent({ flavour: 'klipper', timeScale: 4, onPasscode: (passcode) => (shown = passcode) })
  await until(async () => shown, 'a passcode')
  await page.goto(workshop.at('/printers/wizard/link/klipper-generic/'))
  await page.getByTestId('link-code').waitFor()

  await page.keyboard.press('Control+c')
  await page.getByText('Copied!').waitFor()

  await page.getByLabel('Character 1').click()
  await page.keyboard.type('zzzzz')
  await page.getByText('Invalid code. Is it expired?').waitFor()
  await emptied(page)
  await page.getByText('Invalid code. Is it expired?').waitFor({ state: 'hidden' })
  await until(async () => {
    await emptied(page)
    await page.getByLabel('Character 1').click()
    await page.keyboard.type(shown.toUpperCase())
    const said = page.getByText('Invalid code. Is it expired?')
    await page.getByRole('heading', { name: 'Printer linked' }).or(said).waitFor()
    return (await said.count()) === 0
  }, 'the link')
  expect(complaintsBut(workshop.owner, WRONG_PASSCODE)).toEqual([])
})

test('the link beside a passcode carries it along', async () => {
  workshop.evidence('linking-deep')
  const { page } = workshop.owner
  const shown = Promise.withResolvers<string>()
  agent({ flavour: 'klipper', timeScale: 4, onPasscode: (_passcode, link) => shown.resolve(link) })
  await page.goto(await shown.promise)
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  expect(complaintsBut(workshop.owner, WRONG_PASSCODE)).toEqual([])
})

test('a printer on the same network is one press away, and a blocked pop-up is told', async () => {
  workshop.evidence('linking-discovery')
  const { page } = workshop.owner
  const printer = agent({ flavour: 'klipper', timeScale: 4, hostOrIp: '127.0.0.2' })
  await page.goto(workshop.at('/printers/wizard/link/klipper-generic/'))
  // The agent of an earlier journey may be listed still.
  const device = page.getByRole('listitem').filter({ hasText: '127.0.0.2' })
  const link = device.getByRole('button', { name: 'Link' })
  await link.waitFor()

  const open = await page.evaluateHandle(() => window.open)
  await page.evaluate(() => void (window.open = () => null))
  await link.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Handshake failed because the pop-up was blcoked.').waitFor()
  await dialog.getByRole('button', { name: 'Switch to manual setup' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await until(
    () => page.evaluate(() => Boolean(document.activeElement?.matches(':has(> [data-testid=link-code])'))),
    'the code to have the focus',
  )

  await page.evaluate((given) => void (window.open = given), open)
  const popup = page.waitForEvent('popup')
  await link.click()
  await popup
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  await printer.ready
  expect(complaintsBut(workshop.owner, WRONG_PASSCODE)).toEqual([])
})

test('linking again makes a new token, and the old agent is cut', async () => {
  workshop.evidence('linking-again')
  const { page } = workshop.owner
  await page.goto(workshop.at('/printers/wizard/link/octoprint/'))
  const before = agent({ flavour: 'octoprint', code: await codeOn(page) })
  const old = await before.ready
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  const id = Number(/success\/(\d+)/.exec(page.url())?.[1])
  await until(async () => before.isConnected, 'the agent to connect')

  await page.goto(workshop.at(`/printers/${id}/`))
  await page.getByRole('button', { name: 'Link again' }).click()
  await page.getByRole('dialog').getByText('the old one stops working').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Link again' }).click()
  await page.getByRole('heading', { name: 'Link the printer again' }).waitFor()
  await page.getByRole('link', { name: /OctoPrint/ }).click()
  await page.getByRole('link', { name: 'Next' }).click()
  const after = agent({ flavour: 'octoprint', code: await codeOn(page) })
  const fresh = await after.ready
  await page.getByRole('heading', { name: 'Printer linked' }).waitFor()
  expect(page.url()).toContain(`/success/${id}/`)
  expect(fresh).not.toBe(old)
  await until(async () => !before.isConnected, 'the old agent to be cut')
  await until(async () => after.isConnected, 'the new agent to connect')
  expect(complaintsBut(workshop.owner, WRONG_PASSCODE)).toEqual([])
})
