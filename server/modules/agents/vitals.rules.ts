import type { AgentRecord } from '../commands/keys.ts'

/** Agents never ping; we do (agent-protocol 3.9). */
const PING_EVERY_MS = 20_000
/** Without any frame or pong: shown as not responding, then cut (issue 3, part 3). */
const NOT_RESPONDING_MS = 60_000
const DEAD_MS = 150_000
/** An open socket that answers pings yet reports nothing: only a restart of the agent helps. */
const MUTE_MS = 180_000
/** The first report comes about half a minute after start (agent-protocol 15.4); longer is not "waiting". */
const WAITING_MS = 120_000
const RECORD_EVERY_MS = 10_000

/** What a session knows of its socket's life, in milliseconds since 1970. */
export interface Vitals {
  readonly openedAt: number
  /** Last frame or pong. */
  readonly heardAt: number
  /** Last status message, empty ones included; when the socket opened, if there was none. */
  readonly reportedAt: number
  readonly hasReported: boolean
  readonly pingedAt: number
  readonly record: Pick<AgentRecord, 'state' | 'seenAt' | 'needsRestart'>
}

export interface Diagnosis {
  readonly isDead: boolean
  readonly isPingDue: boolean
  readonly record: Pick<AgentRecord, 'state' | 'seenAt' | 'needsRestart'>
  readonly isRecordDue: boolean
}

/** What is to be done about a socket now. */
export function diagnose(vitals: Vitals, now: number): Diagnosis {
  const silence = now - vitals.heardAt
  const needsRestart = silence < NOT_RESPONDING_MS && now - vitals.reportedAt > MUTE_MS
  const isWaiting = !vitals.hasReported && now - vitals.openedAt < WAITING_MS
  const state = silence >= NOT_RESPONDING_MS ? 'not_responding' : isWaiting ? 'waiting' : 'connected'
  const { record } = vitals
  return {
    isDead: silence >= DEAD_MS,
    isPingDue: now - vitals.pingedAt >= PING_EVERY_MS,
    record: { state, seenAt: vitals.heardAt, needsRestart },
    isRecordDue:
      state !== record.state ||
      needsRestart !== record.needsRestart ||
      vitals.heardAt - record.seenAt >= RECORD_EVERY_MS,
  }
}
