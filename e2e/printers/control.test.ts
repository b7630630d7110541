import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { FlavourName, SimulatedPrinter } from '@vigil/simulator/index.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { expectDarkInFullScreen, expectRoomBeneath } from '../remote/room.ts'
import { complaintsBut, until } from '../support.ts'

const workshop = aWorkshop()

/** What a browser logs of a server that is away for a moment. */
const AWAY = /WebSocket connection|status of 50[23]|ERR_CONNECTION/

/** A linked printer that is connected, with its control page open. */
async function onItsPage(name: string, flavour: FlavourName): Promise<SimulatedPrinter> {
  const { page } = workshop.owner
  const { id, machine } = await workshop.linked(name, {
    flavour,
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 400 }) }],
    speed: 15,
  })
  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByRole('heading', { name }).waitFor()
  await page.getByText('Ready to print').waitFor()
  return machine
}

/** Waits until the agent was told something, from `from` on. */
async function told(machine: SimulatedPrinter, what: RegExp, from: number): Promise<void> {
  await machine.waitFor(({ kind, message }) => kind === 'received' && what.test(JSON.stringify(message)), {
    from,
  })
}

const dialog = (page: Page) => page.getByRole('dialog')

/** The server restarts, and finds its printers and pages again by itself. An agent waits the longer, the longer it was away. */
async function restarts(page: Page, machine: SimulatedPrinter): Promise<void> {
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  const reopened = page.waitForEvent('websocket')
  const from = Date.now()
  workshop.vigil.restart()
  await reopened
  await machine.waitFor(({ message }) => message['note'] === 'websocket open', { from, ms: 180_000 })
  machine.pause()
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor()
  expect(await page.evaluate(() => 'stillHere' in window), 'the page was not loaded again').toBe(true)
  expect(machine.state).toBe('paused')
}

for (const flavour of ['octoprint', 'klipper'] as const)
  test(`${flavour}: heat, move and speak G-code, then pause, resume and cancel a print, over a restart of the server`, async () => {
    workshop.evidence(`control-${flavour}`)
    const { page } = workshop.owner
    const foreign: string[] = []
    page.on('request', (request) => {
      if (/reporter/.test(request.url()) || !request.url().startsWith(workshop.vigil.address))
        foreign.push(request.url())
    })
    const machine = await onItsPage(`The ${flavour}`, flavour)

    await page.getByRole('button', { name: /Nozzle/ }).click()
    await dialog(page).getByRole('textbox', { name: 'Target in °C' }).fill('60')
    const isTold = page.getByText('Command successfully sent!').first().waitFor()
    await dialog(page).getByRole('button', { name: 'Set target' }).click()
    await isTold
    await page.getByText(/target 60.{1,3}°C/).waitFor()
    await page.getByRole('button', { name: 'Presets' }).click()
    await dialog(page).getByRole('button', { name: /^OFF/ }).click()
    await page.getByRole('button', { name: /^Nozzle.*off/ }).waitFor()

    let from = Date.now()
    await page.getByRole('button', { name: 'Move X by +10 mm' }).click()
    await told(machine, /jog|G91/, from)
    const prompt = page.getByRole('textbox', { name: 'G-code command' })
    if (flavour === 'octoprint') {
      await page.getByText('The feed is off. Turn it on').waitFor()
      await prompt.fill('m27')
      await page.keyboard.press('Enter')
      await page.getByRole('log').getByText('M27').waitFor()
      await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    }
    from = Date.now()
    await prompt.fill('m115')
    await page.keyboard.press('Enter')
    await told(machine, /M115/, from)
    await page.getByRole('log').getByText('M115').first().waitFor()

    machine.startPrint()
    await until(async () => machine.state === 'printing', 'the printer to be hot')
    const pause = page.getByRole('button', { name: 'Pause', exact: true })
    await pause.click()
    await dialog(page).getByText('Pause this print?').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    expect(machine.state, 'ESC asks for nothing').toBe('printing')
    await pause.click()
    await dialog(page).getByRole('button', { name: 'Pause print' }).click()
    await until(async () => machine.state === 'paused', 'the printer to pause')
    const resume = page.getByRole('button', { name: 'Resume', exact: true })
    await resume.click()
    await until(async () => machine.state === 'printing', 'the printer to go on')
    if (flavour === 'klipper') {
      await expectRoomBeneath(page)
      await expectDarkInFullScreen(page)
      await restarts(page, machine)
    }

    const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
    await cancel.click()
    await dialog(page).getByText('A cancelled print cannot be resumed.').waitFor()
    await dialog(page).getByRole('button', { name: 'Keep it' }).click()
    await cancel.click()
    await dialog(page).getByRole('button', { name: 'Cancel print' }).click()
    await until(async () => machine.state === 'operational', 'the print to end')
    await page.getByText('Ready to print').waitFor()
    await page.getByText('Cancelled').first().waitFor()
    await machine.stop()
    await page.getByText('This printer is offline').waitFor()
    expect(await pause.count()).toBe(0)
    expect(foreign, 'nobody else is told anything, and no code for that is loaded').toEqual([])
    expect(complaintsBut(workshop.owner, AWAY)).toEqual([])
  })

test('a printer without power says so', async () => {
  workshop.evidence('control-offline')
  const { page } = workshop.owner
  const machine = await onItsPage('Dark', 'octoprint')
  machine.setPower(false)
  await page.getByText('The printer is not connected to its agent').waitFor()
  machine.setPower(true)
  await page.getByText('Ready to print').waitFor()
  expect(complaintsBut(workshop.owner)).toEqual([])
})
