import { spawnSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { boxProject } from '../../server/test/project.ts'
import { aWorkshop } from '../fixture.ts'
import { type Look, LOOKS, type wordsIn } from '../looks.ts'
import { complaintsBut, until } from '../support.ts'

const workshop = aWorkshop()
const isSlicerThere = spawnSync('prusa-slicer', ['--help']).status === 0
/** Both widths in both languages. */
const FOUR = [LOOKS.octoprintPhone, LOOKS.klipperDesk, LOOKS.octoprintNight, LOOKS.klipperPocket]
const HOW = { skip: !isSlicerThere, timeout: 180_000 }

type Say = ReturnType<typeof wordsIn>
const name = ({ width, language }: Look) => `${width}-${language}`

const sliceButton = (page: Page, say: Say) =>
  page.getByRole('button', { name: say('slicing:slice'), exact: true })
const upload = (page: Page, filename: string, buffer: Buffer) =>
  page
    .locator('input[type=file][accept*=".stl"]')
    .first()
    .setInputFiles({ name: filename, mimeType: 'model/stl', buffer })

/** One of the linked printers is confirmed. Where nothing was ever chosen they open by themselves. */
async function confirmPrinter(page: Page, say: Say, printer: string): Promise<void> {
  const kept = await page.request.get(workshop.at('/ent/api/slicer/user_slice_settings/default/'))
  const isFirst = ((await kept.json()) as { machine: object | null }).machine === null
  const settings = page.getByRole('dialog', { name: say('slicing:settingsTitle') })
  if (!isFirst) {
    await page.getByRole('button', { name: new RegExp(`^${say('slicing:profile')}`) }).click()
    await settings.getByRole('button', { name: new RegExp(`^${say('slicing:printer')}`) }).click()
  }
  const printers = page.getByRole('dialog', { name: say('slicing:selectPrinter') })
  await printers.waitFor()
  expect(page.url()).toContain('machine_selection_sheet=open')
  await printers.getByRole('button', { name: new RegExp(`^${printer}`) }).click()
  await printers.getByRole('button', { name: say('slicing:confirm') }).click()
  await printers.waitFor({ state: 'detached' })
  if (!isFirst) {
    await settings.waitFor()
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
  }
  expect(page.url()).not.toContain('sheet')
}

const chooseAgain = (page: Page) =>
  page.evaluate(async () => {
    const path = '/ent/api/slicer/'
    const brands = (await (await fetch(`${path}machine_models/`)).json()) as {
      machine_models: { machines: Record<string, { id: number }>[] }[]
    }[]
    const machines = brands.flatMap((brand) => brand.machine_models.flatMap((model) => model.machines))
    const one = machines.find(({ name: said }) => String(said).includes('Ender-3 V2 (0.4'))!
    const body = {
      machine_id: one['id'],
      filament_id: one['default_filament']!.id,
      print_process_id: one['default_print_process']!.id,
    }
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${path}user_slice_settings/default/`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  })

test.each(inSuite([FOUR[0]!], FOUR))(
  'from the catalogue to a print, at $width px in $language: a design is found, sliced for the linked printer, printed',
  HOW,
  async (look) => {
    const { person, page, say } = await workshop.ownerAt(look, `slicing-${name(look)}`)
    const printer = `Ender 3 V2 ${name(look)}`
    const { machine } = await workshop.linked(printer, { flavour: look.flavour, speed: 4, timeScale: 10 })
    await page.goto(workshop.at('/ent/designs/'))
    const cube = look.language === 'zh' ? '校准方块' : 'Calibration cube'
    await page.getByRole('searchbox', { name: say('designs:search') }).fill(cube)
    await page.keyboard.press('Enter')
    await page
      .getByRole('link', { name: new RegExp(cube) })
      .first()
      .click()
    await page.getByRole('button', { name: say('designs:slice'), exact: true }).click()
    const files = page.getByRole('dialog', { name: say('designs:selection') })
    await files.getByRole('checkbox', { name: say('designs:all') }).check()
    await files.getByRole('button', { name: say('designs:sliceCount', { n: 1 }) }).click()

    await confirmPrinter(page, say, printer)
    await page.getByText('20 × 20 × 20 mm').first().waitFor()
    await page.getByRole('switch', { name: say('slicing:stay') }).check()
    await sliceButton(page, say).click()
    await page.getByRole('heading', { name: new RegExp(`${cube}.*gcode$`) }).waitFor()
    await page.getByText(say('slicing:estimate'), { exact: true }).waitFor()
    await page.getByRole('button', { name: say('cloud-prints:print'), exact: true }).click()
    const dialog = page.getByRole('dialog', { name: say('cloud-prints:dialog.title') })
    await dialog.getByRole('radio', { name: new RegExp(printer) }).check()
    await dialog.getByRole('button', { name: say('cloud-prints:dialog.printOn', { name: printer }) }).click()
    await until(async () => machine.state === 'printing' || undefined, 'the print')
    expect(machine.cancel()).toBe(true)
    expect(complaintsBut(person)).toEqual([])
  },
)

test.each(FOUR)(
  'own project, bad mesh, cancelled, at $width px in $language: one is sliced and shown, one refused, one ended',
  HOW,
  async (look) => {
    const { person, page, say } = await workshop.ownerAt(look, `own-${name(look)}`)
    await page.goto(workshop.at('/ent/slice_settings/'))
    await chooseAgain(page)
    await page.goto(workshop.at('/ent/slice_settings/'))
    await upload(page, 'bad.stl', Buffer.from('not a mesh'))
    await page
      .getByRole('alert')
      .getByText(/bad\.stl/)
      .waitFor()

    await upload(page, 'Own box.3mf', boxProject())
    await page.getByText('20 × 20 × 20 mm').first().waitFor()
    await page.getByRole('button', { name: say('slicing:tool.cut') }).click()
    await page.getByRole('button', { name: say('slicing:cut.run') }).click()
    // Models of other journeys stand beside the plate.
    const plate = page.getByRole('list', { name: say('slicing:plateTitle') })
    await plate.getByText('20 × 20 × 10 mm').nth(1).waitFor()
    await page.getByRole('button', { name: say('slicing:undo') }).click()
    await plate.getByText('20 × 20 × 20 mm').waitFor()
    await sliceButton(page, say).click()
    await page.getByText(say('slicing:redirecting')).waitFor()
    await page.waitForURL(/\/g_code_files\/cloud\/\d+\//)
    await page.getByText('Own box.gcode').first().waitFor()

    await page.goto(workshop.at('/ent/slice_settings/'))
    await page
      .getByRole('button', { name: /^Own box/ })
      .first()
      .click()
    await page.getByRole('button', { name: say('slicing:tool.scale') }).click()
    const sizes = page.getByRole('group', { name: say('slicing:scale') })
    await sizes.getByLabel(say('slicing:axis', { axis: 'X' })).fill('150')
    await page.getByRole('button', { name: new RegExp(`^${say('slicing:profile')}`) }).click()
    await page.getByLabel(say('slicing:field.layer_height')).fill('0.05')
    await page.keyboard.press('Escape')
    await sliceButton(page, say).click()
    const running = page.getByRole('dialog', { name: say('slicing:wait') })
    await running.getByRole('button', { name: say('slicing:cancel') }).click()
    await running.waitFor({ state: 'detached' })
    await sliceButton(page, say).waitFor()
    // The browser itself says of each refusal that there was one.
    expect(complaintsBut(person, /400 \(Bad Request\)/)).toEqual([])
  },
)
