import { towerGcode } from '@vigil/simulator/gcode.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { paths } from '../../web/src/lib/paths.ts'
import { aWorkshop, QUICK } from '../fixture.ts'
import { lookThrough, type Screen } from '../look.ts'
import { printScreens } from '../print-screens.ts'
import { addPrinter, aPerson, complaintsBut, storeGcode } from '../support.ts'

const PAGES = join(import.meta.dirname, '../../web/src/app/pages')

const workshop = aWorkshop({
  env: QUICK,
  machinesStay: true,
})
let printerId = 0
let unlinkedId = 0
let shareToken = ''
let stored = { folder: 0, file: 0 }

beforeAll(async () => {
  const { owner } = workshop
  unlinkedId = (await addPrinter(owner.page, 'Prusa, not linked')).id
  const voron = await addPrinter(owner.page, 'Voron in the cellar')
  printerId = voron.id
  shareToken = await owner.page.evaluate(async (id) => {
    const answer = await fetch(`/api/v1/printers/${id}/share_links/`, { method: 'POST' })
    return ((await answer.json()) as { share_token: string }).share_token
  }, printerId)
  stored = await storedGCode(owner.page)
  const machine = workshop.machine({ token: voron.auth_token, speed: 4, picEverySeconds: 3, print: true })
  await machine.ready
  await owner.page.goto(workshop.at(`/printers/${printerId}/control/`))
  await owner.page.getByText('Looking good').waitFor()
})

/** A folder of the cloud store, and a file with a picture beside it. */
async function storedGCode(page: Page): Promise<typeof stored> {
  const picture = await sharp({ create: { width: 220, height: 124, channels: 4, background: '#d98a45' } })
    .png()
    .toBuffer()
  const rows = picture.toString('base64').match(/.{1,78}/g) ?? []
  const drawn = `; thumbnail begin 220x124 9\n${rows.map((row) => `; ${row}`).join('\n')}\n; thumbnail end\n`
  const slicer = join(import.meta.dirname, '../../server/lib/gcode/fixtures/orcaslicer.gcode')
  const name = 'a vase with a name that is longer than any phone is wide, spiral.gcode'
  const text = `${drawn}${readFileSync(slicer, 'utf8')}\n${towerGcode({ layers: 30 })}`
  const file = await storeGcode(page, name, text)
  const folder = await page.evaluate(async (id) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Vases' })
    const made = await fetch('/api/v1/g_code_folders/', { method: 'POST', headers, body })
    for (const copies of [1, 3]) {
      const queued = JSON.stringify({ g_code_file_id: id, copies })
      await fetch('/api/v1/queue/', { method: 'POST', headers, body: queued })
    }
    return ((await made.json()) as { id: number }).id
  }, file)
  return { folder, file }
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
  { name: 'preferences', path: () => '/user_preferences/', ready: 'Authorized Apps' },
  { name: 'general', path: () => '/user_preferences/general/', ready: 'Language' },
  { name: 'appearance', path: () => '/user_preferences/personalization/', ready: 'onto the next device' },
  { name: 'profile', path: () => '/user_preferences/profile/', ready: 'First name' },
  { name: 'leave', path: () => '/user_preferences/delete/', ready: 'Why do you leave?' },
  { name: 'left', path: () => '/accounts/left/', ready: 'Your account is closed' },
  { name: 'keep-account', path: () => '/accounts/keep/x/', ready: 'Keep my account' },
  { name: 'mobile-push', path: () => '/user_preferences/mobile_push_notifications/', ready: 'Mobile app' },
  { name: 'household', path: () => '/user_preferences/household/', ready: 'Who sees your printers' },
  { name: 'security', path: () => '/user_preferences/security/', ready: 'This device' },
  { name: 'keep-factors', path: () => '/accounts/factors/keep/x/', ready: 'Keep my factors' },
  { name: 'apps', path: () => '/user_preferences/authorized_apps/', ready: 'Set up your slicer' },
  { name: 'tunnel', path: () => `/tunnels/${unlinkedId}/`, ready: 'is offline' },
  { name: 'tunnel-old', path: () => `/tunnel/${unlinkedId}/`, ready: 'is offline' },
  { name: 'tunnel-ask', path: () => '/tunnels/new/?app=OctoApp', ready: 'Authorize' },
  { name: 'emails', path: () => '/accounts/email/', ready: 'Your addresses' },
  { name: 'password', path: () => '/accounts/password/change/', ready: 'Current password' },
  { name: 'first-password', path: () => '/accounts/password/set/', ready: 'no password yet' },
  { name: 'logout', path: () => '/accounts/logout/', ready: 'Stay signed in' },
  { name: 'files', path: () => '/g_code_folders/cloud/', ready: 'a vase with a name' },
  { name: 'slice', path: () => '/ent/slice_settings/', ready: 'Slicing Settings' },
  { name: 'designs', path: () => '/ent/designs/', ready: 'Popular 3D Models: Last 30 Days' },
  { name: 'design', path: () => '/ent/designs/1/', ready: 'License' },
  {
    name: 'files-sheet',
    path: () => `/g_code_folders/cloud/?file=${stored.file}`,
    ready: 'a vase with a name',
  },
  {
    name: 'folder',
    path: () => `/g_code_folders/cloud/${stored.folder}/`,
    ready: 'Nothing here yet',
  },
  { name: 'file', path: () => `/g_code_files/cloud/${stored.file}/`, ready: 'Outer wall' },
  { name: 'printer-folder', path: () => `/g_code_folders/local/${printerId}/`, ready: 'Files on Voron' },
  {
    name: 'printer-subfolder',
    path: () => `/g_code_folders/local/${printerId}/none/`,
    ready: 'Nothing lies here',
  },
  {
    name: 'printer-file',
    path: () => `/g_code_files/local/${printerId}/vase.gcode/`,
    ready: 'Cloud and prints',
  },
  { name: 'queue', path: () => '/queue/', ready: 'Any printer that fits' },
  { name: 'help', path: () => '/help/', ready: 'How a print is watched' },
  { name: 'archived', path: () => '/ent/printers/archived/', ready: 'No archived printers' },
  { name: 'unarchive', path: () => `/ent/printers/${printerId}/unarchive/`, ready: 'No archived printers' },
  { name: 'admin', path: () => '/admin/', ready: 'owner@example.org' },
  { name: 'admin-person', path: () => '/admin/people/1/', ready: 'Signed in at' },
  { name: 'admin-notices', path: () => '/admin/notices/', ready: 'English' },
  { name: 'admin-site', path: () => '/admin/site/', ready: 'Features' },
  { name: 'admin-jobs', path: () => '/admin/jobs/', ready: 'Letters and messages' },
  { name: 'admin-system', path: () => '/admin/system/', ready: 'Detector' },
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
  { name: 'tunnel-guest', path: () => '/tunnels/new/?app=OctoApp', ready: 'SIGN IN' },
  { name: 'tunnel-done', path: () => '/tunnels/succeeded/', ready: 'Authorization Successful' },
  { name: 'invitation', path: () => '/invitation/#key=x', ready: 'This invitation has ended' },
  { name: 'setup', path: () => '/setup/', ready: 'Sign in' },
  { name: 'shared', path: () => `/printers/share_token/${shareToken}/`, ready: 'Voron in the cellar' },
]

test('every page that there is, is looked at', () => {
  const tables = readdirSync(PAGES).map((name) => readFileSync(join(PAGES, name), 'utf8'))
  const named = (name: string) => paths[name as keyof typeof paths] as string
  const all = [...tables.join('\n').matchAll(/path: (?:'(\/[^']+)'|paths\.(\w+))/g)].map(
    ([, path, name]) => path ?? named(name!),
  )
  expect(all.length).toBeGreaterThan(40)
  const seen = [...MEMBER, ...GUEST, ...printScreens({ print: 1, replayed: 2, running: 3, link: 'abc' })].map(
    ({ path }) => path().replace(/[?#].*/, ''),
  )
  const missing = all.filter((path) => {
    const form = new RegExp(`^${path.replaceAll(/\{?\$\w+\}?/g, '[^/]+')}$`)
    // What welcomes to a trial welcomes who has redeemed one, too.
    return !path.startsWith('/dev/') && path !== paths.welcome && !seen.some((one) => form.test(one))
  })
  expect(missing).toEqual([])
})

test('nothing to complain about on a desk and a phone, light and dark', { timeout: 900_000 }, async () => {
  const visitor = await aPerson()
  const found = [
    ...(await lookThrough(visitor, workshop.at, GUEST)),
    ...(await lookThrough(workshop.owner, workshop.at, MEMBER)),
  ]
  expect(found).toEqual([])
  // Links that are made up lead nowhere.
  expect(complaintsBut(visitor, /status of 40[04]/)).toEqual([])
  expect(complaintsBut(workshop.owner)).toEqual([])
  await visitor.close()
})
