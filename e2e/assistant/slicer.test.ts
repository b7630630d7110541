import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { aPerson, complaintsBut } from '../support.ts'

const workshop = aWorkshop()
const isSlicerThere = spawnSync('prusa-slicer', ['--help']).status === 0
const LOOK = LOOKS.klipperDesk

/** What the slicer says of a file at its end. */
const settingOf = (gcode: string, name: string) => new RegExp(`^; ${name} = (.{1,40})$`, 'm').exec(gcode)?.[1]

/** The slicer's own button writes the file that was made last. */
async function exported(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return await readFile(await download.path(), 'utf8')
}

test(
  'in the simulated slicer: signed in by its dialog, “make it strong”, sliced, exported as it was promised, kept with its chat',
  { skip: !isSlicerThere, timeout: 180_000 },
  async () => {
    const { person, page } = await workshop.ownerAt(LOOK, 'assistant')
    const say = wordsIn(LOOK.language)
    const words = (key: string) => say(`assistant:${key}`)
    await page.goto(workshop.at('/jusprin/host/'))
    const chat = page.frameLocator('iframe')
    await chat.getByRole('button', { name: words('signIn') }).click()
    await chat.getByText(words('now.models')).waitFor()
    await page.getByRole('button', { name: words('host.sample') }).click()
    await chat.getByText(say('assistant:now.count_one', { count: 1 })).waitFor()

    await chat.getByRole('button', { name: words('quick.strong') }).click()
    await chat.getByRole('button', { name: words('changes.takeBack') }).waitFor()
    const walls = page.getByRole('row', { name: /^wall_loops/ })
    // The slicer's page hears of it from the chat's.
    await walls.waitFor()
    const [before, after] = await walls.getByRole('cell').allTextContents()
    expect(Number(after)).toBeGreaterThan(Number(before))
    await chat.getByRole('button', { name: words('quick.slice') }).click()
    const button = chat.getByRole('button', { name: words('button.export') })
    const strong = await exported(page, () => button.click())
    expect(settingOf(strong, 'perimeters')).toBe(after)
    expect(settingOf(strong, 'fill_pattern')).toBe('gyroid')

    // What was said stands beside the file that came of it.
    const link = await page.getByRole('link', { name: words('host.file') }).getAttribute('href')
    await chat.getByRole('button', { name: words('changes.takeBack') }).click()
    await page.getByText(words('host.clean')).waitFor()
    await page.goto(link ?? '')
    await page.getByRole('group', { name: words('file.question') }).waitFor()
    await page.getByRole('button', { name: words('file.positive'), exact: true }).click()
    await page.getByLabel(words('file.text')).waitFor()
    expect(complaintsBut(person)).toEqual([])
  },
)

test('a slicer whose address ends in a slash finds the page there, and its actions are heard', async () => {
  const person = await aPerson()
  const { page } = person
  await page.addInitScript(() => {
    const said: unknown[] = []
    Object.assign(globalThis, { said, wx: { postMessage: (message: unknown) => said.push(message) } })
  })
  const address = workshop.at('//jusprin/v1.2/embedded_chat/?lang=zh')
  await page.goto(address)
  await page.getByRole('button', { name: '注册 / 登录' }).click()
  expect(page.url()).toBe(address)
  const said = await page.evaluate(() => (globalThis as unknown as { said: { action: string }[] }).said)
  expect(said.map(({ action }) => action)).toEqual([
    'refresh_oauth_token',
    'refresh_presets',
    'refresh_plater_config',
    'show_login',
  ])
  expect(complaintsBut(person)).toEqual([])
  await person.close()
})
