import type { SharedTimelapse } from '@vigil/contract/print-links.ts'
import type { Print } from '@vigil/contract/prints.ts'
import type { PrintFrames, Timelapse } from '@vigil/contract/timelapse.ts'
import type { Page } from 'playwright-core'
import { historyPrint } from './historyShots.ts'
import { ago } from './time.ts'

const FRAMES = 96
/** In the dark. */
const isDark = (at: number) => at >= 18 && at < 27
/** From here on it fails. */
const FAILS_AT = 56
const MINUTES = 96
const BEGAN = 90_000

const gaugeAt = (at: number) =>
  at < FAILS_AT ? 0.08 + 0.04 * Math.sin(at) : Math.min(0.9, 0.1 + (at - FAILS_AT) * 0.024)
const timeOf = (at: number) => ago(BEGAN - at * 60)

const file = {
  id: 3,
  resident_printer: 2,
  deleted: null,
  url: 'sub/vase_spiral.gcode',
  filename: 'vase_spiral.gcode',
  safe_filename: 'vase_spiral.gcode',
  agent_signature: 'ts:1',
  num_bytes: 4_812_300,
  estimated_time: 5_400,
  filament_total: 4_200,
  metadata_json: JSON.stringify({
    layer_height: 0.2,
    first_layer_height: 0.3,
    object_height: 67.2,
    first_layer_bed_temp: 60,
    first_layer_extr_temp: 215,
    filament_type: 'PLA',
    slicer: 'PrusaSlicer',
  }),
}

const print = (id: number, more: Partial<Print>): Print => ({
  ...historyPrint(1),
  id,
  printer: { id: 3, name: 'Ender 3' } as Print['printer'],
  g_code_file: { ...file, resident_printer: 3 } as unknown as Print['g_code_file'],
  filename: 'vase_spiral.gcode',
  started_at: timeOf(0),
  ended_at: timeOf(MINUTES),
  finished_at: timeOf(MINUTES),
  alerted_at: timeOf(72),
  alert_overwrite: null,
  print_time: MINUTES * 60,
  filament_used: 4_100,
  watched: { seconds: 5_142, of: MINUTES * 60, unseen: ['picture_dark', 'server_down'] },
  video_url: '/house/media/film.mp4',
  tagged_video_url: '/house/media/film.mp4',
  poster_url: '/media/failing.svg',
  ...more,
})

const NO_FILM = { video_url: null, tagged_video_url: null, poster_url: null }
const prints: Record<string, Print> = {
  '201': print(201, { need_print_shot_feedback: true }),
  '202': print(202, { ...NO_FILM, alerted_at: null }),
  '203': print(203, { ...NO_FILM, video_archived_at: ago(900), cancelled_at: timeOf(96), finished_at: null }),
  '204': print(204, { ...NO_FILM, alerted_at: null }),
  '205': print(205, {
    ...NO_FILM,
    printer: null,
    g_code_file: null,
    uploaded_at: ago(900),
    started_at: null,
    ended_at: null,
    finished_at: null,
    alerted_at: null,
    filament_used: null,
    print_time: null,
    watched: null,
  }),
}
const states: Record<string, Timelapse['state']> = {
  '201': 'ready',
  '202': 'working',
  '203': 'archived',
  '204': 'short',
  '205': 'no_ffmpeg',
}

const timelapse = (id: string): Timelapse => ({
  state: states[id] ?? 'none',
  progress: 0.43,
  frames: FRAMES,
  pictures_per_second: 8,
  num_bytes: 3_400_000,
  frames_until: null,
  videos_until: null,
  kept: false,
  unseen: [
    { from: timeOf(18), to: timeOf(27), code: 'picture_dark' },
    { from: timeOf(42.2), to: timeOf(42.8), code: 'server_down' },
  ],
  issues: 1,
  refusal: null,
})

const predictions = Array.from({ length: FRAMES }, (_, at) =>
  isDark(at)
    ? {}
    : {
        model: 'app.printerprediction',
        pk: 3,
        fields: { normalized_p: gaugeAt(at), created_at: timeOf(0), updated_at: timeOf(at) },
      },
)

const frames = (id: string): PrintFrames => ({
  pictures_per_second: 8,
  turn: { flip_h: false, flip_v: false, rotation: 0 },
  frames: ['201', '202'].includes(id)
    ? Array.from({ length: FRAMES }, (_, at) => ({
        at: timeOf(at),
        image_url: at < FAILS_AT ? '/media/good.svg' : '/media/mess.svg',
        tagged_url: at < FAILS_AT ? null : '/media/failing.svg',
        p: gaugeAt(at),
        normalized_p: isDark(at) ? null : gaugeAt(at),
        decision: 'none',
      }))
    : [],
})

const heaters = () => {
  const began = Date.parse(timeOf(0)) / 1000
  const rising = (to: number, over: number) =>
    Array.from({ length: MINUTES * 2 }, (_, at) => [
      began + at * 30,
      25 + (to - 25) * Math.min(1, at / over) + Math.sin(at),
      to,
    ])
  return { extruder: rising(215, 8), heater_bed: rising(60, 12) }
}

const shared: SharedTimelapse = {
  creator_name: 'Mika',
  video_url: '/house/media/film.mp4',
  poster_url: '/media/good.svg',
  predictions: predictions.map(({ fields }) => ({ p: fields?.normalized_p ?? null })),
}

/** What the stub answers of a single print, or undefined. */
export function answerPrintPage(path: string): unknown {
  if (path === '/api/v1p/timelapse/') return shared
  const [, id = '', rest = ''] = /^\/api\/v1\/prints\/(20\d)\/(?:(\w+)\/)?$/.exec(path) ?? []
  const found = prints[id]
  if (!found) return undefined
  if (rest === 'timelapse') return timelapse(id)
  if (rest === 'prediction_json') return id === '201' ? predictions : []
  if (rest === 'frames') return frames(id)
  if (rest === 'temperatures') return { heaters: id === '205' ? {} : heaters() }
  if (rest === 'link')
    return { print_id: found.id, url: null, created_at: null, obstacle: found.video_url ? null : 'no_video' }
  return rest === '' ? found : undefined
}

const toAlert = async (page: Page) => {
  const slider = page.getByRole('slider').first()
  await slider.waitFor()
  await slider.press('End')
}

const away = { signedIn: false }
export const printpageShots = [
  { name: 'print', path: 'prints/201/', act: toAlert },
  { name: 'print-working', path: 'prints/202/', act: toAlert },
  { name: 'print-archived', path: 'prints/203/' },
  { name: 'print-short', path: 'prints/204/' },
  { name: 'print-no-ffmpeg', path: 'prints/205/' },
  { name: 'print-shared', path: 'prints/share_token/abc/', world: away, act: toAlert },
]
