/**
 * An automatic pause is an intent before it is a command (docs/decisions/0002): committed with its envelope's id and the
 * time after which nothing more can come of it. Pure; times are milliseconds since 1970.
 */
import { statusOf } from '@vigil/contract/core/status.ts'
import { settledAfter } from '../../core/commands/index.ts'
import type { AgentRecord } from '../../core/presence/index.ts'

/** A pause is written to the agent's socket within this time, or never. */
export const PAUSE_EXPIRES_MS = 5_000
/** While an intent is so young, whoever sends may still write down what came of it. */
export const INTENT_MS = settledAfter(PAUSE_EXPIRES_MS) + 4_500

/** The intent columns of a print. */
export interface Intent {
  readonly pauseId: string | null
  readonly pauseUntil: Date | null
  readonly pausedAt: Date | null
}

/**
 * How an intent stands. `young`: nothing else is sent. `open`: its time is over and nobody knows what came of it, so the
 * printer's status decides. `none`: there is none, or its outcome is known.
 */
export function standingOf(
  { pauseId, pauseUntil, pausedAt }: Intent,
  now: number,
): 'none' | 'young' | 'open' {
  if (pauseId === null || pauseUntil === null || pausedAt !== null) return 'none'
  return now <= pauseUntil.getTime() ? 'young' : 'open'
}

/** When an intent was decided on. */
export const askedAt = ({ pauseUntil }: Pick<Intent, 'pauseUntil'>): number =>
  (pauseUntil?.getTime() ?? 0) - INTENT_MS

/** What is known of a printer now. */
export interface Seen {
  readonly status: Record<string, unknown> | null
  readonly agent: AgentRecord | null
}

/**
 * What the printer says to a pause. `paused`: it is, or was since. `printing`: it goes on. `pausing`: it is about to.
 * `still`: it does neither, as at the end of a print. `gone`: its agent is. `silent`: its agent has reported nothing since.
 */
export type Evidence = 'paused' | 'printing' | 'pausing' | 'still' | 'gone' | 'silent'

interface Moments {
  /** A pause seen from then on is an answer. */
  readonly since: number
  /** A status is an answer only if it came after that. */
  readonly after: number
}

/** What the printer says to a pause; `pauseSeenAt`: when it was last seen to stand in one, or said so. */
export function evidenceOf(
  { status, agent }: Seen,
  pauseSeenAt: Date | null,
  { since, after }: Moments,
): Evidence {
  if (pauseSeenAt !== null && pauseSeenAt.getTime() >= since) return 'paused'
  const reading = statusOf(status)
  if (reading?.standsPaused) return 'paused'
  if (agent === null || agent.state === 'not_responding') return 'gone'
  if (reading === null || (agent.reportedAt ?? 0) < after) return 'silent'
  // OctoPrint calls a printer that is about to pause printing, too.
  if (reading.pausing) return 'pausing'
  return reading.printing ? 'printing' : 'still'
}
