import type { Replay, ReplayCurve, ReplayRun } from '@vigil/contract/replay.ts'
import type { Page } from 'playwright-core'
import { ago } from './time.ts'

const LOOKS = 400

const curve = (from: number, rise: number, more: Partial<ReplayCurve>): ReplayCurve => ({
  t: Array.from({ length: LOOKS }, (_, at) => at * 20),
  gauge: Array.from({ length: LOOKS }, (_, at) => {
    const quiet = 6 + 5 * Math.sin(at / 9) + 3 * Math.sin(at / 2.3)
    return Math.round(10 * Math.min(97, Math.max(0, quiet + Math.max(0, at - from) * rise))) / 10
  }),
  warned: null,
  paused: null,
  looks: 1184,
  blind: 3,
  models: ['vigil-strands 5'],
  ...more,
})

const was = curve(250, 0.9, { warned: 5640, paused: 6240 })
const now = curve(300, 0.45, { warned: 7480 })
const DONE: ReplayRun = {
  state: 'done',
  looked: 1184,
  frames: 1184,
  model: 'vigil-strands 5',
  done_at: ago(900),
}

const replay = (id: number, frames: number, run: ReplayRun | null): Replay => ({
  print_id: id,
  filename: 'bracket_left_v3.gcode',
  started_at: ago(90_000),
  seconds: LOOKS * 20,
  was,
  had_zones: frames === 0,
  printer: {
    id: 1,
    name: 'Voron 2.4',
    sensitivity: 1,
    zones: [
      [
        { x: 0.02, y: 0.7 },
        { x: 0.3, y: 0.72 },
        { x: 0.28, y: 0.97 },
        { x: 0.02, y: 0.95 },
      ],
    ],
    has_learnt: true,
  },
  frames,
  run,
  model: 'vigil-strands 5',
})

/** What the stub answers of a replay, or undefined: print 1 has today's scores, 2 none, 3 has lost its pictures. */
export function answerReplay(path: string): unknown {
  const [, id, rest = ''] = /^\/api\/v1\/prints\/([123])\/replay\/(?:(\w+)\/)?$/.exec(path) ?? []
  if (id === undefined) return undefined
  const run =
    id === '1' ? DONE : id === '2' ? { ...DONE, state: 'running', looked: 412, done_at: null } : null
  if (rest === 'run') return { run }
  if (rest === 'decide') return now
  if (rest === 'frame') return { url: '/media/mess.svg', t: 10 }
  return replay(Number(id), id === '3' ? 0 : 1184, run as ReplayRun | null)
}

const settled = (page: Page) =>
  page
    .getByRole('button', { name: /2 (h|小时) 0?5/ })
    .first()
    .waitFor()

export const replayShots = [
  { name: 'replay', path: 'prints/1/replay/', act: settled },
  { name: 'replay-running', path: 'prints/2/replay/', act: settled },
  { name: 'replay-expired', path: 'prints/3/replay/', act: settled },
]
