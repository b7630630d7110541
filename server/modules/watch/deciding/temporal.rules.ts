import { band } from '@vigil/contract/watch/band.ts'
import type { Box, BoxTone, HeatMap } from '../../../engines/inference/port.ts'
import * as classic from '../temporal/classic.rules.ts'
import { type Decision, QUIET, wordOf } from '../temporal/decision.rules.ts'
import type { PredictionRow } from './predictions.queries.ts'
import * as steady from '../temporal/steady.rules.ts'
import { forgetView, readSteadyState, type SteadyState, underModel } from '../temporal/steady-state.rules.ts'

/** What a decision goes by of what is remembered of a printer. `steady`: as `readSteadyState` takes it. */
export type Remembered = Omit<PredictionRow, 'printerId' | 'steady' | 'watchMark' | 'updatedAt'> & {
  readonly steady: unknown
}

/** What one look found, in the words both logics need. */
export interface Look {
  /** Milliseconds since 1970, of the scaled clock. */
  readonly at: number
  readonly kind: 'vigil' | 'obico'
  /** What the model's scores depend on; what was learnt under another key is forgotten. */
  readonly modelKey: string
  readonly score: number
  readonly boxes: readonly Box[]
  readonly heat: HeatMap | null
  /** False when the picture is blind: nothing is learnt and nothing decided. */
  readonly usable: boolean
  /** True when the camera was moved: what was learnt of its view is forgotten. */
  readonly moved: boolean
}

/** Columns of the prediction row after a look. */
export interface NextPrediction {
  currentFrameNum: number
  lifetimeFrameNum: number
  currentP: number
  ewmMean: number
  rollingMeanShort: number
  rollingMeanLong: number
  normalizedP: number
  steady: SteadyState | null
}

export interface Verdict {
  readonly next: NextPrediction
  readonly decision: Decision
}

/** Boxes are drawn, and weighed by the known logic, above these confidences (docs/rules/watch.md 3). */
export const DRAWN_ABOVE = 0.2

/** How loud the boxes of a look are drawn: quiet while all looks good, red from the warning on. */
export function toneOf({ decision, next }: Verdict): BoxTone {
  return toneOfRecord(wordOf(decision), next.normalizedP)
}

/** The same of a look that was recorded. */
export function toneOfRecord(decision: 'none' | 'warn' | 'pause', normalizedP: number): BoxTone {
  if (decision !== 'none') return 'failing'
  return band(normalizedP) === 'good' ? 'quiet' : 'doubtful'
}

/** The steady state kept in a row, of any version, or a new one. */
export function steadyOf(row: Pick<Remembered, 'steady'>): SteadyState {
  return readSteadyState(row.steady)
}

/**
 * One more look at a print: the known logic for the Obico-shaped model (docs/rules/watch.md 3), the steady
 * one for ours (docs/detector.md).
 */
export function consider(
  row: Remembered,
  look: Look,
  { sensitivity, bendingFactor }: { sensitivity: number; bendingFactor: number | null },
): Verdict {
  return look.kind === 'obico'
    ? considerClassic(row, look, sensitivity, bendingFactor)
    : considerSteady(row, look, sensitivity)
}

const classicOf = (row: Remembered): classic.ClassicState => ({
  currentFrameNum: row.currentFrameNum,
  lifetimeFrameNum: row.lifetimeFrameNum,
  currentP: row.currentP,
  ewmMean: row.ewmMean,
  rollingMeanShort: row.rollingMeanShort,
  rollingMeanLong: row.rollingMeanLong,
})

function considerClassic(
  row: Remembered,
  look: Look,
  sensitivity: number,
  bendingFactor: number | null,
): Verdict {
  // A steady state in the row: our own model gave these means, on its own scale.
  const before = row.steady === null ? classicOf(row) : classic.newClassicState()
  if (!look.usable)
    return { next: { ...before, normalizedP: row.normalizedP, steady: null }, decision: QUIET }
  const after = classic.update(
    before,
    look.boxes.map(({ score }) => score),
    { bendingFactor },
  )
  return {
    next: { ...after, normalizedP: classic.normalizedP(after, sensitivity), steady: null },
    decision: classic.decide(after, sensitivity),
  }
}

function considerSteady(row: Remembered, look: Look, sensitivity: number): Verdict {
  const { at, score, heat, usable } = look
  const known = underModel(steadyOf(row), look.modelKey)
  const before = look.moved ? forgetView(known) : known
  const after = steady.update(before, { at, score, heat, usable }, sensitivity)
  const counted = usable ? 1 : 0
  return {
    next: {
      currentFrameNum: row.currentFrameNum + counted,
      lifetimeFrameNum: row.lifetimeFrameNum + counted,
      currentP: after.p,
      ewmMean: after.ewm,
      rollingMeanShort: after.short,
      rollingMeanLong: after.long,
      normalizedP: steady.normalizedP(after, sensitivity),
      steady: after,
    },
    decision: usable ? steady.decide(after, sensitivity) : QUIET,
  }
}
