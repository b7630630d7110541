import { isFields } from '@vigil/contract/fields.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import { storableText } from '../../../lib/tolerant-json.ts'
import { heatersOf, type Progress, type Report } from '../../prints/prints/index.ts'

type Fields = Record<string, unknown>

/** A status message with the key names of all agents made one (docs/wire/agents.md 5, 9). */
export interface StatusMessage {
  readonly printTs: number | null
  /** Null: absent or empty, the printer is offline. */
  readonly status: Fields | null
  readonly event: { readonly name: string; readonly data: Fields } | null
  readonly settings: Fields | null
  readonly fileId: number | null
}

const MAX_ID = 2_147_483_647
const MAX_FILENAME = 1000

const fields = (value: unknown): Fields | null => (isFields(value) ? value : null)

const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** Reads a status message; what is not understood is as if it were absent. */
export function readStatusMessage(message: Fields): StatusMessage {
  const status = fields(message['status'] ?? message['octoprint_data'])
  const event = fields(message['event'] ?? message['octoprint_event'])
  const name = event?.['event_type']
  const file = statusOf(status)?.file
  return {
    printTs: printKey(message['current_print_ts']),
    status: status && Object.keys(status).length > 0 ? status : null,
    event: event && typeof name === 'string' ? { name, data: fields(event['data']) ?? {} } : null,
    settings: fields(message['settings'] ?? message['octoprint_settings']),
    fileId: fileKey(file?.['obico_g_code_file_id'] ?? message['tsd_gcode_file_id']),
  }
}

/** Seconds that name a print; whatever cannot be one is unknown. */
function printKey(value: unknown): number | null {
  const seconds = finite(value)
  if (seconds === null || seconds > 1e12 || (seconds < 0 && seconds !== -1)) return null
  return Math.trunc(seconds)
}

function fileKey(value: unknown): number | null {
  const key = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : finite(value)
  return key !== null && Number.isInteger(key) && key > 0 && key <= MAX_ID ? key : null
}

/** The numbers of a status that a print's statistics are made of. */
export function progressOf(status: Fields | null): Progress {
  const reading = statusOf(status)
  const amount = (number: number | null = null) =>
    number !== null && number >= 0 && number < 1e12 ? number : null
  return {
    completion: amount(reading?.completion),
    printTime: amount(reading?.elapsedS),
    filamentUsed: amount(reading?.filamentMm),
    planned: reading?.plannedFilamentMm ?? null,
  }
}

/** What a message says about prints. */
export function reportOf(message: StatusMessage, last: Progress | null, isStale = false): Report {
  return {
    printTs: message.printTs,
    fileName: fileNameOf(message),
    fileId: message.fileId,
    event: message.event?.name ?? null,
    isLive: !isStale && isAtPrint(message),
    progress: progressOf(message.status),
    last,
  }
}

/** An agent that begins a print may have no flag set yet. */
function isAtPrint({ event, status }: StatusMessage): boolean {
  const reading = statusOf(status)
  return event?.name === 'PrintStarted' || reading?.printing === true || reading?.standsPaused === true
}

function fileNameOf({ event, status }: StatusMessage): string | null {
  const given = event?.data['name'] ?? statusOf(status)?.file['name']
  if (typeof given !== 'string') return null
  const name = storableText(given, MAX_FILENAME).trim()
  return name === '' ? null : name
}

/** True when the status says that the printer stands still in a pause; event messages may say so too early. */
export function isPaused(status: Fields | null): boolean {
  return statusOf(status)?.standsPaused === true
}

/**
 * Whether `later` makes a status before it superfluous: both only say how things are, of the same print, file, state and
 * targets of the heaters, so that what lies between them is nothing but numbers that have gone on.
 */
export function saysNoLess(later: StatusMessage, earlier: StatusMessage): boolean {
  const tells = ({ status, event, settings }: StatusMessage) =>
    status !== null && event === null && settings === null
  return tells(later) && tells(earlier) && standingOf(later) === standingOf(earlier)
}

function standingOf(message: StatusMessage): string {
  const { printTs, fileId, status } = message
  const reading = statusOf(status)
  const targets = reading && heatersOf(reading).map(({ name, target, offset }) => [name, target, offset])
  return JSON.stringify([printTs, fileId, fileNameOf(message), reading?.text, reading?.standsPaused, targets])
}

/** Events of a print that count even in a message that came too late to be the printer's status. */
const PRINT_EVENTS = new Set([
  'PrintCancelling',
  'PrintCancelled',
  'PrintFailed',
  'PrintDone',
  'PrintPaused',
  'PrintResumed',
  'FilamentChange',
])

export function isPrintEvent(name: string | null): boolean {
  return name !== null && PRINT_EVENTS.has(name)
}
