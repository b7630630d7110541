import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, complaintsBut, touchSwitch, until, walkTo } from '../support.ts'

const workshop = aWorkshop({ machinesStay: true })
let printerId = 0

beforeAll(async () => {
  const { page } = workshop.owner
  await addPrinter(page, 'Prusa, not linked')
  const voron = await workshop.linked('Voron', {
    files: [{ path: 'vase.gcode', text: vaseGcode({ layers: 3000 }) }],
    speed: 40,
    // it heats, pauses and goes on at once
    timeScale: 20,
    // one shows what a picture's keys are for
    picEverySeconds: 1200,
    print: true,
  })
  printerId = voron.id
})

const dialog = () => workshop.owner.page.getByRole('dialog')

/** The job's button, when it may be pressed. */
const job = (word: string) =>
  workshop.owner.page
    .getByRole('button', { name: new RegExp(`^(${word})$`) })
    .and(workshop.owner.page.locator(':enabled'))

async function onControlPage(): Promise<void> {
  await walkTo(workshop.owner.page, `/printers/${printerId}/control/`)
  await job('Pause|Resume').waitFor()
}

const focused = () => workshop.owner.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

/** Keys are heard one after the other: what an earlier one had opened would stand there, too, and this one would rest. */
async function opensOnlyTheList(): Promise<void> {
  await workshop.owner.page.keyboard.press('?')
  await dialog().getByText('On this page').waitFor()
  expect(await dialog().count()).toBe(1)
  await workshop.owner.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
}

test('the keys of a page are listed under ?, and each asks what its button asks, or more', async () => {
  workshop.evidence('keyboard-keys')
  const { page } = workshop.owner
  await onControlPage()
  // While it heats it would take its time to pause.
  await page.getByText('Layer', { exact: true }).waitFor()
  await page.keyboard.press('?')
  await dialog().getByText('On this page').waitFor()
  expect(await dialog().locator('dt').allTextContents()).toEqual([
    'Pause or resume the print',
    'Cancel the print',
    'Mute or unmute failure alerts',
    'Full screen',
    'Play or stop the video',
    'Save the picture',
    'Turn the picture',
    'Open the terminal',
    "Go to this printer's settings",
    'Show these shortcuts',
    'Search everything (also Ctrl K)',
    'Go to the printers',
    'Go to the preferences',
  ])
  // Keys rest while a dialog is open: once this one is closed, none is left.
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })

  for (const [key, title, action] of [
    ['p', 'Pause this print?', 'Pause print'],
    ['c', 'Cancel this print?', 'Cancel print'],
    ['m', 'Mute failure alerts for this print?', 'Mute alerts'],
  ] as const) {
    await page.keyboard.press(key)
    await dialog().getByText(title).waitFor()
    await dialog().getByRole('button', { name: action }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
  }
  expect(await page.getByRole('button', { name: 'Mute for this print' }).isVisible()).toBe(true)

  await page.keyboard.press('p')
  await dialog().getByRole('button', { name: 'Pause print' }).click()
  await job('Resume').waitFor()
  await page.keyboard.press('p')
  await dialog().getByText('Resume this print?').waitFor()
  await dialog().getByRole('button', { name: 'Resume print' }).click()
  await job('Pause').waitFor()

  await page.keyboard.press('f')
  await until(() => page.evaluate(() => document.fullscreenElement !== null), 'full screen')
  await page.keyboard.press('f')
  await until(() => page.evaluate(() => document.fullscreenElement === null), 'no full screen')
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('keys lead from page to page', async () => {
  workshop.evidence('keyboard-ways')
  const { page } = workshop.owner
  await onControlPage()
  const at = (path: string) => page.waitForURL(workshop.at(path))
  await page.keyboard.press('t')
  await at(`/printers/${printerId}/terminal/`)
  await page.getByRole('heading', { name: 'Terminal' }).waitFor()
  await page.locator('body').press('g')
  await page.keyboard.press('c')
  await at(`/printers/${printerId}/control/`)
  await page.getByText('Nozzle').first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await at(`/printers/${printerId}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await at('/printers/')
})

test('letters that are typed, held with a modifier or switched off do nothing, over a load; Pause is ten stops from its top', async () => {
  workshop.evidence('keyboard-silent')
  const { page } = workshop.owner
  await onControlPage()
  await page
    .getByRole('textbox', { name: /command/i })
    .first()
    .pressSequentially('?pmgl')
  expect(await dialog().count()).toBe(0)
  await page.getByRole('heading', { level: 1 }).click()
  await opensOnlyTheList()
  expect(page.url()).toContain('/control/')

  for (const modifier of ['Control', 'Alt', 'Meta']) await page.keyboard.press(`${modifier}+m`)
  await opensOnlyTheList()

  const openList = async () => {
    await page.locator('aside button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await dialog().getByRole('switch').waitFor({ state: 'attached' })
  }
  await openList()
  await touchSwitch(dialog().getByRole('switch'))
  await dialog().getByText('Shortcuts are off.').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  for (const key of ['?', 'p', 'm']) await page.keyboard.press(key)
  // Below a dialog that a key had opened the menu could not be reached.
  await openList()
  expect(await dialog().count()).toBe(1)
  await page.reload()
  await job('Pause').waitFor()
  const stops: string[] = []
  for (let stop = 0; stop < 10 && stops.at(-1) !== 'Pause'; stop++) {
    await page.keyboard.press('Tab')
    stops.push(await focused())
    if (stops.at(-1) !== 'Skip to the content') continue
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id), 'past the places').toBe('main')
  }
  expect(stops).toContain('Pause')
  await page.keyboard.press('p')
  await openList()
  await dialog().getByText('Shortcuts are off.').waitFor()
  expect(await dialog().count(), 'off over a reload').toBe(1)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
})

test('one Escape closes the question, not the dialog that asked it', async () => {
  workshop.evidence('keyboard-escape')
  const { page } = workshop.owner
  await onControlPage()
  const opener = page.getByRole('button', { name: 'Share the camera of Voron' })
  await opener.click()
  const share = page.getByRole('dialog', { name: 'Share the camera of Voron' })
  await touchSwitch(share.getByRole('switch'))
  const revoke = share.getByRole('button', { name: 'Revoke' }).first()
  await revoke.click()
  const question = page.getByRole('dialog', { name: /^Revoke/ })
  const hasFocus = (button: Locator) => button.evaluate((one) => one === document.activeElement)
  // Twice: the dialog still stands, and asks again.
  for (const ask of [async () => {}, () => revoke.click()]) {
    await ask()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    await until(() => hasFocus(revoke), 'the focus to go back to what asked')
  }
  expect(await share.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await share.waitFor({ state: 'hidden' })
  await until(() => hasFocus(opener), 'the focus is where the dialog was opened')
})

test('a way to another page leads the focus to its heading', async () => {
  workshop.evidence('keyboard-headings')
  const { page } = workshop.owner
  await page.goto(workshop.at('/printers/'))
  await page.getByRole('heading', { name: 'Printers', level: 1 }).waitFor()
  expect(await page.evaluate(() => document.activeElement === document.body), 'not by a load').toBe(true)
  const arrivedAt = async (heading: string) => {
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await until(async () => (await focused()) === heading, `the focus on ${heading}`)
  }
  await page.getByRole('link', { name: 'Voron', exact: true }).press('Enter')
  await arrivedAt('Voron')
  await page.getByRole('link', { name: 'Back to all printers' }).press('Enter')
  await arrivedAt('Printers')
  await page.getByRole('link', { name: 'Preferences' }).first().click()
  // On a wide page the first section stands beside the list of all.
  await arrivedAt('General')
  await page.goBack()
  await arrivedAt('Printers')
  // The next stop is what the page begins with.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('the focus stays with what is reordered, and goes back to where that was opened', async () => {
  workshop.evidence('keyboard-reorder')
  const { page } = workshop.owner
  await onControlPage()
  const more = page.getByRole('button', { name: 'More' })
  const hasFocus = (button: Locator) => button.evaluate((one) => one === document.activeElement)
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Reorder/hide widgets' }).press('Enter')
  const up = dialog().getByRole('button', { name: 'Move Temperatures up' })
  const down = dialog().getByRole('button', { name: 'Move Temperatures down' })
  for (const button of [up, down, up, down]) {
    const told = await dialog().getByRole('status').innerText()
    await button.press('Enter')
    await until(async () => (await dialog().getByRole('status').innerText()) !== told, 'the row to move')
    expect(await hasFocus(button)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await until(() => hasFocus(more), 'the focus on what opened the menu')
})
