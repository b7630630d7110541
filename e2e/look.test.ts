import { towerGcode } from '@vigil/simulator/gcode.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import {
  motionFindings,
  seriousFindings,
  sidewaysFindings,
  touchFindings,
  unreadableFindings,
} from './look.ts'
import { aWorkshop } from './fixture.ts'
import { addPrinter, aPerson, complaintsBut, type Person } from './support.ts'

const OUT = join(import.meta.dirname, 'out')
const PAGES = join(import.meta.dirname, '../web/src/app/pages')

const workshop = aWorkshop({
  env: { DETECTION_TIME_SCALE: '20', ACCOUNT_ALLOW_SIGN_UP: 'true' },
  machinesStay: true,
})
let printerId = 0
let shareToken = ''
let stored = { folder: 0, file: 0 }
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

beforeAll(async () => {
  await mkdir(OUT, { recursive: true })
  const { owner } = workshop
  await addPrinter(owner.page, 'Prusa, not linked')
  const voron = await addPrinter(owner.page, 'Voron in the cellar')
  printerId = voron.id
  shareToken = await owner.page.evaluate(async (id) => {
    const answer = await fetch(`/api/v1/printers/${id}/share_links/`, { method: 'POST' })
    return ((await answer.json()) as { share_token: string }).share_token
  }, printerId)
  stored = await storedGCode(owner.page)
  const machine = workshop.machine({ token: voron.auth_token, speed: 4, picEverySeconds: 1, print: true })
  await machine.ready
  await owner.page.goto(workshop.at(`/printers/${printerId}/control/`))
  await owner.page.getByText('Looking good').waitFor({ timeout: 60_000 })
  state = await owner.page.context().storageState()
  await owner.close()
})

/** A folder of the cloud store, and a file with a picture beside it. */
async function storedGCode(page: Page): Promise<typeof stored> {
  const picture = await sharp({ create: { width: 220, height: 124, channels: 4, background: '#d98a45' } })
    .png()
    .toBuffer()
  const rows = picture.toString('base64').match(/.{1,78}/g) ?? []
  const drawn = `; thumbnail begin 220x124 9\n${rows.map((row) => `; ${row}`).join('\n')}\n; thumbnail end\n`
  const slicer = join(import.meta.dirname, '../server/lib/gcode/fixtures/orcaslicer.gcode')
  return await page.evaluate(
    async (content) => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ name: 'Vases' })
      const made = await fetch('/api/v1/g_code_folders/', { method: 'POST', headers, body })
      const form = new FormData()
      form.set('filename', 'a vase with a name that is longer than any phone is wide, spiral.gcode')
      form.set('file', new Blob([content]), 'vase.gcode')
      const sent = await fetch('/api/v1/g_code_files/', { method: 'POST', body: form })
      const [folder, file] = (await Promise.all([made.json(), sent.json()])) as { id: number }[]
      return { folder: folder!.id, file: file!.id }
    },
    `${drawn}${readFileSync(slicer, 'utf8')}\n${towerGcode({ layers: 30 })}`,
  )
}

interface Screen {
  name: string
  path: () => string
  /** What is there when it is. */
  ready: string
}

/** Each screen of the signed-in, and of everyone. */
const MEMBER: Screen[] = [
  { name: 'list', path: () => '/printers/', ready: 'Voron in the cellar' },
  { name: 'control', path: () => `/printers/${printerId}/control/`, ready: 'Nozzle' },
  { name: 'terminal', path: () => `/printers/${printerId}/terminal/`, ready: 'Voron in the cellar' },
  { name: 'settings', path: () => `/printers/${printerId}/`, ready: 'Danger zone' },
  { name: 'wizard', path: () => '/printers/wizard/', ready: 'What does your printer run?' },
  { name: 'guide', path: () => '/printers/wizard/guide/klipper-generic/', ready: 'Next' },
  { name: 'guide-octoprint', path: () => '/printers/wizard/guide/octoprint/', ready: 'Next' },
  { name: 'link', path: () => '/printers/wizard/link/klipper-generic/', ready: 'Expires in' },
  { name: 'linked', path: () => `/printers/wizard/success/${printerId}/`, ready: 'linked' },
  { name: 'preferences', path: () => '/user_preferences/', ready: 'Look and language' },
  { name: 'apps', path: () => '/user_preferences/authorized_apps/', ready: 'Set up your slicer' },
  { name: 'emails', path: () => '/accounts/email/', ready: 'Your addresses' },
  { name: 'password', path: () => '/accounts/password/change/', ready: 'Current password' },
  { name: 'first-password', path: () => '/accounts/password/set/', ready: 'no password yet' },
  { name: 'logout', path: () => '/accounts/logout/', ready: 'Stay signed in' },
  { name: 'files', path: () => '/g_code_folders/cloud/', ready: 'a vase with a name' },
  {
    name: 'folder',
    path: () => `/g_code_folders/cloud/${stored.folder}/`,
    ready: 'Nothing here yet',
  },
  { name: 'file', path: () => `/g_code_files/cloud/${stored.file}/`, ready: 'Outer wall' },
  { name: 'help', path: () => '/help/', ready: 'How a print is watched' },
  { name: 'lost', path: () => '/nowhere/', ready: 'There is no such page' },
]
const GUEST: Screen[] = [
  { name: 'login', path: () => '/accounts/login/', ready: 'See your printers' },
  { name: 'signup', path: () => '/accounts/signup/', ready: 'Password' },
  { name: 'reset', path: () => '/accounts/password/reset/', ready: 'sends no mail' },
  { name: 'reset-sent', path: () => '/accounts/password/reset/done/', ready: 'Check your mail' },
  { name: 'reset-done', path: () => '/accounts/password/reset/key/done/', ready: 'password is changed' },
  { name: 'inactive', path: () => '/accounts/inactive/', ready: 'switched off' },
  { name: 'reset-key', path: () => '/accounts/password/reset/key/1-abc/', ready: 'does not work any more' },
  { name: 'confirm-email', path: () => '/accounts/confirm-email/abc/', ready: 'does not work any more' },
  { name: 'setup', path: () => '/setup/', ready: 'Sign in' },
  { name: 'shared', path: () => `/printers/share_token/${shareToken}/`, ready: 'Voron in the cellar' },
]

/** Those of prints and messages need rows that are there: `web/dev/shots.ts` asks the same of them, in more variants. */
const BY_SHOTS =
  /^\/(print_history|prints|timelapses|stats|printer_events|first_layer_inspection_images|nozzle_ninja|slack_oauth_callback|user_preferences\/[^/]+)\//

test('every page that there is, is looked at', () => {
  const tables = readdirSync(PAGES).map((name) => readFileSync(join(PAGES, name), 'utf8'))
  const paths = [...tables.join('\n').matchAll(/path: '(\/[^']+)'/g)].map(([, path]) => path!)
  expect(paths.length).toBeGreaterThan(40)
  const seen = [...MEMBER, ...GUEST].map(({ path }) => path().replace(/\?.*/, ''))
  const missing = paths.filter((path) => {
    const form = new RegExp(`^${path.replaceAll(/\{?\$\w+\}?/g, '[^/]+')}$`)
    return !path.startsWith('/dev/') && !BY_SHOTS.test(path) && !seen.some((one) => form.test(one))
  })
  expect(missing).toEqual([])
})

for (const width of [390, 1440])
  test(`nothing to complain about at ${width} pixels, light and dark`, { timeout: 400_000 }, async () => {
    const isPhone = width < 600
    const options = {
      viewport: { width, height: 844 },
      hasTouch: isPhone,
      isMobile: isPhone,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    } as const
    const visitor = await aPerson(options)
    const person = await aPerson({ ...options, storageState: state })
    const found: string[] = []
    for (const [who, screens] of [
      [visitor, GUEST],
      [person, MEMBER],
    ] as const)
      for (const screen of screens) found.push(...(await look(who, screen, isPhone)))
    expect(found).toEqual([])
    // Links that are made up lead nowhere.
    expect(complaintsBut(visitor, /status of 40[04]/)).toEqual([])
    expect(complaintsBut(person)).toEqual([])
    await visitor.close()
    await person.close()
  })

/** What is wrong with a page, in both themes. */
async function look({ page }: Person, { name, path, ready }: Screen, isPhone: boolean): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(workshop.at(path()))
  await page.getByText(ready).filter({ visible: true }).first().waitFor()
  const found: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' })
    await page.screenshot({
      path: join(OUT, `look-${name}-${isPhone ? 390 : 1440}-${theme}.png`),
      fullPage: true,
    })
    const texts = [...(await seriousFindings(page)), ...(await unreadableFindings(page))]
    found.push(...texts.map((text) => `${theme}: ${text}`))
  }
  found.push(...(await sidewaysFindings(page)), ...(await motionFindings(page)))
  if (isPhone) found.push(...(await touchFindings(page)))
  return found.map((text) => `${name}: ${text}`)
}
