import { filamentSoFar } from '@vigil/contract/core/status.ts'
import { NO_ID, type PrintId } from '../../../lib/id.ts'

/**
 * The life of a print as its agent reports it: what a report changes, computed from its arguments alone
 * (docs/rules/prints.md 1, 2 with their fixes).
 */

/** Numbers of `status.progress`; null where the agent knows none. Filament in millimetres, time in seconds. */
export interface Progress {
  readonly completion: number | null
  readonly printTime: number | null
  readonly filamentUsed: number | null
  /** What the whole file needs, when the agent says so. */
  readonly planned: number | null
}

/** One message of the agent, as far as it concerns prints. */
export interface Report {
  /** `current_print_ts`: seconds that name the print; -1 idle; null unknown (the agent lost its printer). */
  readonly printTs: number | null
  readonly fileName: string | null
  readonly fileId: number | null
  readonly event: string | null
  /** It came in time, and the printer is at a print, or begins one. */
  readonly isLive: boolean
  readonly progress: Progress
  /** The last numbers seen of the current print, before this message; null when none were. */
  readonly last: Progress | null
}

/** The printer's current print. Times in milliseconds since 1970. */
export interface CurrentPrint {
  readonly id: PrintId
  readonly extId: number
  readonly filename: string
  readonly startedAt: number
  readonly cancelledAt: number | null
  readonly gCodeFileId: number | null
}

/** What a print used. `ratio` (0 to 1) scales the file's own figures where `filamentUsed` is null. */
export interface Stats {
  readonly printTime: number
  readonly filamentUsed: number | null
  readonly ratio: number | null
}

/** `lost`: nobody saw the end; it counts as cancelled, and the event says what is known (docs/rules/prints.md 2). */
export type Outcome = 'finished' | 'cancelled' | 'lost'

export type Action =
  | {
      readonly do: 'start'
      readonly extId: number
      readonly filename: string
      readonly fileId: number | null
      readonly isLive: boolean
      readonly isFirst: boolean
    }
  | {
      readonly do: 'end'
      readonly outcome: Outcome
      readonly stats: Stats
      readonly completion: number | null
    }
  | { readonly do: 'cancel'; readonly stats: Stats }
  | { readonly do: 'stats'; readonly stats: Stats }
  | { readonly do: 'rename'; readonly extId: number }
  | { readonly do: 'file'; readonly fileId: number }
  | { readonly do: 'say'; readonly type: 'PAUSED' | 'RESUMED' | 'FILAMENT_CHANGE' }

/** Clocks of agents move by a few seconds while they print. */
const SKEW_SECONDS = 20
/** Reports that follow a print's end this closely are only late. */
export const LATE_MS = 30_000
/** From here on a print that nobody saw end counts as finished. */
const COMPLETE = 99.5

/** What this report means for the printer's current print, in the order in which it is to be done. */
export function decide(current: CurrentPrint | null, report: Report, now: number): Action[] {
  const { printTs } = report
  if (printTs === null || printTs === 0) return []
  if (printTs < 0) return current === null ? [] : [idleEnd(current, report, now)]
  if (current === null) return begin(report, printTs, now)
  if (current.extId === printTs)
    return [...fileChange(current, report), ...eventActions(current, report, now)]
  if (isSkew(current, report, printTs)) {
    return [
      { do: 'rename', extId: printTs },
      ...fileChange(current, report),
      ...eventActions(current, report, now),
    ]
  }
  const elsewhere: Report = { ...report, progress: NOTHING, event: null, fileName: null }
  return [endOf(current, elsewhere, now, unseenOutcome(current, elsewhere)), ...begin(report, printTs, now)]
}

const NOTHING: Progress = { completion: null, printTime: null, filamentUsed: null, planned: null }

/** The printer is idle. Its progress still is the print's when the print was completed, else it has been emptied. */
function idleEnd(current: CurrentPrint, report: Report, now: number): Action {
  const outcome = unseenOutcome(current, report)
  return endOf(current, outcome === 'finished' ? report : { ...report, progress: NOTHING }, now, outcome)
}

/** A print starts by its time stamp and needs a file name, no event (docs/rules/prints.md 1). */
function begin(report: Report, extId: number, now: number): Action[] {
  const { fileName, fileId, isLive } = report
  if (fileName === null) return []
  const started = {
    extId,
    filename: fileName,
    startedAt: now,
    cancelledAt: null,
    gCodeFileId: fileId,
    id: NO_ID,
  }
  const isFirst = report.event === 'PrintStarted'
  return [
    { do: 'start', extId, filename: fileName, fileId, isLive, isFirst },
    ...eventActions(started, { ...report, last: null }, now),
  ]
}

function isSkew(current: CurrentPrint, report: Report, printTs: number): boolean {
  const ahead = current.extId - printTs
  return ahead >= -SKEW_SECONDS && ahead < SKEW_SECONDS && report.fileName === current.filename
}

function fileChange(current: CurrentPrint, { fileId }: Report): Action[] {
  return fileId === null || fileId === current.gCodeFileId ? [] : [{ do: 'file', fileId }]
}

function eventActions(current: CurrentPrint, report: Report, now: number): Action[] {
  switch (report.event) {
    case 'PrintCancelling':
      return [{ do: 'stats', stats: statsOf(current, report, now) }]
    case 'PrintCancelled':
      return [{ do: 'cancel', stats: statsOf(current, report, now) }]
    case 'PrintFailed':
      return [endOf(current, report, now, 'cancelled')]
    case 'PrintDone':
      return [endOf(current, report, now, current.cancelledAt === null ? 'finished' : 'cancelled')]
    case 'PrintPaused':
      return [{ do: 'say', type: 'PAUSED' }]
    case 'PrintResumed':
      return [{ do: 'say', type: 'RESUMED' }]
    case 'FilamentChange':
      return [{ do: 'say', type: 'FILAMENT_CHANGE' }]
    default:
      return []
  }
}

/** How a print ended that is simply no longer there: as the last thing known about it says. */
function unseenOutcome(current: CurrentPrint, report: Report): Outcome {
  if (current.cancelledAt !== null) return 'cancelled'
  if (report.event === 'PrintDone') return 'finished'
  if (report.event === 'PrintFailed' || report.event === 'PrintCancelled') return 'cancelled'
  const sameFile = report.fileName === current.filename
  const known = Math.max(report.last?.completion ?? 0, sameFile ? (report.progress.completion ?? 0) : 0)
  return known >= COMPLETE ? 'finished' : 'lost'
}

function endOf(current: CurrentPrint, report: Report, now: number, outcome: Outcome): Action {
  return { do: 'end', outcome, stats: statsOf(current, report, now), completion: bestOf(report).completion }
}

/** OctoPrint empties its progress when a print is cancelled: then what was seen before counts. */
function bestOf({ progress, last }: Report): Progress {
  const reset = (progress.completion ?? 0) === 0
  return {
    completion: reset ? (last?.completion ?? progress.completion) : progress.completion,
    printTime: progress.printTime ?? last?.printTime ?? null,
    filamentUsed: reset
      ? (last?.filamentUsed ?? progress.filamentUsed)
      : (progress.filamentUsed ?? last?.filamentUsed ?? null),
    planned: progress.planned ?? last?.planned ?? null,
  }
}

function statsOf(current: CurrentPrint, report: Report, now: number): Stats {
  const best = bestOf(report)
  const ratio = best.completion === null ? null : Math.min(1, Math.max(0, best.completion / 100))
  return {
    printTime: best.printTime ?? Math.max(0, (now - current.startedAt) / 1000),
    filamentUsed: filamentSoFar(best, ratio),
    ratio,
  }
}

/**
 * Filament by the file's figures: its total scaled by completion; when the agent says 0 at the end, by the time
 * it took of the time that was estimated (docs/rules/prints.md 2).
 */
export function estimateFilament(
  file: { readonly filamentTotal: number | null; readonly estimatedTime: number | null } | null,
  stats: Stats,
): number | null {
  if (stats.filamentUsed !== null) return stats.filamentUsed
  if (file === null || file.filamentTotal === null) return null
  if (stats.ratio !== null && stats.ratio > 0) return file.filamentTotal * stats.ratio
  if (file.estimatedTime === null || file.estimatedTime <= 0) return null
  return file.filamentTotal * Math.min(1, stats.printTime / file.estimatedTime)
}

/**
 * What to do with a report of a print that exists already under this key but is not current. `again`: another print has the key
 * of one that is over, as a Klipper agent gives it that of the newest job it finds (docs/wire/agents.md 5).
 */
export function mayStart(
  found: { readonly endedAt: number | null; readonly isDeleted: boolean },
  { isLive, isFirst }: Pick<Action & { do: 'start' }, 'isLive' | 'isFirst'>,
  now: number,
): 'resume' | 'again' | 'late' | 'refuse' {
  if (found.endedAt === null) return found.isDeleted ? 'refuse' : 'resume'
  const isLate = now - found.endedAt < LATE_MS
  if (isLive && (isFirst || !isLate)) return 'again'
  return isLate && !found.isDeleted ? 'late' : 'refuse'
}
