/**
 * The improved temporal logic for our own model (detection.md 5, issue 4 part 3). Thresholds, gauge and the
 * meaning of sensitivity are those of classic.rules.ts; what differs, and why:
 *
 * - The model's score s (0..1, calibrated so that 0.5 is worth a warning if it lasts, docs/detector.md) becomes
 *   p = clamp((s - 0.2) * 1.6, 0, 1.5): 0.5 gives 0.48, which warns after 2.5 minutes and never pauses; 0.58
 *   gives 0.6, which warns after 70 s; a pause needs a lasting 0.63 or more; 0.9 (1.12) pauses after 70 s.
 * - Decay follows the clock: 65 s (ewm), 52 min (short), 20 h (long); a step counts at most 30 s, so lost
 *   pictures neither stretch time nor give one picture the weight of many.
 * - `long` starts at 0.02 with the weight of an hour and `short` starts at `long`: a failure from the first
 *   layer of a new printer warns and pauses, which the classic logic misses.
 * - What is known of a camera is taken off the heat before scoring: a slow baseline (20 h), and what the owner
 *   said is no failure. What was hot in the first minute of the print was there before it, so it counts
 *   little for a warning and nothing for a pause.
 * - A warning needs heat in 3 of the last 10 frames, a pause heat in one place in 6 of them.
 * - Unusable pictures (dark, frozen, ...) and idle frames teach nothing; while paused everything decays.
 */
import type { Decision } from './alert.rules.ts'
import { CLASSIC, gauge } from './classic.rules.ts'
import {
  approach,
  cooler,
  dilate,
  excess,
  GRID_CELLS,
  gridOf,
  type Heat,
  hotter,
  hottestMean,
  MEMORY_MASK,
  mostPersistent,
  NOTHING_HOT,
  ones,
  packGrid,
  rememberHot,
  unpackGrid,
} from './heat-grid.rules.ts'
import { STEADY, type SteadyState } from './steady-state.rules.ts'

/** One analysed picture, or a moment without one. */
export interface SteadyFrame {
  /** Epoch milliseconds; a frame that is not later than the last one is ignored. */
  at: number
  /** The model's score, 0..1. */
  score: number
  heat: Heat | null
  /** False when the picture is dark, frozen, covered ...: nothing is learnt and nothing decided. */
  usable: boolean
  /** True while the print is paused or the printer idle: means decay, nothing is learnt. */
  paused?: boolean
}

/** p of a model score: clamp((s - 0.2) * 1.6, 0, 1.5); monotone. */
export function scoreToP(score: number): number {
  const p = (score - STEADY.scoreFloor) * STEADY.scoreSlope
  return Math.min(STEADY.maxP, Math.max(0, p)) || 0
}

/** The state after one more frame. */
export function update(state: SteadyState, frame: SteadyFrame, sensitivity = 1): SteadyState {
  if (state.lastAt !== null && frame.at <= state.lastAt) return state
  const gap = state.lastAt === null ? 0 : (frame.at - state.lastAt) / 1000
  if (!frame.usable) return state.lastAt === null ? { ...state, lastAt: frame.at } : state
  const waited = decayed({ ...state, lastAt: frame.at }, Math.max(0, gap - STEADY.staleGap))
  const dt = state.lastAt === null ? 10 : Math.min(gap, STEADY.maxStep)
  if (frame.paused) return rested(waited, dt)
  const seen = look(waited, frame)
  const next = withMeans(withPlaces(waited, seen), seen, dt)
  return learnt(next, seen, dt, decide(next, sensitivity))
}

/** What one frame shows beyond what is known of the camera. */
interface Seen {
  grid: Uint8Array
  p: number
  fresh: number
  hot: Uint8Array
}

function look(state: SteadyState, frame: SteadyFrame): Seen {
  if (!frame.heat) {
    const p = scoreToP(frame.score)
    const everywhere = new Uint8Array(GRID_CELLS).fill(p >= CLASSIC.thresholdLow ? 1 : 0)
    return { grid: new Uint8Array(GRID_CELLS), p, fresh: p, hot: everywhere }
  }
  const grid = gridOf(frame.heat)
  const known = hotter(unpackGrid(state.baseline), unpackGrid(state.dismissed))
  const opening = state.frames === 0 ? grid : unpackGrid(state.opening)
  const all = Math.max(1, hottestMean(grid, STEADY.topCells))
  const left = (taken: Uint8Array) => hottestMean(excess(grid, taken), STEADY.topCells) / all
  const freshKnown = hotter(known, opening)
  const hot = dilate(excess(grid, freshKnown)).map((value) => (value >= STEADY.hotExcess ? 1 : 0))
  return {
    grid,
    p: scoreToP(frame.score * left(hotter(known, opening, STEADY.openingShare))),
    fresh: scoreToP(frame.score * left(freshKnown)),
    hot,
  }
}

const inOpening = (state: SteadyState) => state.frames < STEADY.warmUpFrames

function withPlaces(state: SteadyState, seen: Seen): SteadyState {
  const raised = ((state.raised << 1) | (seen.p >= CLASSIC.thresholdLow ? 1 : 0)) & MEMORY_MASK
  return { ...state, hot: rememberHot(state.hot, seen.hot), raised }
}

function withMeans(state: SteadyState, seen: Seen, dt: number): SteadyState {
  const quick = 1 - Math.exp(-dt / STEADY.tauEwm)
  // The first minute can't hold a failure of this print: its heat is what the print found, so `fresh` waits.
  const fresh = inOpening(state) ? state.long : state.fresh + (seen.fresh - state.fresh) * quick
  return {
    ...state,
    frames: state.frames + 1,
    seconds: state.seconds + dt,
    p: seen.p,
    ewm: state.ewm + (seen.p - state.ewm) * quick,
    fresh,
    short: state.short + (seen.p - state.short) * (1 - Math.exp(-dt / STEADY.tauShort)),
  }
}

/** Learns the camera's ways, unless something is wrong just now: a failure must not become the normal. */
function learnt(state: SteadyState, seen: Seen, dt: number, decision: Decision): SteadyState {
  const quick = 1 - Math.exp(-dt / STEADY.tauEwm)
  const recent = approach(unpackGrid(state.recent), seen.grid, quick, state.frames)
  const opened = { ...state, recent: packGrid(recent), ...openingOf(state, seen.grid, dt) }
  if (decision.shouldAlert || decision.shouldPause) return opened
  const longSeconds = Math.min(STEADY.tauLong, state.longSeconds + dt)
  const baselineSeconds = Math.min(STEADY.tauLong, state.baselineSeconds + dt)
  const baseline = approach(unpackGrid(state.baseline), seen.grid, dt / baselineSeconds, state.frames)
  return {
    ...opened,
    longSeconds,
    baselineSeconds,
    long: state.long + ((state.p - state.long) * dt) / longSeconds,
    baseline: packGrid(baseline),
  }
}

/** What the print found when it began: the coolest of its first frames; forgotten in 5 minutes once it goes. */
function openingOf(state: SteadyState, grid: Uint8Array, dt: number): Partial<SteadyState> {
  if (state.frames === 1) return { opening: packGrid(grid) }
  const opening = unpackGrid(state.opening)
  if (state.frames < STEADY.warmUpFrames) return { opening: packGrid(cooler(opening, grid)) }
  const fallen = approach(opening, cooler(opening, grid), dt / 300, state.frames)
  if (state.frames > STEADY.warmUpFrames) return { opening: packGrid(fallen) }
  // A spot that was dismissed in an earlier print and is cold now was part of that print, not of the scene.
  const dismissed = cooler(unpackGrid(state.dismissed), dilate(hotter(opening, opening, 1.2)))
  return { opening: packGrid(cooler(opening, grid)), dismissed: packGrid(dismissed) }
}

/** Seconds in which nothing was seen: the quick means fall back to the printer's normal. */
function decayed(state: SteadyState, seconds: number): SteadyState {
  if (seconds <= 0) return state
  const kept = Math.exp(-seconds / STEADY.tauEwm)
  const fall = (value: number) => state.long + (value - state.long) * kept
  return { ...state, ewm: fall(state.ewm), fresh: fall(state.fresh) }
}

function rested(state: SteadyState, dt: number): SteadyState {
  return { ...decayed(state, dt), p: 0, raised: 0, hot: NOTHING_HOT }
}

/** In how many of the last ten frames the most persistent place was hot (0..10). */
export const persistence = (state: SteadyState) => mostPersistent(state.hot)

function risenEnough(risen: number, state: SteadyState): boolean {
  if (risen < CLASSIC.thresholdLow) return false
  return risen > CLASSIC.thresholdHigh || risen > (state.short - state.long) * CLASSIC.shortMultiple
}

/** Whether the print is failing at escalation `factor` (1 to warn, 1.75 to pause), before grace after a resume. */
export function failing(state: SteadyState, sensitivity: number, factor: number): boolean {
  if (state.frames <= STEADY.warmUpFrames || state.seconds <= STEADY.warmUpSeconds) return false
  if (!risenEnough(((state.ewm - state.long) * sensitivity) / factor, state)) return false
  if (factor <= 1) return ones(state.raised) >= STEADY.warnFrames
  const fresh = ((state.fresh - state.long) * sensitivity) / factor
  return risenEnough(fresh, state) && persistence(state) >= STEADY.pauseFrames
}

/** What to do now; never both. */
export function decide(state: SteadyState, sensitivity: number): Decision {
  const inGrace = state.graceUntil !== null && state.lastAt !== null && state.lastAt < state.graceUntil
  const shouldPause = !inGrace && failing(state, sensitivity, CLASSIC.escalatingFactor)
  return { shouldPause, shouldAlert: !shouldPause && failing(state, sensitivity, 1) }
}

/** The gauge, 0..1, by the formula of api-contract 3.5; held at 2/3 while a pause is not justified. */
export function normalizedP(state: SteadyState, sensitivity: number): number {
  const value = gauge(state.ewm, state.short, state.long, sensitivity)
  return value > 2 / 3 && !failing(state, sensitivity, CLASSIC.escalatingFactor) ? 2 / 3 : value
}

/** After a resume: the quick means start over and nothing pauses for 3 minutes. `at` in epoch milliseconds. */
export function resumed(state: SteadyState, at: number): SteadyState {
  const calm = rested({ ...state, ewm: state.long, fresh: state.long }, 0)
  return { ...calm, graceUntil: at + STEADY.resumeGrace * 1000 }
}

/** After "Not a failure?": what is hot now is taken off from here on, wherever it stays; the means start over. */
export function learnBaseline(state: SteadyState): SteadyState {
  const recent = unpackGrid(state.recent)
  const dismissed = hotter(unpackGrid(state.dismissed), dilate(recent))
  return { ...rested({ ...state, ewm: state.long, fresh: state.long }, 0), dismissed: packGrid(dismissed) }
}
