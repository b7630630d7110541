import type { Ctx } from '../../ctx.ts'
import { keys, STATUS_TTL_MS, topics } from '../presence/index.ts'
import { sawPause } from '../detection/index.ts'
import {
  applyHeaters,
  applyReport,
  type CurrentPrint,
  decide,
  type HeaterChange,
  heatersOf,
  type Progress,
  type Report,
  trackHeaters,
  type Tracker,
} from '../prints/index.ts'
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
  readonly printerId: number
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
  refusedFileId: number | null
}

/** A message with what time made of it. */
export interface Letter {
  readonly message: StatusMessage
  readonly isStale: boolean
  /** As it came. */
  readonly bytes: number
}

/** What a letter changes in the rows. */
interface Plan {
  readonly settings: AgentSettings | null
  readonly report: Report | null
  readonly heaters: HeaterChange | null
}

/** OctoPrint's file analysis is the largest part of a status; more than this is no status. */
const MAX_STATUS_TEXT = 262_144

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
  const text = JSON.stringify(placed.shown === time ? status : { ...status, _ts: placed.shown })
  if (text.length > MAX_STATUS_TEXT) return { isStale: false }
  facts.seen = placed
  facts.isShown = true
  ctx.live.put(keys.status(facts.printerId), text, STATUS_TTL_MS).catch(() => undefined)
  ctx.live.publish(topics.news(facts.printerId), `{"kind":"status","status":${text}}`)
  noteTemperatures(ctx, facts.printerId, status)
  return { isStale: false }
}

/** The printer is offline: an agent in trouble says so every second, so this costs nothing when nothing is shown. */
export function hideStatus(ctx: Ctx, facts: Facts): void {
  if (!facts.isShown) return
  facts.isShown = false
  ctx.live.put(keys.status(facts.printerId), null, 0).catch(() => undefined)
  ctx.live.publish(topics.news(facts.printerId), '{"kind":"status","status":null}')
}

/** What the rows need to learn from a letter; null for most letters. */
function planOf(ctx: Ctx, facts: Facts, letter: Letter): Plan | null {
  const { message, isStale } = letter
  const settings = message.settings && mergeSettings(facts.settings, message.settings)
  const report = reportFor(ctx, facts, letter)
  const heaters = isStale || message.status === null ? null : heatersFor(ctx, facts, message.status)
  return settings || report || heaters || tellsOfPause(facts, letter) ? { settings, report, heaters } : null
}

/** True when a letter is the first to say that the current print stands still in a pause, or when it says that it will. */
function tellsOfPause({ print, isPaused: isKnown }: Facts, { message, isStale }: Letter): boolean {
  if (print === null || message.printTs !== print.extId) return false
  if (message.event?.name === 'PrintPaused') return true
  return !isStale && !isKnown && isPaused(message.status)
}

function reportFor(ctx: Ctx, facts: Facts, { message, isStale }: Letter): Report | null {
  const { print } = facts
  const { printTs } = message
  if (printTs === null) return null
  if (isStale && !(isPrintEvent(message.event?.name ?? null) && printTs === print?.extId)) return null
  if (printTs === facts.refusedExtId && printTs !== print?.extId) return null
  const report = reportOf(message, facts.last)
  const known = report.fileId === facts.refusedFileId ? { ...report, fileId: null } : report
  return decide(print, known, ctx.clock.now()).length > 0 ? known : null
}

function heatersFor(ctx: Ctx, facts: Facts, status: Record<string, unknown>): HeaterChange | null {
  const heaters = heatersOf(status['temperatures'])
  const change = trackHeaters(facts.trackers, heaters, ctx.config.HEATER_TARGET_DELTA)
  return change.changes.size > 0 ? change : null
}

/** True when a letter can be forgotten: it changes no row. Keeps what only memory needs to know. */
export function changesNothing(ctx: Ctx, facts: Facts, letter: Letter): boolean {
  if (planOf(ctx, facts, letter) !== null) return false
  remember(facts, letter)
  return true
}

/** What came of a letter: `gone` when the printer is no more, `shouldWatch` when the agent is to hear of it. */
export interface Taken {
  readonly isGone: boolean
  readonly shouldWatch: boolean | null
}

const NOTHING: Taken = { isGone: false, shouldWatch: null }

/** Brings the rows up to a letter, in the order of docs/rules/prints.md 1: settings, prints, heaters. */
export async function takeLetter(ctx: Ctx, facts: Facts, letter: Letter): Promise<Taken> {
  const plan = planOf(ctx, facts, letter)
  if (plan === null) {
    remember(facts, letter)
    return NOTHING
  }
  if (plan.settings) {
    await updateAgent(ctx.db, facts.printerId, plan.settings)
    facts.settings = plan.settings
  }
  const taken = plan.report ? await takeReport(ctx, facts, plan.report) : NOTHING
  if (facts.print !== null && tellsOfPause(facts, letter))
    await sawPause(ctx, { printerId: facts.printerId, printId: facts.print.id })
  if (plan.heaters) await takeHeaters(ctx, facts, plan.heaters)
  remember(facts, letter)
  if (plan.settings || plan.report) ctx.live.publish(topics.news(facts.printerId), '{"kind":"changed"}')
  return taken
}

async function takeReport(ctx: Ctx, facts: Facts, report: Report): Promise<Taken> {
  const before = facts.print
  const applied = await applyReport(ctx, facts.printerId, report)
  if (applied === null) return { isGone: true, shouldWatch: null }
  const { print, refused } = applied
  facts.print = print
  facts.refusedExtId =
    refused.extId ?? (before !== null && before.id !== print?.id ? before.extId : facts.refusedExtId)
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
function remember(facts: Facts, { message, isStale }: Letter): void {
  const { print } = facts
  if (isStale || message.status === null || print === null || message.printTs !== print.extId) return
  const progress = progressOf(message.status)
  if (facts.last === null || (progress.completion ?? 0) > 0) facts.last = progress
  facts.isPaused = isPaused(message.status)
}
