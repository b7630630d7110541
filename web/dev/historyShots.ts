/** The history in the screenshots: twenty prints of two months, and what they come to. */
import type { Print, PrintTotals } from '@vigil/contract/prints.ts'
import type { Page } from 'playwright-core'
import type { World } from './stub.ts'
import { ago } from './time.ts'

const NAMES = [
  'vase.gcode',
  'vase_spiral.gcode',
  'bowl_scalloped.gcode',
  'hinge_set_x6.gcode',
  'a_very_long_file_name_that_does_not_fit_on_any_card_0.2mm_PETG_MK4_final_final2.gcode',
  'lid_120mm.gcode',
]
const PRINTERS = ['Voron 2.4', 'Prusa in the cellar', 'Ender 3']
const DAY = 86_400
const COUNT = 20

/** One of the prints, by its place in the history. */
export function historyPrint(at: number): Print {
  const [began, ended] = [
    ago(at * DAY * 2.1 + 9_000),
    ago(at * DAY * 2.1 + 9_000 - 600 - ((at * 977) % 8_000)),
  ]
  const isCancelled = at % 5 === 2
  const isAlerted = at % 6 === 1
  const hasVideo = at % 4 !== 3
  const film = hasVideo ? '/media/lapse.mp4' : null
  return {
    id: 100 - at,
    printer: at % 7 === 6 ? null : ({ id: (at % 3) + 1, name: PRINTERS[at % 3] } as Print['printer']),
    g_code_file: null,
    filename: NAMES[at % NAMES.length] ?? '',
    started_at: began,
    ended_at: ended,
    finished_at: isCancelled ? null : ended,
    cancelled_at: isCancelled ? ended : null,
    uploaded_at: at % 7 === 6 ? ended : null,
    alerted_at: isAlerted ? ended : null,
    alert_acknowledged_at: null,
    alert_muted_at: null,
    paused_at: null,
    paused_by: null,
    video_url: film,
    tagged_video_url: film,
    poster_url: at % 9 === 8 ? null : `/media/${isAlerted ? 'failing' : 'good'}.svg`,
    alert_overwrite: [null, 'FAILED', 'NOT_FAILED', null][at % 4] as Print['alert_overwrite'],
    filament_used: at % 8 === 7 ? null : 900 + ((at * 2_791) % 15_000),
    print_time: 600 + ((at * 977) % 20_000),
    access_consented_at: null,
    video_archived_at: at % 8 === 3 ? ended : null,
    need_alert_overwrite: false,
    need_print_shot_feedback: false,
    prediction_json_url: '/api/v1/prints/1/prediction_json/',
    printshotfeedback_set: [],
    firstlayerinspection_set: [],
    watched: watchedOf(at),
  }
}

/** Most were watched, some in part, one not at all. */
function watchedOf(at: number): Print['watched'] {
  if (at % 7 === 6) return null
  const of = 600 + ((at * 977) % 20_000)
  if (at % 7 === 3) return { seconds: Math.round(of * 0.71), of, unseen: ['picture_dark', 'server_down'] }
  return at % 7 === 5 ? { seconds: 0, of, unseen: ['disabled'] } : { seconds: of - 9, of, unseen: [] }
}

const history = Array.from({ length: COUNT }, (_, at) => historyPrint(at))

function totalsOf(prints: readonly Print[]): PrintTotals {
  const sums = (some: readonly Print[]) => ({
    count: some.length,
    print_time: some.reduce((sum, { print_time }) => sum + (print_time ?? 0), 0),
    filament_used: some.reduce((sum, { filament_used }) => sum + (filament_used ?? 0), 0),
  })
  const months = Map.groupBy(prints, ({ started_at }) => (started_at ?? '').slice(0, 7))
  return {
    ...sums(prints),
    succeeded: prints.filter(({ finished_at }) => finished_at).length,
    cancelled: prints.filter(({ cancelled_at }) => cancelled_at).length,
    running: 0,
    need_alert_overwrite: 3,
    months: [...months].map(([month, some]) => ({ month, ...sums(some) })),
  }
}

/** What the server says of prints where a screenshot has some. */
export function answerHistory({ prints }: World, path: string): { status: number; body: unknown } | null {
  if (!prints) return null
  if (path === '/api/v1/prints/') return { status: 200, body: prints }
  return path === '/api/v1/prints/totals/' ? { status: 200, body: totalsOf(prints) } : null
}

const ended = { prints: history }

async function choose(page: Page, button: RegExp, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitemradio', { name: item }).click()
}

export const historyShots = [
  { name: 'history', path: 'print_history/', world: ended },
  { name: 'timelapses', path: 'timelapses/', world: ended },
  { name: 'history-empty', path: 'print_history/', world: { prints: [] } },
  {
    name: 'history-chosen',
    path: 'print_history/98/',
    world: ended,
    act: async (page: Page) => {
      for (const at of [0, 2, 3]) await page.getByRole('checkbox').nth(at).check()
    },
  },
  {
    name: 'history-delete',
    path: 'timelapses/',
    world: ended,
    act: async (page: Page) => {
      for (const at of [0, 1]) await page.getByRole('checkbox').nth(at).check()
      await page.getByRole('button', { name: /^(Delete|删除) ?2/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'history-days',
    path: 'print_history/',
    world: ended,
    act: async (page: Page) => {
      await choose(page, /^(Time|时间)/, /…/)
      await page.getByRole('button', { name: /^(Show these|显示这些)/ }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'history-printers',
    path: 'print_history/',
    world: ended,
    act: async (page: Page) => {
      await page.getByRole('button', { name: /^(Printers|打印机)/ }).click()
      await page.getByRole('menuitemcheckbox').nth(2).click()
    },
  },
]
