import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, until } from '../support.ts'

const workshop = aWorkshop()
const isSlicerThere = spawnSync('prusa-slicer', ['--help']).status === 0

test.skipIf(!isSlicerThere)(
  'from the catalogue to a print: a design is found, sliced for the printer that is linked, and printed',
  async () => {
    const { page } = workshop.owner
    workshop.evidence('slicing')
    const { machine } = await workshop.linked('Ender 3 V2', { speed: 4, timeScale: 10 })
    await page.goto(workshop.at('/ent/designs/'))
    await page.getByRole('searchbox', { name: 'Search models' }).fill('calibration cube')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^Calibration cube, 20.mm/ }).click()
    await page.getByRole('button', { name: 'Slice', exact: true }).click()
    const files = page.getByRole('dialog', { name: 'File Selection' })
    await files.getByRole('checkbox', { name: 'Select all' }).check()
    await files.getByRole('button', { name: 'Slice (1)' }).click()

    // Nothing was ever chosen: the printers open, this one's own first.
    const printers = page.getByRole('dialog', { name: 'Please Select a Printer' })
    await printers.getByRole('button', { name: /^Ender 3 V2/ }).click()
    await printers.getByRole('button', { name: 'Confirm' }).click()
    await page
      .getByRole('button', { name: /Filament/ })
      .first()
      .waitFor()
    await page
      .getByText(/20 × 20 × 20.mm/)
      .first()
      .waitFor()
    await page.getByRole('switch', { name: 'Stay here afterwards' }).check()
    await page.getByRole('button', { name: 'Slice', exact: true }).click()
    await page.getByRole('heading', { name: /^Calibration cube, 20.mm\.gcode/ }).waitFor()
    await page.getByText('Filament', { exact: true }).last().waitFor()
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Print this file' })
    await dialog.getByRole('radio', { name: /Ender 3 V2/ }).check()
    await dialog.getByRole('button', { name: 'Print on Ender 3 V2' }).click()
    await until(async () => machine.state === 'printing' || undefined, 60_000, 'the print')
    expect(complaintsBut(workshop.owner)).toEqual([])
  },
)

test.skipIf(!isSlicerThere)(
  'a mesh that is none is refused beside the button; a slicing is cancelled',
  async () => {
    const { page } = workshop.owner
    await page.goto(workshop.at('/ent/slice_settings/'))
    const field = page.locator('input[type=file][accept*=".stl"]').first()
    await field.setInputFiles({ name: 'bad.stl', mimeType: 'model/stl', buffer: Buffer.from('not a mesh') })
    await page
      .getByRole('alert')
      .getByText(/bad\.stl/)
      .waitFor()

    await page.goto(workshop.at('/ent/designs/16/'))
    await page.getByRole('button', { name: 'Slice', exact: true }).click()
    const files = page.getByRole('dialog', { name: 'File Selection' })
    await files.getByRole('checkbox', { name: 'Select all' }).check()
    await files.getByRole('button', { name: 'Slice (1)' }).click()
    await page.getByRole('heading', { name: 'Slice', exact: true }).waitFor()
    await page.getByLabel('Layer height').fill('0.05')
    await page.getByRole('button', { name: 'Slice', exact: true }).click()
    const running = page.getByRole('dialog', { name: 'Please Wait..' })
    await running.getByRole('button', { name: 'Cancel' }).click()
    await running.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Slice', exact: true }).waitFor()
  },
)
