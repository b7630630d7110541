import { type AgentRecord, RECORD_EVERY_MS, SILENT_AFTER_MS } from '../presence/index.ts'

/** Agents never ping; we do (docs/wire/agents.md 8.1). */
const PING_EVERY_MS = 20_000
/** Without any frame or pong: shown as not responding after `SILENT_AFTER_MS`, then cut. */
const DEAD_MS = 150_000
/** An open socket that answers pings yet reports nothing: only a restart of the agent helps. */
const MUTE_MS = 180_000
/** The first report comes about half a minute after start (docs/wire/agents.md 5); longer is not "waiting". */
const WAITING_MS = 120_000

/** How an agent stands, and when it was last heard. */
export interface Standing extends Pick<AgentRecord, 'state' | 'needsRestart'> {
  readonly heardAt: number
}

/** What a session knows of its socket's life, in milliseconds on the monotonic clock. */
export interface Vitals {
  readonly openedAt: number
  /** Last frame or pong. */
  readonly heardAt: number
  /** Last status message, empty ones included; when the socket opened, if there was none. */
  readonly reportedAt: number
  readonly hasReported: boolean
  readonly pingedAt: number
  /** What was told last; null when nothing was. */
  readonly record: Standing | null
}

export interface Diagnosis {
  readonly isDead: boolean
  readonly isPingDue: boolean
  readonly record: Standing
  readonly isRecordDue: boolean
}

/** What is to be done about a socket now. */
export function diagnose(vitals: Vitals, now: number): Diagnosis {
  const silence = now - vitals.heardAt
  const needsRestart = silence < SILENT_AFTER_MS && now - vitals.reportedAt > MUTE_MS
  const isWaiting = !vitals.hasReported && now - vitals.openedAt < WAITING_MS
  const state = silence >= SILENT_AFTER_MS ? 'not_responding' : isWaiting ? 'waiting' : 'connected'
  const { record } = vitals
  return {
    isDead: silence >= DEAD_MS,
    isPingDue: now - vitals.pingedAt >= PING_EVERY_MS,
    record: { state, heardAt: vitals.heardAt, needsRestart },
    isRecordDue:
      state !== record?.state ||
      needsRestart !== record.needsRestart ||
      vitals.heardAt - record.heardAt >= RECORD_EVERY_MS,
  }
}
