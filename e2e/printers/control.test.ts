import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { FlavourName, SimulatedPrinter } from '@vigil/simulator/index.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop, QUICK, SCALE } from '../fixture.ts'
import { complaintsBut, until } from '../support.ts'

const workshop = aWorkshop({ env: QUICK })

/** A linked printer that is connected, with its control page open. */
async function onItsPage(name: string, flavour: FlavourName): Promise<SimulatedPrinter> {
  const { page } = workshop.owner
  const { id, machine } = await workshop.linked(name, {
    flavour,
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 400 }) }],
    speed: 15,
    picEverySeconds: 10 / SCALE,
  })
  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByRole('heading', { name }).waitFor()
  await page.getByText('Ready to print').waitFor()
  return machine
}

/** Waits until the agent was told something, from `from` on. */
async function told(machine: SimulatedPrinter, what: RegExp, from: number): Promise<void> {
  await machine.waitFor(
    ({ kind, message }) => kind === 'received' && what.test(JSON.stringify(message)),
    15_000,
    from,
  )
}

const dialog = (page: Page) => page.getByRole('dialog')

for (const flavour of ['octoprint', 'klipper'] as const)
  test(`${flavour}: heat, move and speak G-code, then pause, resume and cancel a print`, async () => {
    workshop.evidence(`control-${flavour}`)
    const { page } = workshop.owner
    const machine = await onItsPage(`The ${flavour}`, flavour)

    await page.getByRole('button', { name: /Nozzle/ }).click()
    await dialog(page).getByRole('textbox', { name: 'Target in °C' }).fill('60')
    const isTold = page.getByText('Command successfully sent!').first().waitFor()
    await dialog(page).getByRole('button', { name: 'Set target' }).click()
    await isTold
    await page.getByText(/target 60.{1,3}°C/).waitFor()

    let from = machine.events.length
    await page.getByRole('button', { name: 'Move X by +10 mm' }).click()
    await told(machine, /jog|G91/, from)
    if (flavour === 'octoprint') {
      await page.getByText('The feed is off. Turn it on').waitFor()
      await page.getByRole('textbox', { name: 'G-code command' }).fill('m27')
      await page.keyboard.press('Enter')
      await page.getByRole('log').getByText('M27').waitFor()
      await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    }
    from = machine.events.length
    await page.getByRole('textbox', { name: 'G-code command' }).fill('m115')
    await page.keyboard.press('Enter')
    await told(machine, /M115/, from)
    await page.getByRole('log').getByText('M115').first().waitFor()

    machine.startPrint()
    await until(async () => machine.state === 'printing', 60_000, 'the printer to be hot')
    const pause = page.getByRole('button', { name: 'Pause', exact: true })
    await pause.click()
    await dialog(page).getByText('Pause this print?').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    expect(machine.state, 'ESC asks for nothing').toBe('printing')
    await pause.click()
    await dialog(page).getByRole('button', { name: 'Pause print' }).click()
    await until(async () => machine.state === 'paused', 20_000, 'the printer to pause')
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await until(async () => machine.state === 'printing', 20_000, 'the printer to go on')

    const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
    await cancel.click()
    await dialog(page).getByText('A cancelled print cannot be resumed.').waitFor()
    await dialog(page).getByRole('button', { name: 'Keep it' }).click()
    await cancel.click()
    await dialog(page).getByRole('button', { name: 'Cancel print' }).click()
    await until(async () => machine.state === 'operational', 20_000, 'the print to end')
    await page.getByText('Ready to print').waitFor()
    await page.getByText('Cancelled').first().waitFor()
    expect(complaintsBut(workshop.owner)).toEqual([])
  })

test('a camera that stands still is never called watched', async () => {
  workshop.evidence('control-frozen')
  const { page } = workshop.owner
  const machine = await onItsPage('Still', 'octoprint')
  machine.startPrint()
  await page.getByText('Looking good').waitFor({ timeout: 60_000 })
  machine.freezeCamera()
  await page.getByText("Can't watch").first().waitFor({ timeout: 60_000 })
  await page.getByText('A failure would not be noticed now.').waitFor()
  machine.freezeCamera(false)
  await page.getByText('Looking good').waitFor({ timeout: 60_000 })
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('a restarted server finds its printers and pages again by itself', async () => {
  workshop.evidence('control-restart')
  const { page } = workshop.owner
  const machine = await onItsPage('Steady', 'klipper')
  machine.startPrint()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  const reopened = page.waitForEvent('websocket', { timeout: 60_000 })
  workshop.vigil.restart()
  await reopened
  await until(async () => machine.isConnected, 60_000, 'the agent to connect again')
  machine.pause()
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor({ timeout: 60_000 })
  expect(await page.evaluate(() => 'stillHere' in window), 'the page was not loaded again').toBe(true)
  expect(machine.state).toBe('paused')
  expect(complaintsBut(workshop.owner, /WebSocket connection|status of 50[23]|ERR_CONNECTION/)).toEqual([])
})

test('a printer without power and one without an agent say so', async () => {
  workshop.evidence('control-offline')
  const { page } = workshop.owner
  const machine = await onItsPage('Dark', 'octoprint')
  machine.setPower(false)
  await page.getByText('The printer is not connected to its agent').waitFor()
  machine.setPower(true)
  await page.getByText('Ready to print').waitFor()
  await machine.stop()
  await page.getByText('This printer is offline').waitFor({ timeout: 60_000 })
  expect(await page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0)
  expect(complaintsBut(workshop.owner)).toEqual([])
})
