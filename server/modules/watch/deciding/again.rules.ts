/** Looks at a print again, one after the other, and what would have been decided: `./vigil watch`, the replay lab. Pure. */
import type { BoxTone } from '../../../engines/inference/port.ts'
import { newClassicState } from '../temporal/classic.rules.ts'
import { wordOf } from '../temporal/decision.rules.ts'
import { consider, type Look, type Remembered, toneOf } from './temporal.rules.ts'

/** What is remembered of a printer that was never watched. */
export const NEW_PRINTER: Remembered = { ...newClassicState(), normalizedP: 0, steady: null }

/** What one look comes to. */
export interface Judged {
  /** 0 to 1. */
  readonly score: number
  readonly decision: ReturnType<typeof wordOf>
  readonly tone: BoxTone
}

/** The printer after one more look, and what is decided on it. */
export function judge(
  row: Remembered,
  look: Look,
  sensitivity: number,
  bendingFactor: number | null = null,
): { readonly row: Remembered; readonly judged: Judged } {
  const verdict = consider(row, look, { sensitivity, bendingFactor })
  const score = Math.min(1, Math.max(0, look.score))
  return {
    row: verdict.next,
    judged: { score, decision: wordOf(verdict.decision), tone: toneOf(verdict) },
  }
}

/** Where it would first have warned, and first have paused; undefined: not at all. A pause is a warning too. */
export function firstDecisions<T extends Pick<Judged, 'decision'>>(
  frames: readonly T[],
): { warned: T | undefined; paused: T | undefined } {
  return {
    warned: frames.find(({ decision }) => decision !== 'none'),
    paused: frames.find(({ decision }) => decision === 'pause'),
  }
}
