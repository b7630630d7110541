import type { Page } from 'playwright-core'
import { LAYER_LABELS } from '@vigil/contract/first-layer.ts'
import type { World } from './stub.ts'
import { ago } from './time.ts'

const PICTURES = ['good', 'mess', 'good', 'mess', 'failing', 'good', 'idle']
const answers = ['LOOKS_OK', 'LOOKS_BAD', 'UNDECIDED']

/** Print 21 waits for consent, 22 for answers, 23 has them all, 24 is asked about nothing. */
function askedPrint(id: number) {
  const answered = id === 23 ? PICTURES.length : id === 22 ? 2 : 0
  return {
    id,
    filename: 'vase_spiral.gcode',
    access_consented_at: id === 21 ? null : ago(60),
    alerted_at: ago(9000),
    alert_overwrite: null,
    need_print_shot_feedback: answered < PICTURES.length,
    firstlayerinspection_set: [],
    printshotfeedback_set: PICTURES.slice(0, id === 24 ? 0 : undefined).map((name, at) => ({
      id: id * 10 + at,
      print_id: id,
      image_url: `/media/${name}.svg`,
      answer: at < answered ? answers[at % 3] : null,
      answered_at: at < answered ? ago(30) : null,
    })),
  }
}

const layerImage = (id: number) => ({
  id,
  first_layer_inspection: 3,
  image_url: `/media/${id % 2 ? 'mess' : 'good'}.svg`,
  labels: LAYER_LABELS[id % LAYER_LABELS.length],
  answer: id < 2 ? 'gaps|other' : null,
  answered_at: id < 2 ? ago(20) : null,
  credited_dhs: 0,
  created_at: ago(9000),
  updated_at: ago(9000),
})

const layer = {
  id: 3,
  print: 22,
  score: 52.3,
  grade: 'C',
  beta: true,
  video_url: null,
  tagged_video_url: null,
  poster_url: null,
  data_json_url: null,
  created_at: ago(9000),
  updated_at: ago(9000),
  images: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(layerImage),
}

/** The same with one picture alone. */
const short = { ...layer, images: layer.images.slice(0, 1) }

const transaction = (
  id: number,
  hours: number,
  description: string,
  after: number,
  print: number | null,
) => ({
  id,
  created_at: ago(90_000 * (9 - id)),
  hours,
  kind: 'earned',
  bucket: print === null ? 'included' : 'earned',
  description,
  print,
  balance_after: after,
})

const ext = {
  printer: 1,
  nozzlecam_url: 'http://127.0.0.1/webcam2/?action=snapshot',
  first_layer_scan_opted_in: true,
  first_layer_scan_zhop: 4,
  first_layer_scan_retract: 6.5,
  first_layer_scan_retract_speed: 15,
  first_layer_scan_cooldown_temp: 170,
  updated_at: ago(900),
}

/** Answers what the pages of feedback ask, or null. */
export function answerFeedback(world: World, path: string): { status: number; body: unknown } | null {
  const ok = (body: unknown) => ({ status: 200, body })
  const print = /^\/api\/v1\/prints\/(2[1-4])\/$/.exec(path)
  if (print) return ok(askedPrint(Number(print[1])))
  if (path === '/api/v1/first_layer_inspection/')
    return ok(world.printers.length > 0 ? [world.pro === false ? short : layer] : [])
  if (/\/first_layer_inspection_image\/\d+\/$/.test(path)) return ok({ ...layer.images[0], credited_dhs: 3 })
  const shot = /\/printshotfeedbacks\/(\d+)\/$/.exec(path)
  if (shot)
    return ok({
      instance: {
        ...askedPrint(22).printshotfeedback_set[2],
        id: Number(shot[1]),
        answer: 'LOOKS_OK',
        answered_at: ago(0),
      },
      credited_dhs: 2,
    })
  if (path === '/ent/api/detection_hours/')
    return ok({
      balance: world.pro === false ? 6.4 : 212.4,
      included: world.pro === false ? 1.4 : 150,
      earned: world.pro === false ? 5 : 62.4,
      is_unlimited: false,
      included_expires_at: null,
      low: world.pro === false,
      next_grant: null,
    })
  if (path === '/ent/api/detection_hours/transactions/')
    return ok([
      transaction(5, 3, world.language === 'zh' ? '首层调查' : 'First-layer survey', 212.4, 22),
      transaction(4, 2, world.language === 'zh' ? '重点反馈' : 'Focused feedback', 209.4, 21),
      transaction(
        3,
        207.4,
        world.language === 'zh' ? '启用明细之前的余额' : 'Balance before the ledger began',
        207.4,
        null,
      ),
    ])
  if (/\/ent\/api\/printers\/\d+\/ext\/$/.test(path)) return ok({ ext })
  return null
}

const choosePrinter = async (page: Page) => {
  await page.locator('input').first().click()
  await page.getByRole('option').first().click()
}

export const feedbackShots = [
  { name: 'feedback-consent', path: 'prints/shot-feedback/21/' },
  { name: 'feedback', path: 'prints/shot-feedback/22/' },
  { name: 'feedback-done', path: 'prints/shot-feedback/23/', world: { enterprise: true } },
  { name: 'feedback-none', path: 'prints/shot-feedback/24/' },
  { name: 'survey', path: 'first_layer_inspection_images/?print_id=22' },
  {
    name: 'survey-example',
    path: 'first_layer_inspection_images/?print_id=22',
    act: async (page: Page) => {
      await page.locator('fieldset button').nth(3).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'survey-none', path: 'first_layer_inspection_images/?print_id=22', world: { printers: [] } },
  {
    name: 'report',
    path: 'first_layer_inspection_images/?print_id=22',
    world: { enterprise: true, pro: false },
    act: async (page: Page) => {
      await page.getByRole('button', { name: /^(Finish|完成)$/ }).click()
      await page.getByRole('button', { name: /^(Open the report|打开报告)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'survey-done',
    path: 'first_layer_inspection_images/?print_id=22',
    world: { enterprise: true, pro: false },
    act: (page: Page) => page.getByRole('button', { name: /^(Finish|完成)$/ }).click(),
  },
  { name: 'hours', path: 'user_preferences/dh/', world: { enterprise: true } },
  { name: 'hours-low', path: 'user_preferences/dh/', world: { enterprise: true, pro: false } },
  { name: 'nozzle', path: 'nozzle_ninja/' },
  { name: 'nozzle-chosen', path: 'nozzle_ninja/', act: choosePrinter },
  { name: 'nozzle-none', path: 'nozzle_ninja/', world: { printers: [] } },
]
