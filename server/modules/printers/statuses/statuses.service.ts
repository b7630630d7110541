import { StatusReading } from '@vigil/contract/core/status.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { ofAgent } from '../../core/access/index.ts'
import type { Ctx } from '../../../ctx.ts'
import { inLane } from '../../../engines/db/lane.ts'
import { putStatus, tell } from '../../core/presence/index.ts'
import { sawPause } from '../../watch/detection/index.ts'
import {
  applyBeginning,
  applyHeaters,
  applyReport,
  type CurrentPrint,
  decide,
  type HeaterChange,
  heatersOf,
  LATE_MS,
  type Progress,
  type Report,
  trackHeaters,
  type Tracker,
} from '../../prints/prints/index.ts'
import { noteTemperatures } from '../temperatures/index.ts'
import { updateAgent } from './reports.queries.ts'
import { place, type Seen } from './freshness.rules.ts'
import { isPaused, isPrintEvent, progressOf, reportOf, type StatusMessage } from './report.rules.ts'
import { type AgentSettings, mergeSettings } from './settings.rules.ts'

/**
 * What a session knows of its printer, so that a status that changes nothing needs no SQL (docs/rules/prints.md 4).
 * The rows decide; these are the copy that says whether to ask them.
 */
export interface Facts {
  readonly printerId: PrinterId
  settings: AgentSettings
  print: CurrentPrint | null
  trackers: Map<string, Tracker>
  seen: Seen | null
  /** A status of ours stands in `live`. */
  isShown: boolean
  /** The last numbers of the current print. */
  last: Progress | null
  isPaused: boolean
  /** A print that has ended, and a file of somebody else: named again and again, asked about once. */
  refusedExtId: number | null
  /** When it is asked about again, should the printer still be at it: another print may have its key. */
  refusedUntil: number
  refusedFileId: number | null
}

/** A status as it came, with what time made of it. */
export interface Received {
  readonly message: StatusMessage
  readonly isStale: boolean
  /** As it came. */
  readonly bytes: number
}

/** What statuses of all agents write at the same time, but for beginnings, which are written together. */
const AT_ONCE = 4
const inTurn = <T>(ctx: Ctx, write: () => Promise<T>): Promise<T> =>
  inLane(ctx.db, 'statuses', AT_ONCE, write)

/** What a status changes in the rows. */
interface Plan {
  readonly settings: AgentSettings | null
  readonly report: Report | null
  readonly heaters: HeaterChange | null
}

/** Shows a status to browsers, at once and without SQL; says whether it came too late to be shown. */
export function showStatus(ctx: Ctx, facts: Facts, { status }: StatusMessage): { isStale: boolean } {
  if (status === null) {
    hideStatus(ctx, facts)
    return { isStale: false }
  }
  const time = status['_ts']
  if (typeof time !== 'number' || !Number.isFinite(time)) return { isStale: false }
  const placed = place(facts.seen, time, ctx.clock.now())
  if (placed === null) return { isStale: true }
  const shown = placed.shown === time ? status : { ...status, _ts: placed.shown }
  if (!putStatus(ctx, facts.printerId, shown)) return { isStale: false }
  facts.seen = placed
  facts.isShown = true
  noteTemperatures(ctx, facts.printerId, status)
  return { isStale: false }
}

/** The printer is offline: an agent in trouble says so every second, so this costs nothing when nothing is shown. */
export function hideStatus(ctx: Ctx, facts: Facts): void {
  if (!facts.isShown) return
  facts.isShown = false
  putStatus(ctx, facts.printerId, null)
}

/** What the rows need to learn from a status; null for most. */
function planOf(ctx: Ctx, facts: Facts, received: Received): Plan | null {
  const { message, isStale } = received
  const settings = message.settings && mergeSettings(facts.settings, message.settings)
  const report = reportFor(ctx, facts, received)
  const heaters = isStale || message.status === null ? null : heatersFor(ctx, facts, message.status)
  return settings || report || heaters || tellsOfPause(facts, received) ? { settings, report, heaters } : null
}

/** True when a status is the first to say that the current print stands still in a pause, or when it says that it will. */
function tellsOfPause({ print, isPaused: isKnown }: Facts, { message, isStale }: Received): boolean {
  if (print === null || message.printTs !== print.extId) return false
  if (message.event?.name === 'PrintPaused') return true
  return !isStale && !isKnown && isPaused(message.status)
}

function reportFor(ctx: Ctx, facts: Facts, { message, isStale }: Received): Report | null {
  const { print } = facts
  const { printTs } = message
  if (printTs === null) return null
  if (isStale && !(isPrintEvent(message.event?.name ?? null) && printTs === print?.extId)) return null
  const report = reportOf(message, facts.last, isStale)
  if (printTs === facts.refusedExtId && printTs !== print?.extId) {
    const isOver = report.event !== 'PrintStarted' && ctx.clock.now() < facts.refusedUntil
    if (!report.isLive || isOver) return null
  }
  const known = report.fileId === facts.refusedFileId ? { ...report, fileId: null } : report
  return decide(print, known, ctx.clock.now()).length > 0 ? known : null
}

function heatersFor(ctx: Ctx, facts: Facts, status: Record<string, unknown>): HeaterChange | null {
  const heaters = heatersOf(new StatusReading(status))
  const change = trackHeaters(facts.trackers, heaters, ctx.config.HEATER_TARGET_DELTA)
  return change.changes.size > 0 ? change : null
}

/** True when a status can be forgotten: it changes no row. Keeps what only memory needs to know. */
export function changesNothing(ctx: Ctx, facts: Facts, received: Received): boolean {
  if (planOf(ctx, facts, received) !== null) return false
  remember(facts, received)
  return true
}

/** What came of a status: `gone` when the printer is no more, `shouldWatch` when the agent is to hear of it. */
export interface Taken {
  readonly isGone: boolean
  readonly shouldWatch: boolean | null
}

const NOTHING: Taken = { isGone: false, shouldWatch: null }

/** Brings the rows up to a status, in the order of docs/rules/prints.md 1: settings, prints, heaters. */
export async function takeStatus(ctx: Ctx, facts: Facts, received: Received): Promise<Taken> {
  const plan = planOf(ctx, facts, received)
  if (plan === null) {
    remember(facts, received)
    return NOTHING
  }
  const { settings, heaters } = plan
  if (settings) {
    await inTurn(ctx, () => updateAgent(ctx.db, ofAgent(facts), settings))
    facts.settings = settings
  }
  const taken = plan.report ? await takeReport(ctx, facts, plan.report) : NOTHING
  const { printerId, print } = facts
  if (print !== null && tellsOfPause(facts, received))
    await inTurn(ctx, () => sawPause(ctx, { printerId, printId: print.id }))
  if (heaters) await inTurn(ctx, () => takeHeaters(ctx, facts, heaters))
  remember(facts, received)
  if (plan.settings || plan.report) tell(ctx, facts.printerId, 'changed')
  return taken
}

async function takeReport(ctx: Ctx, facts: Facts, report: Report): Promise<Taken> {
  const before = facts.print
  const printer = ofAgent(facts)
  const begun = before === null ? await applyBeginning(ctx, printer, report) : null
  const applied = begun ?? (await inTurn(ctx, () => applyReport(ctx, printer, report)))
  if (applied === null) return { isGone: true, shouldWatch: null }
  const { print, refused } = applied
  facts.print = print
  const over = refused.extId ?? (before !== null && before.id !== print?.id ? before.extId : null)
  if (over !== null) {
    facts.refusedExtId = over
    facts.refusedUntil = ctx.clock.now() + LATE_MS
  }
  facts.refusedFileId = refused.fileId ?? facts.refusedFileId
  if (before?.id === print?.id) return NOTHING
  facts.last = null
  facts.isPaused = false
  return { isGone: false, shouldWatch: applied.shouldWatch }
}

async function takeHeaters(ctx: Ctx, facts: Facts, change: HeaterChange): Promise<void> {
  await applyHeaters(ctx, { printerId: facts.printerId, printId: facts.print?.id ?? null, change })
  for (const [name, tracker] of change.changes) {
    if (tracker === null) facts.trackers.delete(name)
    else facts.trackers.set(name, tracker)
  }
}

/** Keeps the current print's numbers, and whether the printer stands still. */
function remember(facts: Facts, { message, isStale }: Received): void {
  const { print } = facts
  if (isStale || message.status === null || print === null || message.printTs !== print.extId) return
  const progress = progressOf(message.status)
  if (facts.last === null || (progress.completion ?? 0) > 0) facts.last = progress
  facts.isPaused = isPaused(message.status)
}
