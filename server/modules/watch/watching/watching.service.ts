import type { Watch, WatchCode } from '@vigil/contract/printers/printers.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { sendMessage } from '../../core/commands/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import type { AgentRecord, PictureRecord } from '../../core/presence/index.ts'
import { checkLimitMs } from './interval.rules.ts'
import { serverTrouble } from './trouble.service.ts'
import { NOT_WATCHING, notWatchingReason, shouldWatch } from './watching.rules.ts'
import { printTimeOf } from './watched-time.rules.ts'
import { findWatched, type Watched } from './watched.queries.ts'

/** Agents post a picture every 10 s while watched; half of that again is allowed for a slow uplink. */
const PICTURE_INTERVAL_MS = 12_500
/** What is known about a printer when somebody asks whether it is watched. */
export interface WatchFacts {
  readonly watchingEnabled: boolean
  readonly detectionHours: number
  /** The plan of the owner. */
  readonly isPro: boolean
  readonly brand: string
  readonly print: {
    startedAt: Date | null
    alertMutedAt: Date | null
    watchedSeconds: number
    watchedOf: number | null
  } | null
  readonly status: Record<string, unknown> | null
  readonly agent: AgentRecord | null
  /** The server has just been started, and the agent may still come back. */
  readonly isAwaited?: boolean
  readonly picture: PictureRecord | null
}

/** Reasons that the owner or the print gave; any other is a blindness of ours. */
const NOT_MEANT = new Set<WatchCode>(['disabled', 'not_printing', 'muted'])

/** Without hours nothing is amiss where nothing would be watched with them: nothing is printed, it stands still, or is muted. */
const isMeant = (code: WatchCode, { printing, muted }: { printing: boolean; muted: boolean }) =>
  NOT_MEANT.has(code) || (code === 'no_hours' && (!printing || muted))

/** True when the status says that the printer is printing now (docs/wire/rest.md 5.3). */
export function isActivelyPrinting(status: Record<string, unknown> | null): boolean {
  return statusOf(status)?.printing === true
}

/** The agent is there, and says that nothing prints where a print is open: its printer has gone, or stopped, in the middle. */
export function isPrinterLost({
  print,
  status,
  agent,
}: Pick<WatchFacts, 'print' | 'status' | 'agent'>): boolean {
  if (print === null || agent === null || agent.state === 'not_responding') return false
  return status === null ? agent.away != null : statusOf(status)?.printsNothing === true
}

/** `remote_status.should_watch` of a printer (docs/rules/watch.md 2). */
export function shouldWatchOf(
  facts: Pick<WatchFacts, 'watchingEnabled' | 'detectionHours'> & {
    readonly print: Pick<NonNullable<WatchFacts['print']>, 'alertMutedAt'> | null
  },
): boolean {
  return shouldWatch({
    watchingEnabled: facts.watchingEnabled,
    detectionHours: facts.detectionHours,
    hasCurrentPrint: facts.print !== null,
    muted: facts.print?.alertMutedAt != null,
  })
}

/** The same of a row that a snapshot or an answer has read. */
export function isMeantToBeWatched(watched: Watched): boolean {
  const { watchingEnabled, watchHours, printId } = watched
  return shouldWatchOf({
    watchingEnabled,
    detectionHours: watchHours,
    print: printId === null ? null : watched,
  })
}

/**
 * Whether the printer is watched right now, and if not, why: never claims to watch when we do not. Every blind
 * state has its code, because old clients read a null reason as watched (docs/rules/watch.md 2).
 */
export function watchOf(ctx: Ctx, facts: WatchFacts): Watch {
  const now = ctx.clock.now()
  const { picture, agent, print } = facts
  const health = ctx.detector.health()
  const planMs = entitlementsOf(ctx, facts).detectionIntervalMs
  const agentLost = facts.isAwaited !== true && (agent === null || agent.state === 'not_responding')
  const agentMute = agent?.needsRestart === true
  // Whose agent is lost has no status; nobody has said that its print stands still.
  const printerLost = isPrinterLost(facts)
  const isLeftPrinting = printerLost || (facts.status === null && print !== null && (agentLost || agentMute))
  // The newest that came is no picture: how old the one before it is is not the trouble.
  const damagedAt = (picture?.damagedAt ?? 0) > (picture?.at ?? 0) ? picture?.damagedAt : undefined
  const printing = isActivelyPrinting(facts.status) || isLeftPrinting
  const muted = print?.alertMutedAt != null
  const { code: first } = notWatchingReason({
    watchingEnabled: facts.watchingEnabled,
    detectionHours: facts.detectionHours,
    printing,
    muted,
    agentLost,
    agentMute,
    printerLost,
    serverTrouble: serverTrouble(ctx),
    now,
    pictureAt: damagedAt ?? picture?.at ?? null,
    pictureIntervalMs: PICTURE_INTERVAL_MS,
    pictureCondition: damagedAt === undefined ? (picture?.blind ?? null) : 'damaged',
    detectorReady: health.state === 'ready',
  })
  const code: WatchCode | null = first ?? (isUnchecked(facts, now, planMs) ? 'detector_down' : null)
  return {
    state: code === null ? 'watching' : isMeant(code, { printing, muted }) ? 'not_watching' : 'blind',
    code,
    reason: code && NOT_WATCHING[code],
    picture_at: picture?.raw ? new Date(picture.at).toISOString() : null,
    checked_at: picture?.checkedAt ? new Date(picture.checkedAt).toISOString() : null,
    checked_every: planMs / 1000,
    watched_percent: watchedPercent(facts, code === null),
    is_camera_strange: code === null && picture?.isStrange === true,
  }
}

/** Pictures come, yet none has been judged for a while. */
function isUnchecked({ picture, print }: WatchFacts, now: number, planMs: number): boolean {
  if (print === null || picture === null) return true
  const since = Math.max(picture.checkedAt ?? 0, print.startedAt?.getTime() ?? 0)
  // A look in the future: the clock was set back, and nobody knows how old it is.
  return Math.abs(now - since) > checkLimitMs(planMs)
}

/**
 * Share of the print that was truly watched, in percent with one decimal; null in its first minute. While it is
 * watched, what came since it was counted last is watched too.
 */
function watchedPercent({ print, status }: WatchFacts, isWatched: boolean): number | null {
  const printTime = printTimeOf(status)
  if (print === null || printTime === null || printTime < 60) return null
  const { watchedSeconds, watchedOf } = print
  // The first look speaks for nothing that lies before it; with the next status it counts.
  if (isWatched && watchedSeconds === 0) return null
  const of = isWatched && watchedOf !== null ? watchedOf : Math.max(printTime, watchedOf ?? 0)
  return Math.min(100, Math.round((watchedSeconds / of) * 1000) / 10)
}

/** Tells the agent whether we watch; it sets its picture cadence by it (docs/wire/agents.md 3.2). */
export async function pushShouldWatch(ctx: Ctx, printerId: PrinterId): Promise<void> {
  const watched = await findWatched(ctx.db, printerId)
  if (watched === undefined) return
  await sendMessage(ctx, printerId, { remote_status: { should_watch: isMeantToBeWatched(watched) } })
}
