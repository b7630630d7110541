/**
 * The known temporal logic (docs/rules/watch.md 3, docs/detector.md), exact to the constants: the default for
 * the Obico-shaped backend. Counts frames, not seconds; tuned for one frame each 10 s.
 */
import type { Decision } from './decision.rules.ts'

export const CLASSIC = {
  ewmSpan: 12,
  windowShort: 310,
  windowLong: 7200,
  thresholdLow: 0.38,
  thresholdHigh: 0.78,
  initSafeFrames: 30,
  shortMultiple: 3.8,
  escalatingFactor: 1.75,
  /** Boxes are drawn above this confidence. */
  visualizationThreshold: 0.2,
  /** A frame whose p is above this is a candidate for feedback. */
  highPredictionLimit: 0.38 * 0.2,
} as const

/** The statistics of one printer; plain JSON. Frame numbers count analysed frames. */
export interface ClassicState {
  currentFrameNum: number
  lifetimeFrameNum: number
  currentP: number
  ewmMean: number
  rollingMeanShort: number
  rollingMeanLong: number
}

/** The state of a printer that has never been watched. */
export function newClassicState(): ClassicState {
  return {
    currentFrameNum: 0,
    lifetimeFrameNum: 0,
    currentP: 0,
    ewmMean: 0,
    rollingMeanShort: 0,
    rollingMeanLong: 0,
  }
}

/** At every print start and end: the print's figures become 0, the printer's stay (docs/rules/watch.md 3). */
export function resetForPrint(state: ClassicState): ClassicState {
  return { ...state, currentFrameNum: 0, currentP: 0, ewmMean: 0, rollingMeanShort: 0 }
}

interface ScoreOptions {
  /** The printer's `detection_bending_factor`: multiplies each confidence. */
  bendingFactor?: number | null
  /** Keep only that many of the strongest boxes. */
  maxDetNum?: number | null
}

/** p of a frame: the sum of its confidences, bent and capped in number; unbounded (docs/rules/watch.md 3). */
export function frameScore(confidences: readonly number[], options: ScoreOptions = {}): number {
  const strongest = confidences.toSorted((a, b) => b - a).slice(0, options.maxDetNum ?? undefined)
  return strongest.reduce((sum, one) => sum + one * (options.bendingFactor ?? 1), 0)
}

/** The state after one more frame, `p` being its confidences or their sum (docs/rules/watch.md 3). */
export function update(
  state: ClassicState,
  p: number | readonly number[],
  options: ScoreOptions = {},
): ClassicState {
  const currentP = frameScore(typeof p === 'number' ? [p] : p, options)
  const currentFrameNum = state.currentFrameNum + 1
  const lifetimeFrameNum = state.lifetimeFrameNum + 1
  const alpha = 2 / (CLASSIC.ewmSpan + 1)
  return {
    currentFrameNum,
    lifetimeFrameNum,
    currentP,
    ewmMean: currentP * alpha + state.ewmMean * (1 - alpha),
    rollingMeanShort: roll(state.rollingMeanShort, currentP, currentFrameNum, CLASSIC.windowShort),
    rollingMeanLong: roll(state.rollingMeanLong, currentP, lifetimeFrameNum, CLASSIC.windowLong),
  }
}

function roll(mean: number, p: number, count: number, window: number): number {
  return mean + (p - mean) / (window <= count ? window : count + 1)
}

/** Whether the print is failing at escalation `factor`: 1 to alert, 1.75 to pause (docs/rules/watch.md 3). */
export function failing(state: ClassicState, sensitivity: number, factor: number): boolean {
  if (state.currentFrameNum < CLASSIC.initSafeFrames) return false
  const risen = ((state.ewmMean - state.rollingMeanLong) * sensitivity) / factor
  if (risen < CLASSIC.thresholdLow) return false
  if (risen > CLASSIC.thresholdHigh) return true
  return risen > (state.rollingMeanShort - state.rollingMeanLong) * CLASSIC.shortMultiple
}

/** What to do now; never both (docs/rules/watch.md 3). */
export function decide(state: ClassicState, sensitivity: number): Decision {
  const shouldPause = failing(state, sensitivity, CLASSIC.escalatingFactor)
  return { shouldPause, shouldAlert: !shouldPause && failing(state, sensitivity, 1) }
}

/** The gauge, 0..1: above 1/3 goes with an alert, above 2/3 with a pause (docs/rules/watch.md 3). */
export function normalizedP(state: ClassicState, sensitivity: number): number {
  return gauge(state.ewmMean, state.rollingMeanShort, state.rollingMeanLong, sensitivity)
}

/** The gauge formula of 3.5 over the three means. */
export function gauge(ewm: number, short: number, long: number, sensitivity: number): number {
  const relative = (short - long) * CLASSIC.shortMultiple
  const warn = Math.min(Math.max(relative, CLASSIC.thresholdLow), CLASSIC.thresholdHigh)
  const pause = warn * CLASSIC.escalatingFactor
  const risen = (ewm - long) * sensitivity
  if (risen <= warn) return Math.max(0, risen / warn) / 3
  if (risen <= pause) return (1 + (risen - warn) / (pause - warn)) / 3
  return Math.min(1, (2 + (risen - pause) / (0.5 * pause)) / 3)
}
