import { agentCan } from '@vigil/contract/core/abilities.ts'
import type { CloudPrintReason, CloudPrintState } from '@vigil/contract/files/cloud-prints.ts'
import type { StatusReading } from '@vigil/contract/core/status.ts'
import type { FileId, PrintId } from '../../../lib/id.ts'
import type { Stored } from './stored.rules.ts'

/** How a printer stands when a file is to be printed. */
export interface Standing {
  readonly agentName: string | null
  readonly agentVersion: string | null
  readonly isAgentThere: boolean
  readonly status: StatusReading | null
  readonly isPrinting: boolean
}

/** Why a file cannot be printed now, or null when it can (docs/rules/pages.md). */
export function notReady(printer: Standing): CloudPrintReason | null {
  const { status, isAgentThere, isPrinting, agentName, agentVersion } = printer
  if (!isAgentThere || status === null) return 'off'
  if (!agentCan({ agent_name: agentName, agent_version: agentVersion }, 'printFiles')) return 'too_old'
  if (status.disconnected) return 'not_connected'
  const isIdle = status.operational && status.ready && !status.printing && !status.standsPaused
  return isIdle && !isPrinting ? null : 'busy'
}

/** A hand-over as far as its next step depends on it. Times in milliseconds since 1970. */
export interface UnderWay {
  readonly state: CloudPrintState
  readonly fileId: FileId | null
  readonly names: readonly string[]
  readonly numBytes: number
  readonly createdAt: number
  /** When the last byte left; null: none was asked for. */
  readonly fetchedAt: number | null
  /** When the download broke off, and was not taken up again. */
  readonly cutAt: number | null
  /** Since when the printer stands idle, as if nothing were on its way. */
  readonly idleSince: number | null
  readonly printId: PrintId | null
}

/** The print that the printer is at, or the one that came of the hand-over. */
export interface PrintSeen {
  readonly id: PrintId
  readonly fileId: FileId | null
  readonly filename: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly isCancelled: boolean
}

/** What is known of the printer at this moment. */
export interface Seen {
  readonly now: number
  readonly status: StatusReading | null
  readonly print: PrintSeen | null
  /** Whether the file lies whole on the printer; null: nobody has said, `reading`: it is being found out. */
  readonly stored: Stored | 'reading' | null
}

/** What becomes of a hand-over: columns that change. */
export interface Step {
  readonly state?: CloudPrintState
  readonly reason?: CloudPrintReason
  readonly printId?: PrintId
  readonly idleSince?: number | null
  /** It is printed, and nobody knows whether its file is whole. */
  readonly isUnsure?: true
}

/** Nobody asked for the file within this. */
const UNASKED_MS = 60_000
/** No byte for so long, though the agent has not said that it has given up. */
const STALLED_MS = 90_000
/** Agents do not take up a download that broke off; others may. */
const CUT_MS = 20_000
/** A printer that stands idle for so long after the download does not print it. */
const IDLE_MS = 30_000
/** An agent stores 500 MB on a slow card within this, or gave up. */
const STORING_MS = 15 * 60_000
/** A print's file is told a moment after the print itself. */
const NAMED_MS = 10_000

const fail = (reason: CloudPrintReason): Step => ({ state: 'failed', reason })

/** The next step of a hand-over; null when it stays as it is. */
export function nextStep(one: UnderWay, seen: Seen): Step | null {
  const { now, print } = seen
  if (one.state === 'starting') return ofPrint(one, seen)
  if (print !== null) {
    if (isItsPrint(one, print)) return { state: 'starting', printId: print.id }
    return now - print.startedAt > NAMED_MS ? fail('other_print') : null
  }
  if (one.state === 'sending' || one.state === 'sent')
    return now - one.createdAt > UNASKED_MS ? fail('no_answer') : null
  return one.state === 'downloading' ? ofDownload(one, seen) : ofStoring(one, seen)
}

function ofDownload(one: UnderWay, seen: Seen): Step | null {
  const { now } = seen
  if (one.cutAt !== null && now - one.cutAt > CUT_MS) return fail('download_died')
  return now - (one.fetchedAt ?? one.createdAt) > STALLED_MS ? fail('download_died') : null
}

function ofStoring(one: UnderWay, { now, status }: Seen): Step | null {
  if (now - (one.fetchedAt ?? one.createdAt) > STORING_MS) return fail('not_started')
  const isIdle = status !== null && status.operational && status.ready && !status.printing
  if (!isIdle) return one.idleSince === null ? null : { idleSince: null }
  if (one.idleSince === null) return { idleSince: now }
  return now - one.idleSince > IDLE_MS ? fail('not_started') : null
}

/** By the file's record that the agent names, or else by its name: an agent may have none to tell. */
function isItsPrint(one: UnderWay, print: PrintSeen): boolean {
  return (one.fileId !== null && print.fileId === one.fileId) || one.names.includes(print.filename)
}

function ofPrint(one: UnderWay, { print, status, stored }: Seen): Step | null {
  if (print === null || print.id !== one.printId) return fail('cancelled')
  if (stored === 'cut') return fail('incomplete')
  if (print.isCancelled) return fail('cancelled')
  // In doubt it goes on: its owner is told.
  const done: Step = { state: 'printing', ...(stored === 'unsure' ? { isUnsure: true } : {}) }
  if (print.endedAt !== null) return done
  return stored !== 'reading' && status !== null && isAtFirstLayer(status) ? done : null
}

/** M109 and M190 let a print go on within so many degrees. */
const WARM_WITHIN = 3

/** What has come so far (percent) prints, though nothing of it is hot: a cold head, or one whose heat nobody tells. */
const SURELY_PRINTS = 25

/** Whether a print has come to its first layer: hot, and by its layer, or by the filament that has gone through; or surely past it. */
export function isAtFirstLayer(status: StatusReading): boolean {
  if (status.printing && ((status.layer ?? 0) >= 2 || (status.completion ?? 0) >= SURELY_PRINTS)) return true
  const heated = status.temperatures.filter(({ target }) => target !== null && target > 0)
  // A bed alone may be kept warm between prints.
  const hasNozzle = heated.some(({ name }) => /^(?:tool|extruder)/i.test(name))
  const isHot = hasNozzle && heated.every((one) => one.actual >= (one.target ?? 0) - WARM_WITHIN)
  if (!isHot || !status.printing || (status.completion ?? 0) <= 0) return false
  // OctoPrint tells no layer, and as filament the whole file's; Klipper tells both.
  return status.layer === null ? status.filamentMm !== 0 : status.layer >= 1
}
