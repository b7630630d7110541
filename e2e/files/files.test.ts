import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { wordsIn } from '../looks.ts'
import { complaintsBut } from '../support.ts'

const SLICED = readFileSync(join(import.meta.dirname, '../../server/lib/gcode/fixtures/orcaslicer.gcode'))
const ROOT = '/g_code_folders/cloud/'

/** As much as a sheet beside the list needs. */
const workshop = aWorkshop({ profile: { viewport: { width: 1280, height: 640 } } })
const say = wordsIn('en')

const gcode = (name: string, buffer: Buffer = SLICED) => ({ name, mimeType: 'text/plain', buffer })
const choose = (page: Page, ...files: ReturnType<typeof gcode>[]) =>
  page.locator('input[type=file]').setInputFiles(files)
const row = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })
const upload = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Uploads' }).getByRole('listitem', { name })

/** What the menu of a line offers. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: say('gcode-files:actions.of', { name }) }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

const answer = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()

/** As if files were dragged over the window and let go there. */
async function dropOnPage(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((called) => {
    const carried = new DataTransfer()
    carried.items.add(new File(['; dropped\nG28\n'], called))
    return carried
  }, name)
  await page.dispatchEvent('h1', 'dragover', { dataTransfer })
  await page
    .getByText(say('gcode-files:upload.drop', { folder: 'Vases' }))
    .nth(1)
    .waitFor()
  await page.dispatchEvent('h1', 'drop', { dataTransfer })
}

test('files come, are told apart, put in order and go', async () => {
  const { owner, at } = workshop
  const { page } = owner
  workshop.evidence('files')
  await page.goto(at(ROOT))
  await page.getByRole('heading', { name: say('gcode-files:empty') }).waitFor()
  await choose(page, gcode('vase.gcode'), gcode('solid.stl'))
  await upload(page, 'vase.gcode').getByText(say('gcode-files:upload.done'), { exact: true }).waitFor()
  await upload(page, 'solid.stl').getByText(say('gcode-files:upload.refused.kind')).waitFor()
  await choose(page, gcode('copy.gcode'))
  await upload(page, 'copy.gcode')
    .getByText(say('gcode-files:upload.duplicate', { name: 'vase.gcode', folder: 'All files' }))
    .waitFor()

  await page.getByRole('button', { name: say('gcode-files:newFolder.title') }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Vases')
  await answer(page, 'Create')
  await row(page, 'Vases').waitFor()

  // Dragged into it, with what is chosen; renamed, its extension stays.
  await row(page, 'vase.gcode').dragTo(row(page, 'Vases'))
  await row(page, 'Vases').getByText('1 file').waitFor()
  await act(page, 'copy.gcode', 'Rename')
  await page.getByRole('dialog').getByRole('textbox').fill('Spiral')
  await answer(page, 'Rename')
  await row(page, 'Spiral.gcode').waitFor()
  await act(page, 'Spiral.gcode', 'Move')
  await page.getByRole('dialog').getByRole('button', { name: 'Vases' }).click()
  await answer(page, 'Place Here')
  await row(page, 'Vases').getByText('2 files').waitFor()

  // In the folder: dropped from the desktop, and back by its path.
  await page.getByRole('link', { name: 'Vases' }).click()
  await row(page, 'vase.gcode').waitFor()
  await dropOnPage(page, 'dropped.gcode')
  await row(page, 'dropped.gcode').waitFor()
  await page.getByRole('link', { name: 'All files' }).click()

  // Looked for everywhere, and looked at.
  await page.getByRole('searchbox', { name: 'Search files' }).fill('SPIRAL')
  await row(page, 'Vases').waitFor({ state: 'detached' })
  // Beside the list where there is room for both, then on its own page.
  await page.getByRole('link', { name: 'Spiral.gcode' }).click()
  const sheet = page.getByRole('complementary', { name: 'Spiral.gcode' })
  await sheet.getByText('OrcaSlicer').waitFor()
  await sheet.getByRole('link', { name: 'Spiral.gcode' }).click()
  await page.waitForURL(/g_code_files/)
  await page.getByText('OrcaSlicer').waitFor()
  await page.getByText(say('gcode-files:prints.none')).waitFor()
  await page.getByRole('link', { name: 'vase.gcode in Vases' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('Spiral.gcode')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Delete')
  await page.waitForURL(/\/g_code_folders\/cloud\/\d+\/$/)
  await row(page, 'Spiral.gcode').waitFor({ state: 'detached' })

  // All of a folder at once.
  for (const name of ['vase.gcode', 'dropped.gcode'])
    await page.getByRole('checkbox', { name: say('gcode-files:select.one', { name }) }).check()
  await page
    .getByRole('region', { name: say('gcode-files:select.label') })
    .getByText('2 selected')
    .waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await answer(page, 'Delete')
  await page.getByRole('heading', { name: say('gcode-files:empty') }).waitFor()
  await brokenLine(page)
  // What is refused is said in a dialog, in the server's words.
  await choose(page, gcode('binary.gcode', Buffer.from('PK\0\0')))
  await page.getByRole('dialog').getByText('This is not a G-code file: it holds no text.').waitFor()
  await answer(page, 'Close')
  // Of a printer that is not there.
  await page.goto(at('/g_code_files/local/987654321/a.gcode/'))
  await page.getByText('Host printer for this gcode not found').waitFor()
  expect(complaintsBut(owner, /status of 40[04]|net::ERR_CONNECTION_RESET/)).toEqual([])
})

/** A line that breaks, and a pause: what has come stays, and the rest follows. */
async function brokenLine(page: Page): Promise<void> {
  await page.getByRole('button', { name: say('gcode-files:upload.clear') }).click()
  // The first part is lost on its way; then it stands until it is told to go on.
  const big = gcode('big.gcode', Buffer.from(`G28 ; ${randomBytes(300_000).toString('hex')}\n`))
  const seen: string[] = []
  let release = () => {}
  await page.route('**/resumable/**', async (route) => {
    const method = route.request().method()
    seen.push(method)
    const parts = seen.filter((each) => each === 'PATCH').length
    if (method !== 'PATCH' || parts > 2) return await route.continue()
    if (parts === 1) return await route.abort('connectionreset')
    await new Promise<void>((resolve) => (release = resolve))
    await route.abort('connectionreset').catch(() => undefined)
  })
  await choose(page, big)
  await vi.waitFor(() => expect(seen.filter((each) => each === 'PATCH')).toHaveLength(2), 30_000)
  await upload(page, 'big.gcode')
    .getByRole('button', { name: say('gcode-files:upload.pause', { name: 'big.gcode' }) })
    .click()
  await upload(page, 'big.gcode').getByText(say('gcode-files:upload.paused')).waitFor()
  release()
  await upload(page, 'big.gcode')
    .getByRole('button', { name: say('gcode-files:upload.resume') })
    .click()
  await upload(page, 'big.gcode').getByText(say('gcode-files:upload.done'), { exact: true }).waitFor()
  await row(page, 'big.gcode').waitFor()
  await page.unroute('**/resumable/**')
}

test('what is refused or fails is said in a dialog', async () => {
  const { owner, at } = workshop
  const { page } = owner
  workshop.evidence('files-refused')
  await page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' }
    await fetch('/api/v1/g_code_folders/', { method: 'POST', headers, body: '{"name":"Bowls"}' })
  })
  await page.goto(at(ROOT))
  await row(page, 'Bowls').waitFor()
  await choose(page, gcode('big.gcode'))
  await row(page, 'big.gcode').waitFor()
  await page.getByRole('button', { name: say('gcode-files:newFolder.title') }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Bowls')
  await answer(page, 'Create')
  await page.getByRole('dialog').getByText('Folder with this name already exists').waitFor()
  await page.keyboard.press('Escape')

  const failing = async (path: string, work: () => Promise<void>, told: string) => {
    await page.route(path, (route) => route.fulfill({ status: 500, body: '{}' }))
    await work()
    await page.getByRole('dialog').getByText(told).waitFor()
    await page.unroute(path)
    await answer(page, 'Close')
  }
  const remove = async () => {
    await act(page, 'big.gcode', 'Delete')
    await answer(page, 'Delete')
  }
  await failing('**/g_code_files/bulk_delete/', remove, 'Failed to delete item')
  const removeBoth = async () => {
    for (const name of ['big.gcode', 'Bowls'])
      await page.getByRole('checkbox', { name: say('gcode-files:select.one', { name }) }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await answer(page, 'Delete')
  }
  await failing('**/bulk_delete/', removeBoth, 'Failed to delete files and folders')
  const move = () => row(page, 'big.gcode').dragTo(row(page, 'Bowls'))
  await failing('**/g_code_files/bulk_move/', move, 'Failed to move item(s)')
  expect(complaintsBut(owner, /status of (40[04]|500)|net::ERR_CONNECTION_RESET/)).toEqual([])
})
