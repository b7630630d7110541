import { type EventClass, eventTypesOf } from '@vigil/contract/core/events.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import type { PrintId, PrinterId, UserId } from '../../../lib/id.ts'
import type { MediaRef } from '../../../engines/files/port.ts'

/** Words of docs/wire/rest.md 5. */
export type EventType =
  | 'STARTED'
  | 'ENDED'
  | 'PAUSED'
  | 'RESUMED'
  | 'FAILURE_ALERTED'
  | 'ALERT_MUTED'
  | 'ALERT_UNMUTED'
  | 'FILAMENT_CHANGE'
  | 'PRINTER_ERROR'

export type { EventClass }

export type EventParams = Readonly<Record<string, string | number | boolean | null>>

/** What happened to a printer: a code with parameters, or an agent's own title and text. */
export interface NewEvent {
  readonly userId: UserId
  readonly printerId: PrinterId
  readonly printId: PrintId | null
  readonly type: EventType
  readonly class: EventClass
  readonly code: string | null
  readonly params?: EventParams
  readonly image?: MediaRef | null
  readonly infoUrl?: string | null
  readonly title?: string | null
  readonly text?: string | null
  /** False: it stands in the feed, and nobody is told. */
  readonly isToBeTold?: boolean
}

/** How loud an event is as a toast: a print that somebody cancelled is what they wanted, not a warning. */
export function toastClass(event: { code: string | null; eventClass: string; params: unknown }): string {
  const { wanted } = fieldsOf(event.params)
  return event.code === 'print_cancelled' && wanted === true ? 'INFO' : event.eventClass
}

/** What is not known; `?` stands in old rows. */
const UNKNOWN: ReadonlySet<unknown> = new Set([undefined, null, '', '?'])

/** Puts parameters into `{{name}}` places. What is not known is not said: nor is a later sentence that needs it, or a colon before it. */
export function fillIn(text: string, params: EventParams): string {
  const isKnown = (name: string) => !UNKNOWN.has(params[name])
  const [first = '', ...more] = text.split(/(?<=[.!?] |[。！？])/)
  const said = more.filter((one) => [...one.matchAll(PLACE)].every(([, , name = '']) => isKnown(name)))
  return [first, ...said]
    .join('')
    .replace(PLACE, (_, colon = '', name) => (isKnown(name) ? `${colon}${params[name]}` : ''))
    .trimEnd()
}
const PLACE = /([:：] ?)?\{\{\s{0,3}(\w{1,40})\s{0,3}\}\}/g

/**
 * Agents show their own errors by websocket before they post them, except a filament change (docs/wire/agents.md
 * 2.4): only what browsers have not seen yet is told to them.
 */
export function isNewsToBrowsers({ code, type }: { code: string | null; type: string }): boolean {
  return code !== null || type !== 'PRINTER_ERROR'
}

/** The types that a filter names; undefined means all. */
export const typesOf = (words: readonly string[] | undefined): string[] | undefined =>
  words?.flatMap((word): readonly string[] => eventTypesOf[word] ?? [word])
