/** The camera column in the screenshots: several cameras, an alert, what is drawn on the picture. */
import type { Page } from 'playwright-core'
import type { Printer } from '@vigil/contract/printers.ts'
import { printers } from './stub.ts'

const ZONES = [
  [
    { x: 0.05, y: 0.7 },
    { x: 0.3, y: 0.72 },
    { x: 0.28, y: 0.97 },
    { x: 0.04, y: 0.95 },
  ],
]

const CAMERAS = [
  { name: 'Front', is_primary_camera: true, stream_id: 2, streamRatio: '16:9', rotation: 0 },
  { name: 'Nozzle', is_nozzle_camera: true, stream_id: 3, streamRatio: '4:3', rotation: 90 },
  { name: '', stream_id: 4, streamRatio: '4:3' },
]

const changed = (id: number, change: Partial<Printer>) =>
  printers().map((each) => (each.id === id ? { ...each, ...change } : each))

const several = (id: number) => changed(id, { settings: { webcams: CAMERAS } })

async function press(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.waitForTimeout(200)
}

/** A camera whose gateway never answers here. */
const withVideo = (more: Partial<Printer> = {}) =>
  changed(1, { settings: { webcams: [{ ...CAMERAS[0], stream_mode: 'h264_transcode' }] }, ...more })

/** Heat is off until somebody wants it. */
async function withHeat(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('camera-heat', 'on'))
  await page.reload()
  await page.getByRole('button', { name: /On the picture|画面上显示/ }).waitFor()
  await page.waitForTimeout(400)
}

export const cameraShots = [
  { name: 'c-several', path: 'printers/1/control/', world: { printers: several(1) } },
  { name: 'c-alert-several', path: 'printers/2/control/', world: { printers: several(2), zones: ZONES } },
  {
    name: 'c-alert-live',
    path: 'printers/2/control/',
    act: (page: Page) => press(page, /Latest picture|最新画面/),
  },
  { name: 'c-heat', path: 'printers/2/control/', world: { zones: ZONES }, act: withHeat },
  {
    name: 'c-layers',
    path: 'printers/2/control/',
    world: { zones: ZONES },
    act: (page: Page) => press(page, /On the picture|画面上显示/),
  },
  {
    name: 'c-turned',
    path: 'printers/2/control/',
    world: {
      zones: ZONES,
      printers: changed(2, {
        settings: { webcam_flipH: true, webcam_rotation: 90, webcam_streamRatio: '16:9' },
      }),
    },
    act: withHeat,
  },
  {
    name: 'c-other',
    path: 'printers/1/control/',
    world: { printers: several(1) },
    act: async (page: Page) => {
      await page.getByRole('combobox', { name: /^(Camera|摄像头)$/ }).selectOption('3')
      await page.waitForTimeout(200)
    },
  },
  {
    name: 'c-half',
    path: 'printers/1/control/',
    act: (page: Page) => press(page, /Half height|半高/),
  },
  {
    name: 'c-full',
    path: 'printers/1/control/',
    world: { printers: several(1) },
    act: (page: Page) => press(page, /^(Full screen|全屏)$/),
  },
  { name: 'c-hardly', path: 'printers/1/control/', world: { printers: changed(1, { ignored_percent: 92 }) } },
  { name: 'c-hardly-list', path: 'printers/', world: { printers: changed(1, { ignored_percent: 92 }) } },
  {
    name: 'c-zones-turned',
    path: 'printers/1/',
    world: {
      zones: ZONES,
      printers: changed(1, { settings: { webcam_rotation: 90, webcam_streamRatio: '16:9' } }),
    },
    act: (page: Page) => press(page, /Edit zones|编辑区域/),
  },
  {
    name: 'v-play',
    path: 'printers/1/control/',
    world: { printers: withVideo(), enterprise: true, pro: false },
  },
  { name: 'v-play-list', path: 'printers/', world: { printers: withVideo(), enterprise: true, pro: false } },
  {
    name: 'v-rest',
    path: 'printers/1/control/',
    world: { printers: withVideo(), enterprise: true, pro: false },
    act: async (page: Page) => {
      await page.evaluate(() => localStorage.setItem('tsNextVideoCycle-1', String(Date.now() + 24_000)))
      await page.reload()
      await page.getByRole('button', { name: /Next video|秒后/ }).waitFor()
    },
  },
  {
    name: 'v-nobody',
    path: 'printers/1/control/',
    world: { printers: withVideo() },
    act: (page: Page) => page.locator('[data-note]').waitFor(),
  },
  {
    name: 'v-old',
    path: 'printers/1/control/',
    world: { printers: withVideo({ agent_version: '0.2.9' }), enterprise: true, pro: false },
    act: (page: Page) => page.locator('[data-note]').waitFor(),
  },
  {
    name: 'c-shared',
    path: 'printers/share_token/abc/',
    world: { signedIn: false, cameras: CAMERAS },
  },
]
