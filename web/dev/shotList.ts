import type { Page } from 'playwright-core'
import { accountShots } from './accountShots.ts'
import { cameraShots } from './cameraShots.ts'
import { eventShots } from './eventsStub.ts'
import { feedbackShots } from './feedback.ts'
import { farm } from './farmStub.ts'
import { historyShots } from './historyShots.ts'
import { notificationShots } from './notificationShots.ts'
import { BRANDS } from './replies.ts'
import { galleryShots } from './galleryShots.ts'
import { printpageShots } from './printpageShots.ts'
import { replayShots } from './replayShots.ts'
import { printers, type World } from './stub.ts'
import { statsShots } from './statsShots.ts'
import { ago } from './time.ts'
import { widgetShots } from './widgets.ts'

export interface Shot {
  name: string
  path: string
  world?: Partial<World>
  act?: (page: Page) => Promise<void>
}

const ZONES = [
  [
    { x: 0.05, y: 0.7 },
    { x: 0.3, y: 0.72 },
    { x: 0.28, y: 0.97 },
    { x: 0.04, y: 0.95 },
  ],
  [
    { x: 0.75, y: 0.05 },
    { x: 0.97, y: 0.06 },
    { x: 0.9, y: 0.3 },
  ],
]
const ITEM = encodeURIComponent(JSON.stringify({ brand: 'FLSUN', model: 'S1', image_url: null }))

async function showGrid(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('printersView', 'grid'))
  await page.reload()
  await page.getByRole('checkbox').first().waitFor()
}

/** What does not fit at the thumb. */
async function openMore(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: /^(More|更多)$/ })
  if (await more.isVisible()) await more.click()
}

async function openShare(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Share the camera|分享)/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
}

/** The alerting printer, told of while it still prints. */
const goingOn = () =>
  printers().map((each) =>
    each.id === 2
      ? {
          ...each,
          status: printers().find(({ id }) => id === 1)!.status,
          current_print: { ...each.current_print!, paused_at: null, paused_by: null },
          normalized_p: 0.28,
          watch: {
            ...each.watch,
            state: 'watching' as const,
            code: null,
            picture_at: ago(3),
            checked_at: ago(3),
          },
          alert: { normalized_p: 0.48, pause: 'when_failing' as const, pause_from: null },
        }
      : each,
  )

/** Stands only in a client that was built with NODE_ENV=development, too. */
const gallery: Shot[] = [
  { name: 'gallery', path: 'dev/gallery/' },
  {
    name: 'gallery-dialog',
    path: 'dev/gallery/',
    act: async (page) => {
      for (const kind of ['done', 'failed', 'info'])
        await page.getByRole('button', { name: `toast ${kind}` }).click()
      await page.getByRole('button', { name: 'ask' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

/** What is photographed: each page in each of its states. */
export const shots: Shot[] = [
  { name: 'list', path: 'printers/' },
  { name: 'list-empty', path: 'printers/', world: { printers: [] } },
  {
    name: 'list-failed',
    path: 'printers/',
    world: { broken: 503 },
    act: (page) => page.getByRole('alert').waitFor({ timeout: 9000 }),
  },
  {
    name: 'list-archived',
    path: 'printers/',
    world: {
      enterprise: true,
      printers: printers().map((each, at) =>
        at > 3 ? { ...each, archived_at: '2026-01-01T00:00:00Z' } : each,
      ),
    },
  },
  { name: 'grid', path: 'printers/', world: { printers: farm(40) }, act: showGrid },
  {
    name: 'grid-camera',
    path: 'printers/',
    world: { printers: farm(40) },
    act: async (page) => {
      await showGrid(page)
      await page
        .getByRole('button', { name: /Camera of|的摄像头/ })
        .nth(3)
        .click({ force: true })
      await page.waitForTimeout(300)
    },
  },
  {
    name: 'bulk',
    path: 'printers/',
    world: { printers: farm(40) },
    act: async (page) => {
      await showGrid(page)
      for (const at of [0, 1, 2, 4, 5]) await page.getByRole('checkbox').nth(at).check()
      await page.getByRole('button', { name: /^(Pause|暂停)/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'bulk-answers',
    path: 'printers/',
    world: { printers: farm(40) },
    act: async (page) => {
      await showGrid(page)
      for (const at of [0, 1, 2, 4, 5]) await page.getByRole('checkbox').nth(at).check()
      await page.getByRole('button', { name: /^(Pause|暂停)/ }).click()
      await page.getByRole('dialog').getByRole('button').last().click()
      await page.waitForTimeout(500)
    },
  },
  { name: 'share', path: 'printers/', act: openShare },
  { name: 'share-off', path: 'printers/', world: { unshared: true }, act: openShare },
  { name: 'share-pro', path: 'printers/', world: { enterprise: true, pro: false }, act: openShare },
  {
    name: 'share-add',
    path: 'printers/',
    act: async (page) => {
      await openShare(page)
      await page.getByRole('button', { name: /Add another|再添加/ }).click()
    },
  },
  { name: 'shared', path: 'printers/share_token/abc/', world: { signedIn: false } },
  { name: 'shared-pin', path: 'printers/share_token/abc/', world: { signedIn: false, shared: 401 } },
  { name: 'shared-ended', path: 'printers/share_token/abc/', world: { signedIn: false, shared: 404 } },
  ...widgetShots,
  ...cameraShots,
  ...historyShots,
  ...printpageShots,
  ...feedbackShots,
  { name: 'upload', path: 'ent/timelapse_upload/' },
  { name: 'control', path: 'printers/1/control/' },
  { name: 'control-idle', path: 'printers/3/control/' },
  { name: 'control-alert', path: 'printers/2/control/' },
  {
    name: 'control-resume',
    path: 'printers/2/control/',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Resume|恢复)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'control-failing', path: 'printers/2/control/', world: { printers: goingOn() } },
  { name: 'list-failing', path: 'printers/', world: { printers: goingOn().slice(0, 4) } },
  { name: 'control-blind', path: 'printers/4/control/' },
  { name: 'control-offline', path: 'printers/5/control/' },
  { name: 'control-waiting', path: 'printers/6/control/' },
  { name: 'control-gone', path: 'printers/99/control/' },
  {
    name: 'dialog',
    path: 'printers/2/control/',
    act: async (page) => {
      await page.getByRole('alert').getByRole('button').nth(1).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'shortcuts', path: 'printers/1/control/', act: (page) => page.keyboard.press('?') },
  {
    name: 'shortcuts-off',
    path: 'printers/',
    act: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByRole('switch').click({ force: true })
    },
  },
  {
    name: 'menu',
    path: 'printers/3/control/',
    act: async (page) => {
      if (await page.locator('aside').isVisible()) await page.locator('aside button').click()
    },
  },
  {
    name: 'toast',
    path: 'printers/1/control/',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Pause|暂停)$/ }).click()
      await page.getByRole('dialog').getByRole('button').last().click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    },
  },
  {
    name: 'delete',
    path: 'printers/1/',
    act: async (page) => {
      await page.getByRole('button', { name: /Delete printer|删除打印机/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'field-error',
    path: 'printers/1/',
    act: async (page) => {
      await page.locator('input').first().fill('')
      await page.locator('input').first().blur()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'settings', path: 'printers/1/', world: { zones: ZONES, enterprise: true } },
  {
    name: 'zones',
    path: 'printers/1/',
    world: { zones: ZONES },
    act: async (page) => {
      await page.getByRole('button', { name: /Edit zones|编辑区域/ }).click()
      await page.getByRole('button', { name: /^(Zone|区域) ?1$/ }).focus()
    },
  },
  {
    name: 'zones-draw',
    path: 'printers/1/',
    act: async (page) => {
      await page.getByRole('button', { name: /Draw a zone|绘制区域/ }).click()
      const box = await page.getByRole('dialog').locator('img').boundingBox()
      for (const [x, y] of [
        [0.1, 0.6],
        [0.5, 0.65],
        [0.45, 0.95],
      ] as const)
        if (box) await page.mouse.click(box.x + box.width * x, box.y + box.height * y)
    },
  },
  { name: 'wizard', path: 'printers/wizard/' },
  { name: 'guide-product', path: `printers/wizard/guide/klipper-flsun-enabled/?printerItem=${ITEM}` },
  { name: 'bare', path: 'printers/1/control/?hide_header=true' },
  { name: 'guide', path: 'printers/wizard/guide/klipper-generic/' },
  { name: 'guide-octoprint', path: 'printers/wizard/guide/octoprint/' },
  { name: 'link', path: 'printers/wizard/link/klipper-generic/' },
  { name: 'link-octoprint', path: 'printers/wizard/link/octoprint/' },
  { name: 'linked', path: 'printers/wizard/success/1/' },
  ...galleryShots,
  ...replayShots,
  ...eventShots,
  ...statsShots,
  { name: 'preferences', path: 'user_preferences/' },
  ...notificationShots,
  ...(process.env['NODE_ENV'] === 'development' ? gallery : []),
  { name: 'lost', path: 'nowhere/' },
  ...accountShots,
  { name: 'login', path: 'accounts/login/', world: { signedIn: false } },
  { name: 'brand', path: 'printers/', world: { brand: BRANDS.yumi }, act: openMore },
  { name: 'brand-login', path: 'accounts/login/', world: { signedIn: false, brand: BRANDS.yumi } },
  {
    name: 'login-refused',
    path: 'accounts/login/',
    world: { signedIn: false },
    act: async (page) => {
      await page.locator('input[type=email]').fill('mk@example.org')
      await page.locator('input[type=password]').fill('wrong')
      await page.locator('button[type=submit]').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'setup', path: 'setup/?token=123456', world: { signedIn: false, setUpRequired: true } },
]
