import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, touchSwitch, until, closeToast } from '../support.ts'

const workshop = aWorkshop()

/** A linked printer, its control page open and its first report there. */
async function openControls(flavour: 'klipper' | 'octoprint') {
  const { page } = workshop.owner
  const passed: string[] = []
  const { id, machine } = await workshop.linked(`The ${flavour} one`, {
    flavour,
    seed: 5,
    timeScale: 20,
    speed: 20,
    withoutPictures: true,
  })
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { passthru } = JSON.parse(String(payload)) as { passthru?: { func: string } }
      if (passthru) passed.push(passthru.func)
    }),
  )
  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByRole('heading', { name: 'Printer controls' }).waitFor()
  return { id, machine, passed }
}

const expectSent = () => closeToast(workshop.owner.page, 'Command successfully sent!', 'Close')

test('Klipper: jog and home, heat and cool, the offset read back, the terminal, the order of widgets', async () => {
  workshop.evidence('toolhead-klipper')
  const { page } = workshop.owner
  const { id, passed } = await openControls('klipper')

  await page.getByRole('radiogroup', { name: 'Step, mm' }).getByText('50', { exact: true }).click()
  await page.getByRole('button', { name: 'Move X by +50 mm' }).click()
  await expectSent()
  await page.getByRole('button', { name: 'Home all' }).click()
  await expectSent()

  await page.getByRole('button', { name: /^Nozzle/ }).click()
  await page.getByRole('dialog').getByLabel('Target in °C').last().fill('200')
  await page.getByRole('button', { name: 'Set target' }).click()
  await expectSent()
  await page.getByRole('button', { name: /^Nozzle.*target 200.{1,3}°C/ }).waitFor()
  await page.reload()
  await page.getByRole('img', { name: /Temperatures of the last 30 minutes: Nozzle/ }).waitFor()
  await until(
    async () => (await page.locator('figure path').first().getAttribute('d'))?.includes('L'),
    'a line that was there before the reload',
  )
  expect(await page.getByRole('radio', { name: '50', exact: true }).isChecked()).toBe(true)

  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^OFF/ }).click()
  await expectSent()
  await page.getByRole('button', { name: /^Nozzle.*off/ }).waitFor()

  await page.getByRole('button', { name: 'Baby step Z' }).click()
  const offset = page.getByRole('region', { name: 'Baby step Z' }).getByRole('status')
  const tells = (text: string) =>
    until(async () => (await offset.innerText()).replaceAll('\u2060', '').includes(text), text)
  await tells('0.000\u2009mm')
  await page.getByRole('button', { name: 'Nozzle up' }).click()
  await tells('+0.010\u2009mm')
  await page.getByRole('button', { name: 'Nozzle down' }).click()
  await page.getByRole('button', { name: 'Nozzle down' }).click()
  await tells('−0.010\u2009mm')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Nozzle up' }).waitFor({ state: 'detached' })

  const prompt = page.getByLabel('G-code command')
  await prompt.fill('m115')
  await prompt.press('Enter')
  await page.getByRole('log').getByText('FIRMWARE_NAME:Klipper').waitFor()
  expect(await page.getByRole('log').innerText()).toContain('M115')
  await prompt.press('ArrowUp')
  expect(await prompt.inputValue()).toBe('M115')

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reorder/hide widgets' }).click()
  await page.getByRole('button', { name: 'Move Printer controls up' }).click()
  await touchSwitch(page.getByRole('switch', { name: 'Show Failure detection' }))
  await page.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Printer controls' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Failure detection' }).count()).toBe(0)
  const kept = await page.evaluate((key) => localStorage.getItem(key), `printer-control-widgets-${id}`)
  expect(JSON.parse(kept ?? '[]')).toContainEqual({ id: 3, enabled: false })
  expect(passed).toEqual(expect.arrayContaining(['jog', 'home', 'set_temperature', 'printer/gcode/script']))
  expect(complaintsBut(workshop.owner)).toEqual([])
}, 180_000)

test('OctoPrint: extruding is refused cold, then heated; moving is off while printing', async () => {
  workshop.evidence('toolhead-octoprint')
  const { page } = workshop.owner
  const { machine } = await openControls('octoprint')
  // Its offset could not be read back.
  await page.getByRole('button', { name: 'Tune' }).waitFor()
  expect(await page.getByRole('button', { name: 'Baby step Z' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Extrude', exact: true }).click()
  const push = page
    .getByRole('region', { name: 'Extrude' })
    .getByRole('button', { name: 'Extrude', exact: true })
  await push.click()
  await page.getByRole('dialog', { name: 'Unable to extrude / retract' }).waitFor()
  await page.getByRole('button', { name: /^Heat to 180.{1,3}°C$/ }).click()
  await expectSent()
  // Not at the very edge, where the next report may lie below it.
  await page.getByText(/Nozzle is at (179\.[5-9]|180\.\d).{1,3}°C/).waitFor({ timeout: 90_000 })
  await push.click()
  await expectSent()

  const feed = page.getByRole('switch', { name: 'Feed' })
  await feed.click()
  await until(() => feed.isChecked(), 'the feed to be on')
  const prompt = page.getByLabel('G-code command')
  await prompt.fill('m115')
  await prompt.press('Enter')
  await page
    .getByRole('log')
    .getByText(/Send:.*M115/)
    .waitFor()
  await page.getByRole('link', { name: 'Full screen' }).click()
  await page.getByRole('heading', { name: /^Terminal/ }).waitFor()
  await page
    .getByRole('log')
    .getByText(/Send:.*M115/)
    .waitFor()
  await page.getByRole('link', { name: /^Back to/ }).click()

  expect(machine.startPrint()).toBe(true)
  await page.getByText('Moving and extruding are off while printing.').waitFor()
  expect(await page.getByRole('button', { name: 'Move head' }).isDisabled()).toBe(true)
  expect(complaintsBut(workshop.owner)).toEqual([])
}, 180_000)
