import { type AgentRecord, type PrinterAway, RECORD_EVERY_MS, SILENT_AFTER_MS } from '../presence/index.ts'

/** Agents never ping; we do (docs/wire/agents.md 8.1). */
const PING_EVERY_MS = 20_000
/** While it prints: so that two pings without an answer tell that nobody is there, within two pictures' time. */
const PING_IN_PRINT_MS = 10_000
const SILENT_IN_PRINT_MS = 25_000
const UNANSWERED = 2
/** Without any frame or pong: shown as not responding after `SILENT_AFTER_MS`, then cut. */
const DEAD_MS = 150_000
/** An open socket that answers pings yet reports nothing: only a restart of the agent helps. */
const MUTE_MS = 180_000
/** While it prints: OctoPrint's reports each 50 s, Klipper's each 30; then it is beckoned, upon which OctoPrint's reports within 10 s. */
const BECKON_IN_PRINT_MS = 38_000
const BECKONED_FOR_MS = 12_000
/** The first report comes about half a minute after start (docs/wire/agents.md 5); longer is not "waiting". */
const WAITING_MS = 120_000

/** How an agent stands, and when it was last heard. */
export interface Standing extends Pick<AgentRecord, 'state' | 'needsRestart' | 'away'> {
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
  /** A print is open. */
  readonly isInPrint: boolean
  /** The last report was a whole one: one whose printer has gone tells little. */
  readonly wasWhole: boolean
  readonly pingedAt: number
  /** Pings since it was heard. */
  readonly unanswered: number
  /** When it was beckoned since its last report; null when it was not. */
  readonly beckonedAt: number | null
  /** The agent has lost its printer. */
  readonly away: PrinterAway | null
  /** What was told last; null when nothing was. */
  readonly record: Standing | null
}

export interface Diagnosis {
  readonly isDead: boolean
  readonly isPingDue: boolean
  readonly isBeckonDue: boolean
  readonly record: Standing
  readonly isRecordDue: boolean
}

/** What is to be done about a socket now. */
export function diagnose(vitals: Vitals, now: number): Diagnosis {
  const { isInPrint, beckonedAt, away } = vitals
  const silence = now - vitals.heardAt
  const unreported = now - vitals.reportedAt
  const isToReport = isInPrint && vitals.wasWhole
  const isGone = isInPrint && vitals.unanswered >= UNANSWERED && silence >= SILENT_IN_PRINT_MS
  const isSilent = isGone || silence >= SILENT_AFTER_MS
  const isDeaf = isToReport && beckonedAt !== null && now - beckonedAt >= BECKONED_FOR_MS
  // Who has lost its printer has little to say.
  const needsRestart = !isSilent && away === null && (isDeaf || unreported > MUTE_MS)
  const isWaiting = !vitals.hasReported && now - vitals.openedAt < WAITING_MS
  const state = isSilent ? 'not_responding' : isWaiting ? 'waiting' : 'connected'
  const { record } = vitals
  return {
    isDead: silence >= DEAD_MS,
    isPingDue: now - vitals.pingedAt >= (isInPrint ? PING_IN_PRINT_MS : PING_EVERY_MS),
    isBeckonDue: isToReport && beckonedAt === null && unreported >= BECKON_IN_PRINT_MS,
    record: { state, heardAt: vitals.heardAt, needsRestart, away },
    isRecordDue:
      state !== record?.state ||
      needsRestart !== record.needsRestart ||
      away !== (record.away ?? null) ||
      vitals.heardAt - record.heardAt >= RECORD_EVERY_MS,
  }
}
