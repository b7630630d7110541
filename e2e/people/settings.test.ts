import type { SimulatedPrinter } from '@vigil/simulator/index.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, aPerson, complaintsBut, touchSwitch, until } from '../support.ts'

/** The browser logs what the journeys provoke: an empty name, a call without an answer, a revoked link, a deleted printer. */
const REFUSED = /status of 40[04]|ERR_FAILED/

const workshop = aWorkshop({ machinesStay: true })
let printerId = 0
let token = ''
let machine: SimulatedPrinter | undefined

beforeAll(async () => {
  const made = await addPrinter(workshop.owner.page, 'Ender')
  printerId = made.id
  token = made.auth_token
})

const settingsPage = () => workshop.at(`/printers/${printerId}/`)

/** Does what changes a field, and waits until the server has kept it. */
async function kept(page: Page, change: () => Promise<unknown>): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await change()
  const answer = await saved
  expect(answer.status(), await answer.text()).toBe(200)
}

/** A switch is a hidden box below its track; it shows what the server has kept. */
async function turn(box: Locator, on: boolean): Promise<void> {
  expect(await box.isChecked()).toBe(!on)
  await touchSwitch(box)
}

// Each of them: web/src/features/printers/settings/settings.test.tsx.
test('settings of each kind are kept, also over a reload', async () => {
  workshop.evidence('settings-fields')
  const { page } = workshop.owner
  await page.goto(settingsPage())
  const box = (name: string | RegExp) => page.getByRole('switch', { name })
  const text = (name: string) => page.getByRole('textbox', { name, exact: true })

  await kept(page, () => text('Name').fill('Ender in the cellar'))
  await kept(page, () => page.getByRole('radiogroup').getByText('Just notify me').click())
  await kept(page, () => page.getByRole('slider').press('ArrowRight'))
  await kept(page, () => turn(box('Turn off the hotend'), false))
  expect(await text('Retract by').inputValue(), 'what it begins with').toBe('6.5 mm')
  await kept(page, () => text('Retract by').fill('4.5'))
  await kept(page, () => page.getByLabel('If it printed for at least').first().fill('25'))
  await kept(page, () => turn(box('Make one when a print is cancelled'), false))

  await page.reload()
  await page.getByRole('heading', { name: 'Printer settings' }).waitFor()
  expect(await text('Name').inputValue()).toBe('Ender in the cellar')
  expect(await page.getByRole('radio', { name: 'Just notify me' }).isChecked()).toBe(true)
  expect(await page.getByRole('slider').getAttribute('aria-valuenow')).toBe('1.05')
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe('Medium (1.05)')
  expect(await box('Turn off the hotend').isChecked()).toBe(false)
  expect(await text('Retract by').inputValue()).toBe('4.5 mm')
  expect(await page.getByLabel('If it printed for at least').first().inputValue()).toBe('25 min')
  expect(await box('Make one when a print is cancelled').isChecked()).toBe(false)

  await kept(page, () => turn(box('Watch my prints'), false))
  await page.reload()
  await page.getByText('Turn on watching to change this.').first().waitFor()
  expect(await box('Watch my prints').isChecked()).toBe(false)
  await kept(page, () => turn(box('Watch my prints'), true))
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})

test('a link shows the camera to whoever has it, until it is revoked', async () => {
  const viewer = await aPerson({ viewport: { width: 390, height: 844 } })
  workshop.evidence('settings-shared', viewer)
  const { page } = workshop.owner
  machine = workshop.machine({ token, picEverySeconds: 0.5, speed: 4 })
  await machine.ready
  await page.goto(`${settingsPage()}control/`)
  await page.getByText('Ready to print').waitFor()
  machine.startPrint()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Share the camera of Ender' }).click()
  const dialog = page.getByRole('dialog')
  await turn(dialog.getByRole('switch', { name: 'Share this camera' }), true)
  const address = await dialog.getByRole('textbox', { name: 'Address of Default link' }).inputValue()
  expect(address.startsWith(workshop.vigil.address)).toBe(true)

  await viewer.page.goto(address)
  await viewer.page.getByRole('heading', { name: 'Ender' }).waitFor()
  const picture = viewer.page.getByRole('img', { name: 'Shared camera of Ender' })
  await picture.waitFor()
  await until(
    () => picture.evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth > 0),
    'the picture to be drawn',
  )
  expect(await viewer.page.getByText(/Pause|Nozzle|Terminal/).count(), 'the camera and nothing else').toBe(0)

  await dialog.getByRole('button', { name: 'Revoke Default link' }).click()
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await viewer.page.getByText('This camera is not shared any more').waitFor()
  expect(await picture.count()).toBe(0)
  await viewer.page.reload()
  await viewer.page.getByText('This camera is not shared any more').waitFor()
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
  expect(complaintsBut(viewer, REFUSED)).toEqual([])
  await viewer.close()
})

test('a printer is deleted only when its name was typed', async () => {
  workshop.evidence('settings-delete')
  const { page } = workshop.owner
  await page.goto(settingsPage())
  await page.getByRole('button', { name: 'Delete printer' }).click()
  const dialog = page.getByRole('dialog')
  const action = dialog.getByRole('button', { name: 'Delete printer' })
  await dialog.getByRole('textbox').fill('Enter')
  expect(await action.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('Ender in the cellar')
  await action.click()
  await page.getByRole('heading', { name: 'No printers yet' }).waitFor()
  await until(async () => machine?.isConnected === false, 'the agent to be cut')
  await page.goto(settingsPage())
  await page.getByRole('heading', { name: 'Deleted' }).waitFor()
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})
