import { vaseGcode } from '@vigil/simulator/gcode.ts'
import type { FlavourName } from '@vigil/simulator/index.ts'
import { beforeAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, storeGcode, until, walkTo } from '../support.ts'

const workshop = aWorkshop({ machinesStay: true })
const GCODE = vaseGcode({ layers: 80, nozzle: 60, bed: 40 })
const LYING = 'sub/on the printer.gcode'
const BESIDE = 'sub/beside it.gcode'
const made: Partial<Record<FlavourName, Awaited<ReturnType<typeof workshop.linked>>>> = {}

beforeAll(async () => {
  for (const flavour of ['octoprint', 'klipper'] as const)
    made[flavour] = await workshop.linked(`My ${flavour}`, {
      flavour,
      speed: 4,
      timeScale: 10,
      withoutPictures: true,
      files: [LYING, BESIDE].map((path) => ({ path, text: GCODE })),
    })
})

test.each(['octoprint', 'klipper'] as const)(
  'a file of the cloud is printed on %s: chosen, confirmed, told to the first layer',
  async (flavour) => {
    const { page } = workshop.owner
    workshop.evidence(`cloudprint-${flavour}`)
    const { id, machine } = made[flavour]!
    const file = await storeGcode(page, `vase for ${flavour}.gcode`, GCODE)
    await page.goto(workshop.at(`/g_code_files/cloud/${file}/`))
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Print this file' })
    const choice = dialog.getByRole('radio', { name: new RegExp(`My ${flavour}`) })
    await until(async () => (await choice.isEnabled()) || undefined, 'the choice of the printer')
    await choice.check()
    await dialog.getByRole('button', { name: `Print on My ${flavour}` }).click()
    await page.getByText('On its way to the printer').waitFor()
    await page.goto(workshop.at(`/printers/${id}/control/`))
    await page.getByText(`vase for ${flavour}.gcode`, { exact: false }).first().waitFor()
    await page.goto(workshop.at(`/g_code_files/cloud/${file}/`))
    await page.getByRole('link', { name: 'Open the print' }).waitFor()
    await until(async () => machine.state === 'printing', 'the print')

    // On this printer, busy now, it can't be started: it is folded behind the free one, with the reason.
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    await dialog.getByText('1 other that is not free or may not fit').click()
    await dialog.getByText('It is busy.').first().waitFor()
    await choice.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(machine.cancel()).toBe(true)
    await until(async () => machine.state === 'operational', 'an idle printer')
  },
)

test.each(['octoprint', 'klipper'] as const)(
  'files on %s are looked through, printed, deleted',
  async (flavour) => {
    const { page } = workshop.owner
    workshop.evidence(`printerfiles-${flavour}`)
    const { id, machine } = made[flavour]!
    await page.goto(workshop.at(`/g_code_folders/local/${id}/`))
    await page.getByRole('link', { name: 'sub', exact: true }).click()
    await page.getByRole('link', { name: 'on the printer.gcode' }).waitFor()
    const search = page.getByRole('searchbox')
    await search.fill('nowhere')
    await page.getByText('Nothing is called like that').waitFor()
    await search.fill('PRINTER')
    await page.getByRole('link', { name: 'on the printer.gcode' }).click()
    await page.getByText('This file is not in the cloud.').waitFor()
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
    await page.waitForURL(`**/printers/${id}/control/`)
    await until(async () => machine.state === 'printing', 'the print')
    // Its server has heard that, too.
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()

    // What is being printed stays.
    const refused = await page.evaluate(
      async ([printer, path]) => {
        const answer = await fetch(`/api/v1/printers/${printer}/delete_file/`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
          body: JSON.stringify({ path }),
        })
        return ((await answer.json()) as { reason: string }).reason
      },
      [id, LYING] as const,
    )
    expect(refused).toBe('in_use')
    expect(machine.cancel()).toBe(true)
    await until(async () => machine.state === 'operational', 'an idle printer')
    await walkTo(page, `/g_code_files/local/${id}/${encodeURIComponent(LYING)}/`)
    await page.getByText('Cancelled').first().waitFor()
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(`**/g_code_folders/local/${id}/sub/`)
    expect(machine.removeFile(LYING)).toBe(false)
  },
)

test('an idle printer has its file chosen: one that lies on it, one of the cloud, one that is uploaded for it', async () => {
  const { page } = workshop.owner
  workshop.evidence('filepicker')
  const { id, machine } = made.klipper!
  await storeGcode(page, 'chosen in the cloud.gcode', GCODE)
  await page.goto(workshop.at('/g_code_folders/cloud/'))
  const places = page.getByRole('navigation', { name: 'Where files lie' })
  await places.getByRole('link', { name: 'My octoprint' }).waitFor()
  await page.getByRole('link', { name: 'chosen in the cloud.gcode' }).waitFor()
  await places.getByRole('link', { name: 'My klipper' }).click()
  await page.waitForURL(`**/g_code_folders/local/${id}/`)
  await places.getByRole('link', { name: 'Cloud' }).click()
  await page.waitForURL('**/g_code_folders/cloud/')

  await page.getByRole('link', { name: 'Printers' }).first().click()
  await page.getByRole('link', { name: 'My klipper' }).first().click()
  await page.waitForURL(`**/printers/${id}/control/`)
  const choose = page.getByRole('button', { name: 'Choose a file to print' })
  await choose.click()
  const picker = page.getByRole('dialog', { name: 'Print on My klipper' })
  await picker.getByText('Files on the printer').click()
  await picker.getByRole('button', { name: 'sub' }).click()
  await picker.getByRole('button', { name: 'beside it.gcode' }).click()
  await page.getByRole('dialog', { name: 'Print this file?' }).getByRole('button', { name: 'Print' }).click()
  await until(async () => machine.state === 'printing', 'the print')
  await picker.waitFor({ state: 'detached' })
  expect(machine.cancel()).toBe(true)

  await choose.click()
  await picker.getByRole('button', { name: 'chosen in the cloud.gcode' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print this file' })
  await dialog.getByText('chosen in the cloud.gcode').waitFor()
  // Asked for on this printer, of it alone.
  await dialog.getByRole('radio').waitFor()
  expect(await dialog.getByRole('radio').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await picker.locator('input[type=file]').setInputFiles({
    name: 'uploaded for it.gcode',
    mimeType: 'text/plain',
    buffer: Buffer.from(GCODE),
  })
  await dialog.getByText('uploaded for it.gcode').waitFor()
  await dialog.getByRole('button', { name: 'Print on My klipper' }).click()
  await until(async () => machine.state === 'printing', 'the print')
  expect(machine.cancel()).toBe(true)
})

test('nothing of that brought a complaint but what was refused on purpose', () => {
  expect(complaintsBut(workshop.owner, /status of 409/)).toEqual([])
})
