import type { Obstacle } from '@vigil/contract/files/queue.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { AgentRecord, RawStatus } from '../../core/presence/index.ts'

/** A printer that nobody has seen for so long may have printed something. */
export const UNSEEN_MS = 5 * 60_000
/** Whoever said that a bed is clear did not mean tomorrow. */
export const CLEAR_MS = 12 * 3_600_000

/** What is known of a printer this moment. */
export interface Sight {
  readonly agent: AgentRecord | null
  readonly status: RawStatus | null
}

/** A bed as its row has it. Times in milliseconds since 1970. */
export interface Bed {
  readonly enabled: boolean
  /** Counts the states of the bed. */
  readonly bed: number
  readonly clearedBed: number | null
  readonly clearedAt: number | null
  /** When the printer was last seen to stand idle since. */
  readonly seenAt: number | null
  /** After a start that was refused: not before. */
  readonly tryAfter: number | null
}

/** A printer of which nobody has said anything. */
export const NEW_BED: Bed = {
  enabled: true,
  bed: 0,
  clearedBed: null,
  clearedAt: null,
  seenAt: null,
  tryAfter: null,
}

/** How a printer stands, as its agent tells. */
export type Standing = 'away' | 'error' | 'busy' | 'idle'

/** Idle is only what says so itself: a state that we do not know is none in which a print begins. */
export function standingOf({ agent, status }: Sight): Standing {
  const reading = statusOf(status)
  if (agent?.state !== 'connected' || agent.needsRestart || reading === null) return 'away'
  if (reading.disconnected || reading.error !== null) return 'error'
  const { printing, standsPaused, pausing, operational, ready, needsOwner } = reading
  if (printing || standsPaused || pausing) return 'busy'
  if (!operational) return reading.text === 'Offline' ? 'error' : 'busy'
  return ready && !needsOwner && reading.text === 'Operational' ? 'idle' : 'busy'
}

/** Somebody has said of this very state of the bed that it is clear, lately, and the printer was in sight since. */
export function isClear({ bed, clearedBed, clearedAt, seenAt }: Bed, now: number): boolean {
  if (clearedBed !== bed || clearedAt === null) return false
  return now - clearedAt < CLEAR_MS && now - Math.max(clearedAt, seenAt ?? 0) < UNSEEN_MS
}

/** Whether a confirmation is to be taken back, as something may have come to lie on the bed. */
export function isToBeWithdrawn(bed: Bed, sight: Sight, now: number): boolean {
  const standing = standingOf(sight)
  return standing === 'busy' || standing === 'error' || !isClear(bed, now)
}

/** Why a printer cannot begin a print; null: it can. `hasWork`: it prints, or is about to. */
export function obstacleOf(
  bed: Bed,
  sight: Sight,
  { hasWork, isAgentOld, now }: { hasWork: boolean; isAgentOld: boolean; now: number },
): Obstacle | null {
  if (!bed.enabled) return 'queue_off'
  const standing = standingOf(sight)
  if (standing === 'away') return 'offline'
  if (isAgentOld) return 'agent_old'
  if (hasWork || standing === 'busy') return 'busy'
  if (standing === 'error') return 'error'
  if (!isClear(bed, now)) return 'not_cleared'
  return bed.tryAfter !== null && bed.tryAfter > now ? 'refused' : null
}
