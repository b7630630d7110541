import { plainEventText } from '@vigil/contract/core/event-text.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'

/** A status dated further ahead than this comes from a clock that is wrong: it never blocks later ones. */
const FUTURE_S = 60

/** Takes what the server says; only an older status than the one we hold is dropped (docs/wire/rest.md 5.2). */
export function mergePrinter(held: Printer | undefined, said: Partial<Printer>, nowMs: number): Printer {
  if (!held) return said as Printer
  const merged = { ...held, ...said }
  const older =
    held.status &&
    said.status &&
    said.status._ts < held.status._ts &&
    held.status._ts <= nowMs / 1000 + FUTURE_S
  if (older) merged.status = held.status
  return merged
}

/** What an agent or the server has to tell whoever looks (docs/wire/agents.md 7.3). */
export interface PrinterEvent {
  title: string | null
  text: string | null
  kind: string | null
  type: string | null
}

/** The event in a passthru frame, if it carries one. */
export function asPrinterEvent(message: unknown): PrinterEvent | null {
  const event = (message as { passthru?: { printer_event?: Record<string, unknown> } } | null)?.passthru
    ?.printer_event
  if (!event || typeof event !== 'object') return null
  const word = (value: unknown) => (typeof value === 'string' && value.trim() ? value : null)
  const told = {
    title: word(event['event_title']),
    text: word(plainEventText(word(event['event_text']) ?? '')),
  }
  if (!told.title && !told.text) return null
  return { ...told, kind: word(event['event_class']), type: word(event['event_type']) }
}

/** A frame of /ws/web that carries a printer, not a passthru answer. */
export function asPrinterFrame(message: unknown): Partial<Printer> | null {
  if (!message || typeof message !== 'object' || 'passthru' in message) return null
  return 'id' in message ? (message as Partial<Printer>) : null
}
