/** What the steady logic remembers of a printer, and its constants; see steady.rules.ts for what they mean. */
import { GRID_CELLS, NOTHING_HOT, packGrid } from './heat-grid.rules.ts'

export const STEADY = {
  scoreFloor: 0.2,
  scoreSlope: 1.6,
  maxP: 1.5,
  tauEwm: 65,
  tauShort: 52 * 60,
  tauLong: 20 * 3600,
  priorMean: 0.02,
  priorSeconds: 3600,
  maxStep: 30,
  /** Evidence older than this gap without a usable picture fades. */
  staleGap: 300,
  /** No decision within this many seconds and frames of a print. */
  warmUpSeconds: 60,
  warmUpFrames: 6,
  /** A cell is hot when it exceeds what is known by this much (of 255). */
  hotExcess: 77,
  warnFrames: 3,
  pauseFrames: 6,
  /** Share of the first minute's heat that is taken off before a warning. */
  openingShare: 0.5,
  /** Seconds after a resume in which nothing pauses. */
  resumeGrace: 180,
  /** The coarse cells that carry the score. */
  topCells: 4,
} as const

/** What is remembered of a printer between frames: plain JSON under 4 kB. Times in epoch milliseconds. */
export interface SteadyState {
  version: 1
  /** Usable frames and watched seconds of this print. */
  frames: number
  seconds: number
  lastAt: number | null
  graceUntil: number | null
  p: number
  ewm: number
  /** As ewm, without anything that was there when the print began; a pause goes by it. */
  fresh: number
  short: number
  long: number
  longSeconds: number
  baselineSeconds: number
  /** Grids, see heat-grid.rules.ts. */
  baseline: string
  dismissed: string
  opening: string
  recent: string
  /** Ten bits for each cell (two bytes, low byte first): in which of the last frames it was hot. */
  hot: string
  /** Ten bits: in which of the last frames the p of the frame was worth a warning. */
  raised: number
}

/** The state of a printer that has never been watched. */
export function newSteadyState(): SteadyState {
  const cold = packGrid(new Uint8Array(GRID_CELLS))
  return {
    version: 1,
    frames: 0,
    seconds: 0,
    lastAt: null,
    graceUntil: null,
    p: 0,
    ewm: STEADY.priorMean,
    fresh: STEADY.priorMean,
    short: STEADY.priorMean,
    long: STEADY.priorMean,
    longSeconds: STEADY.priorSeconds,
    baselineSeconds: STEADY.priorSeconds,
    baseline: cold,
    dismissed: cold,
    opening: cold,
    recent: cold,
    hot: NOTHING_HOT,
    raised: 0,
  }
}

/** The camera was moved: what was known of its view no longer fits. */
export function forgetView(state: SteadyState): SteadyState {
  const { baseline, dismissed, baselineSeconds } = newSteadyState()
  return { ...state, baseline, dismissed, baselineSeconds }
}

/** At every print start and end: what belongs to the print is forgotten, what belongs to the camera stays. */
export function resetForPrint(state: SteadyState): SteadyState {
  const { long, longSeconds, baseline, baselineSeconds, dismissed } = state
  return {
    ...newSteadyState(),
    long,
    longSeconds,
    baseline,
    baselineSeconds,
    dismissed,
    ewm: long,
    fresh: long,
    short: long,
  }
}
