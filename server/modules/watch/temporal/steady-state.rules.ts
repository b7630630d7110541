/** What the steady logic remembers of a printer; see steady.rules.ts for what it means. */
import { z } from 'zod'
import { type CameraMemory, cameraMemory, newCamera, nextPrint } from './camera.rules.ts'
import { GRID_CELLS, NOTHING_HOT, packGrid } from './heat-grid.rules.ts'
import { STEADY } from './steady-constants.rules.ts'

/** The owner's answers that are in force: how often "Not a failure?", when last (epoch milliseconds), confirmed failures. */
const taught = z.object({ sound: z.int(), soundAt: z.number().nullable(), failures: z.int() })
export type Taught = z.infer<typeof taught>
const UNTAUGHT: Taught = { sound: 0, soundAt: null, failures: 0 }

/** What is remembered of a printer between frames: plain JSON under 4 kB. Times in epoch milliseconds. */
const steadyState = z.object({
  /** What the owner has said about what this camera shows; none under an older version of Vigil. */
  taught: taught.default(UNTAUGHT),
  /** By how much what is known of this camera lowered the last frame, in log-odds. */
  takenOff: z.number().default(0),
  version: z.literal(3),
  /** Key of the model under which everything below was learnt, see {@link underModel}; null before the first look. */
  model: z.string().nullable(),
  /** Usable frames and watched seconds of this print. */
  frames: z.number(),
  seconds: z.number(),
  lastAt: z.number().nullable(),
  graceUntil: z.number().nullable(),
  p: z.number(),
  /** The smoothed evidence: the higher of the mean of p and of how far the mean level stands out of the camera's normal. */
  ewm: z.number(),
  ewmOfP: z.number(),
  level: z.number(),
  /** The same of what a pause goes by: without anything that was there when the print began. */
  fresh: z.number(),
  freshOfP: z.number(),
  freshLevel: z.number(),
  short: z.number(),
  long: z.number(),
  longSeconds: z.number(),
  baselineSeconds: z.number(),
  /** Grids, see heat-grid.rules.ts. */
  baseline: z.string(),
  dismissed: z.string(),
  opening: z.string(),
  recent: z.string(),
  /** What was told as a failure and is not answered yet: the hottest of each place since then, for two minutes. */
  told: z.object({ grid: z.string(), since: z.number() }).nullable().default(null),
  /** Ten bits for each cell (two bytes, low byte first): in which of the last frames it was hot. */
  hot: z.string(),
  /** Ten bits: in which of the last frames the p of the frame was worth a warning. */
  raised: z.number(),
  camera: cameraMemory,
})
export type SteadyState = z.infer<typeof steadyState>

/** The state of a printer that has never been watched. */
export function newSteadyState(): SteadyState {
  const cold = packGrid(new Uint8Array(GRID_CELLS))
  return {
    version: 3,
    model: null,
    frames: 0,
    seconds: 0,
    lastAt: null,
    graceUntil: null,
    p: 0,
    ewm: STEADY.priorMean,
    ewmOfP: STEADY.priorMean,
    level: STEADY.usual.level,
    fresh: STEADY.priorMean,
    freshOfP: STEADY.priorMean,
    freshLevel: STEADY.usual.level,
    short: STEADY.priorMean,
    long: STEADY.priorMean,
    longSeconds: STEADY.priorSeconds,
    baselineSeconds: STEADY.priorSeconds,
    baseline: cold,
    dismissed: cold,
    opening: cold,
    recent: cold,
    told: null,
    hot: NOTHING_HOT,
    raised: 0,
    camera: newCamera(),
    taught: UNTAUGHT,
    takenOff: 0,
  }
}

/** What every version says. */
const times = steadyState.pick({ lastAt: true, graceUntil: true })

/**
 * The state kept in a row; a new one for null. Versions 1 and 2 do not say under which model they were learnt, so only
 * their times are read; the same of one that is damaged, if it still has them.
 */
export function readSteadyState(stored: unknown): SteadyState {
  const whole = steadyState.safeParse(stored)
  if (whole.success) return whole.data
  const known = times.safeParse(stored)
  return known.success ? startedOver(known.data, null) : newSteadyState()
}

/** The state for a look of a model: levels that another one gave are on another scale, and are forgotten. */
export function underModel(state: SteadyState, model: string): SteadyState {
  return state.model === model ? state : startedOver(state, model)
}

/** As of a printer that has never been watched, but for the clock and the grace after a resume. */
const startedOver = (
  { lastAt, graceUntil }: Pick<SteadyState, 'lastAt' | 'graceUntil'>,
  model: string | null,
): SteadyState => ({ ...newSteadyState(), model, lastAt, graceUntil })

/** The camera was moved: what was known of its view no longer fits, and the print begins anew in the new one. */
export function forgetView(state: SteadyState): SteadyState {
  const { model, long, longSeconds, short, lastAt, graceUntil } = state
  return { ...begun(long, newCamera()), model, longSeconds, short, lastAt, graceUntil }
}

/**
 * The owner wants this camera judged without what was learnt of it. What the running print found when it began
 * stays, so that nothing which fails now is taken for normal.
 */
export function forgetLearnt(state: SteadyState): SteadyState {
  const { baseline, baselineSeconds, dismissed, long, longSeconds, camera, taught: said } = newSteadyState()
  const known = { baseline, baselineSeconds, dismissed, long, longSeconds, taught: said }
  return { ...state, ...known, camera: { ...state.camera, before: camera.before } }
}

/** At every print start and end: what belongs to the print is forgotten, what belongs to the camera stays. */
export function resetForPrint(state: SteadyState): SteadyState {
  const { model, long, longSeconds, baseline, baselineSeconds, dismissed, taught: said } = state
  const next = begun(long, nextPrint(state.camera))
  return { ...next, model, longSeconds, baseline, baselineSeconds, dismissed, taught: said }
}

/** The means of a print that begins, on a printer with this long mean and camera. */
function begun(long: number, camera: CameraMemory): SteadyState {
  const { level } = camera.before
  const means = { ewm: long, ewmOfP: long, fresh: long, freshOfP: long, short: long, long }
  return { ...newSteadyState(), ...means, level, freshLevel: level, camera }
}
