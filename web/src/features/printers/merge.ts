import type { Printer } from '@vigil/contract/printers.ts'

/** A status dated further ahead than this comes from a clock that is wrong: it never blocks later ones. */
const FUTURE_S = 60

/** Takes what the server says; only an older status than the one we hold is dropped (api-contract 2.4). */
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

/** A frame of /ws/web that carries a printer, not a passthru answer. */
export function asPrinterFrame(message: unknown): Partial<Printer> | null {
  if (!message || typeof message !== 'object' || 'passthru' in message) return null
  return 'id' in message ? (message as Partial<Printer>) : null
}
