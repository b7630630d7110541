/**
 * The improved temporal logic for our own model (docs/detector.md, docs/detector.md). Thresholds, gauge and the
 * meaning of sensitivity are those of classic.rules.ts; what differs, and why:
 *
 * - Evidence comes in two ways, and the stronger counts. By itself: the score s (0..1, calibrated, docs/detector.md)
 *   becomes p = clamp((s - 0.5) * 1.7, 0, 1.5), smoothed over 65 s: a lasting 0.74 warns, a lasting 0.91 pauses.
 *   For this camera: one threshold does not fit all, so the log-odds of s, smoothed in the same way, are
 *   measured by what is normal for this camera in this print (camera.rules.ts). Three deviations above it warn, even
 *   at a score of 0.15, if it stays in one place; a camera that is noisy by nature needs as much more in both ways.
 * - A pause is harder: the rise counts half at a score of 0.61, nothing below 0.43, and not at all where the
 *   print found heat when it began; and one place must be hot in 6 of the last 10 frames (3 for a warning).
 * - Decay follows the clock: 65 s (ewm), 52 min (short), 20 h (long); a step counts at most 30 s, so lost
 *   pictures neither stretch time nor give one picture the weight of many.
 * - `long` starts at 0.02 with the weight of an hour, `short` at `long`, and a camera that nobody has seen has a usual
 *   normal: a failure from the first layer of a new printer warns and pauses, which the classic logic misses.
 * - What is known of a camera's places is taken off first: a slow baseline (20 h), and what the owner said is no
 *   failure. What was hot in the first minute of the print was there before it, so it counts little for a warning,
 *   and nothing for a pause but what grows over it.
 * - Unusable pictures (dark, frozen, ...) and idle frames teach nothing; while paused everything decays. The first
 *   minute of a print is learnt at once, later frames 80 s late, and none that led to a rise.
 */
import type { Decision } from './decision.rules.ts'
import { followLevel, learnLevel, type Normal, normalOf, standsOut } from './camera.rules.ts'
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
  MEMORY_MASK,
  mostPersistent,
  NOTHING_HOT,
  ones,
  packGrid,
  rememberHot,
  topLevel,
  unpackGrid,
} from './heat-grid.rules.ts'
import { byteOfLevel, levelOfByte, levelOfScore, scoreOfLevel } from './odds.rules.ts'
import { STEADY } from './steady-constants.rules.ts'
import type { SteadyState } from './steady-state.rules.ts'

/** One analysed picture, or a moment without one. */
export interface SteadyFrame {
  /** Epoch milliseconds; a frame a little before the last one is ignored. */
  at: number
  /** The model's score, 0..1. */
  score: number
  heat: Heat | null
  /** False when the picture is dark, frozen, covered ...: nothing is learnt and nothing decided. */
  usable: boolean
  /** True while the print is paused or the printer idle: means decay, nothing is learnt. */
  paused?: boolean
}

const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** p of a model score: clamp((s - 0.5) * 1.7, 0, 1.5); monotone. */
export function scoreToP(score: number): number {
  return between((score - STEADY.scoreFloor) * STEADY.scoreSlope, 0, STEADY.maxP) || 0
}

/** p of a frame's level (log-odds) by itself; a camera that is noisy by nature needs as much more. */
export function levelToP(level: number, normal: Normal): number {
  const noise = between(normal.level - STEADY.noisyLevel, 0, STEADY.noisyMost)
  return scoreToP(scoreOfLevel(level - noise))
}

/** How far a smoothed level stands out of a camera's normal, at the scale of p. */
function riseToP(level: number, normal: Normal): number {
  const risen = (standsOut(level, normal) - STEADY.standsOutFrom) * STEADY.standsOutSlope
  return between(risen, 0, STEADY.maxP)
}

/** A frame so long before the last one comes from a clock that was set back, not from a queue. */
const SET_BACK_MS = 60_000
const USUAL_STEP_MS = 10_000

/** The state after one more frame. */
export function update(state: SteadyState, frame: SteadyFrame, sensitivity = 1): SteadyState {
  if (state.lastAt !== null && frame.at <= state.lastAt) {
    if (state.lastAt - frame.at < SET_BACK_MS) return state
    return update(onClock(state, frame.at - USUAL_STEP_MS), frame, sensitivity)
  }
  const gap = state.lastAt === null ? 0 : (frame.at - state.lastAt) / 1000
  if (!frame.usable) return state.lastAt === null ? { ...state, lastAt: frame.at } : state
  const waited = decayed({ ...state, lastAt: frame.at }, Math.max(0, gap - STEADY.staleGap))
  const dt = state.lastAt === null ? 10 : Math.min(gap, STEADY.maxStep)
  if (frame.paused) return rested(waited, dt)
  const normal = normalOf(waited.camera)
  const seen = look(waited, frame, normal)
  const next = withMeans(withPlaces(waited, seen), seen, dt, normal)
  return learnt(next, seen, dt, decide(next, sensitivity))
}

/** The state as if its last frame had come at `lastAt`. */
function onClock(state: SteadyState, lastAt: number): SteadyState {
  const shift = lastAt - (state.lastAt ?? lastAt)
  return { ...state, lastAt, graceUntil: state.graceUntil === null ? null : state.graceUntil + shift }
}

/** What one frame shows beyond what is known of the camera. */
interface Seen {
  grid: Uint8Array
  /** The frame's log-odds, less what was known of its places; and less what was there when the print began. */
  level: number
  freshLevel: number
  /** By how much what is known of the camera lowered the frame. */
  takenOff: number
  /** Whether the frame by itself is worth a warning. */
  isRaised: boolean
  /** The places (1) that are hot for this camera. */
  hot: Uint8Array
}

function look(state: SteadyState, frame: SteadyFrame, normal: Normal): Seen {
  const whole = levelOfScore(frame.score)
  const hotLevel = Math.max(STEADY.leastHotLevel, normal.level + STEADY.hotRise)
  const seen = (level: number, freshLevel: number, grid: Uint8Array, hot: Uint8Array): Seen => {
    const isRaised = levelToP(level, normal) >= CLASSIC.thresholdLow || level >= hotLevel
    const atLeast = (value: number) => Math.max(STEADY.leastLevel, value)
    const takenOff = whole - level
    return { grid, level: atLeast(level), freshLevel: atLeast(freshLevel), takenOff, isRaised, hot }
  }
  if (!frame.heat) {
    const nowhere = new Uint8Array(GRID_CELLS)
    return seen(whole, whole, nowhere, whole >= hotLevel ? nowhere.fill(1).slice() : nowhere)
  }
  const grid = gridOf(frame.heat)
  const known = hotter(unpackGrid(state.baseline), unpackGrid(state.dismissed))
  const opening = state.frames === 0 ? grid : unpackGrid(state.opening)
  const rest = excess(grid, known, STEADY.knownTimes)
  const newer = excess(rest, opening, STEADY.openingTimes)
  // The score weighs finer cells than the grid has, so what is known lowers it by as much as it lowers the grid.
  const lowered = (left: Uint8Array) => whole - (topLevel(grid) - topLevel(left))
  const hot = dilate(newer).map((value) => (value >= byteOfLevel(hotLevel) ? 1 : 0))
  return seen(lowered(excess(rest, opening, STEADY.openingShare)), lowered(newer), grid, hot)
}

const inOpening = (state: SteadyState) => state.frames < STEADY.openingFrames

function withPlaces(state: SteadyState, seen: Seen): SteadyState {
  const raised = ((state.raised << 1) | (seen.isRaised ? 1 : 0)) & MEMORY_MASK
  return { ...state, hot: rememberHot(state.hot, seen.hot), raised, takenOff: seen.takenOff }
}

function withMeans(state: SteadyState, seen: Seen, dt: number, normal: Normal): SteadyState {
  const quick = 1 - Math.exp(-dt / STEADY.tauEwm)
  const to = (from: number, value: number) => from + (value - from) * quick
  // The first minute can't hold a failure of this print: its heat is what the print found, so what is fresh waits.
  const isOpening = inOpening(state)
  const p = levelToP(seen.level, normal)
  const level = to(state.level, seen.level)
  const freshLevel = isOpening ? state.freshLevel : to(state.freshLevel, seen.freshLevel)
  const ewmOfP = to(state.ewmOfP, p)
  const freshOfP = isOpening ? state.long : to(state.freshOfP, levelToP(seen.freshLevel, normal))
  const inPlace = Math.min(1, persistence(state) / STEADY.inPlaceFrames)
  const ewm = Math.max(ewmOfP, riseToP(level, normal) * inPlace)
  const fresh = Math.max(freshOfP, riseToP(freshLevel, normal)) * pauseShare(freshLevel)
  const short = state.short + (ewm - state.short) * (1 - Math.exp(-dt / STEADY.tauShort))
  const { frames, seconds } = { frames: state.frames + 1, seconds: state.seconds + dt }
  return { ...state, frames, seconds, p, level, freshLevel, ewmOfP, freshOfP, ewm, fresh, short }
}

/** How much of a rise counts for a pause, 0..1: one that is large for its camera alone warns, and does not pause. */
function pauseShare(level: number): number {
  const [none, all] = STEADY.pauseLevels
  return between((level - none) / (all - none), 0, 1)
}

/** Learns the camera's ways, unless something is wrong just now: a failure must not become the normal. */
function learnt(state: SteadyState, seen: Seen, dt: number, decision: Decision): SteadyState {
  const quick = 1 - Math.exp(-dt / STEADY.tauEwm)
  const recent = approach(unpackGrid(state.recent), seen.grid, quick, state.frames)
  const isRaised = decision.shouldAlert || decision.shouldPause || state.ewm - state.long >= STEADY.doubtRise
  const isOpening = state.frames <= STEADY.openingFrames
  const camera = isOpening
    ? learnLevel(state.camera, state.level)
    : followLevel(state.camera, state.level, isRaised)
  const told =
    decision.shouldAlert || decision.shouldPause ? toldOf(state, hotter(seen.grid, recent)) : state.told
  const opened = { ...state, camera, told, recent: packGrid(recent), ...openingOf(state, seen.grid, dt) }
  if (isRaised) return opened
  const longSeconds = Math.min(STEADY.tauLong, state.longSeconds + dt)
  const baselineSeconds = Math.min(STEADY.tauLong, state.baselineSeconds + dt)
  const baseline = approach(unpackGrid(state.baseline), seen.grid, dt / baselineSeconds, state.frames)
  return {
    ...opened,
    longSeconds,
    baselineSeconds,
    long: state.long + ((state.ewm - state.long) * dt) / longSeconds,
    baseline: packGrid(baseline),
  }
}

/** What the owner is told of, to be known when the answer comes: the sight may flicker, or be gone by then. */
function toldOf({ told, lastAt }: SteadyState, grid: Uint8Array): SteadyState['told'] {
  const at = lastAt ?? 0
  if (told === null) return { grid: packGrid(grid), since: at }
  if (at - told.since > STEADY.toldFor * 1000) return told
  return { ...told, grid: packGrid(hotter(unpackGrid(told.grid), grid)) }
}

/** What the print found when it began: the coolest of its first frames; forgotten in 5 minutes once it goes. */
function openingOf(state: SteadyState, grid: Uint8Array, dt: number): Partial<SteadyState> {
  if (state.frames === 1) return { opening: packGrid(grid) }
  const opening = unpackGrid(state.opening)
  if (state.frames < STEADY.openingFrames) return { opening: packGrid(cooler(opening, grid)) }
  const fallen = approach(opening, cooler(opening, grid), dt / 300, state.frames)
  if (state.frames > STEADY.openingFrames) return { opening: packGrid(fallen) }
  // A spot that was dismissed in an earlier print and is cold now was part of that print, not of the scene.
  const dismissed = cooler(unpackGrid(state.dismissed), dilate(opening.map(warmer)))
  return { opening: packGrid(cooler(opening, grid)), dismissed: packGrid(dismissed) }
}

/** A cell's byte half a level (log-odds) higher: what flickers there is the same thing. */
const warmer = (byte: number) => (byte === 0 ? 0 : byteOfLevel(levelOfByte(byte) + 0.5))

/** Seconds in which nothing was seen: the quick means fall back to the printer's normal. */
function decayed(state: SteadyState, seconds: number): SteadyState {
  if (seconds <= 0) return state
  const kept = Math.exp(-seconds / STEADY.tauEwm)
  const to = (normal: number) => (value: number) => normal + (value - normal) * kept
  const [fall, sink] = [to(state.long), to(normalOf(state.camera).level)]
  return {
    ...state,
    ewm: fall(state.ewm),
    fresh: fall(state.fresh),
    ewmOfP: fall(state.ewmOfP),
    freshOfP: fall(state.freshOfP),
    level: sink(state.level),
    freshLevel: sink(state.freshLevel),
  }
}

function rested(state: SteadyState, dt: number): SteadyState {
  return { ...decayed(state, dt), p: 0, raised: 0, hot: NOTHING_HOT }
}

/** As after a long rest: the quick means start over. */
export const calmed = (state: SteadyState) => rested(state, Infinity)

/** In how many of the last ten frames the most persistent place was hot (0..10). */
export const persistence = (state: SteadyState) => mostPersistent(state.hot)

function risenEnough(risen: number, state: SteadyState): boolean {
  if (risen < CLASSIC.thresholdLow) return false
  return risen > CLASSIC.thresholdHigh || risen > (state.short - state.long) * CLASSIC.shortMultiple
}

/** Whether the print is failing at escalation `factor` (1 to warn, 1.75 to pause), before grace after a resume. */
export function failing(state: SteadyState, sensitivity: number, factor: number): boolean {
  if (state.frames <= STEADY.openingFrames || state.seconds <= STEADY.warmUpSeconds) return false
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

/** The gauge, 0..1, by the formula of docs/rules/watch.md 3; held at 2/3 while a pause is not justified. */
export function normalizedP(state: SteadyState, sensitivity: number): number {
  const value = gauge(state.ewm, state.short, state.long, sensitivity)
  return value > 2 / 3 && !failing(state, sensitivity, CLASSIC.escalatingFactor) ? 2 / 3 : value
}
