import type { Printer, WatchCode } from '@vigil/contract/printers/printers.ts'
import { type Band, band } from '@vigil/contract/watch/band.ts'
import { ms } from '../lib/format.ts'

/** What the place of the gauge says: the verdict, or that and why we don't look. */
export type Watching =
  | { kind: 'verdict'; band: Band; value: number }
  | { kind: 'starting' }
  | { kind: 'standby' }
  /** What was so when we last heard of it; nobody here knows how it is now. */
  | { kind: 'unheard'; band: Band | null; value: number | null }
  | { kind: 'off'; code: WatchCode | null; said: string | null }
  | { kind: 'blind'; code: WatchCode | null; said: string | null }

/** Nothing is wrong: there is nothing to watch just now. */
const RESTING: WatchCode = 'not_printing'

/** Watched is claimed only when the server says so in as many words. */
export function watching(printer: Printer): Watching {
  const { watch } = printer
  if (watch?.state === 'watching' && !watch.checked_at) return { kind: 'starting' }
  if (watch?.state === 'watching')
    return { kind: 'verdict', band: band(printer.normalized_p), value: printer.normalized_p }
  if (watch?.state === 'not_watching' && watch.code === RESTING) return { kind: 'standby' }
  const why = { code: watch?.code ?? null, said: watch?.reason ?? printer.not_watching_reason }
  return watch?.state === 'not_watching' ? { kind: 'off', ...why } : { kind: 'blind', ...why }
}

/** A verdict older than the time between two looks and this is no longer one of now. */
const LATE_MS = 20_000

/** Whether the last look, if there was one, is of now; old ones are no claim. */
export function isFresh({ checked_at, checked_every }: Printer['watch'], now: number): boolean {
  const checkedAt = ms(checked_at)
  return checkedAt === null || now - checkedAt <= checked_every * 1000 + LATE_MS
}

/** The verdict that an open alert was raised at; it stands beside the alert until that is answered. */
export function alertVerdict({ alert }: Printer): { band: Band; value: number } | null {
  const value = alert?.normalized_p ?? null
  return value === null ? null : { band: band(value), value }
}

/** From this share of the picture left out by ignore zones, a look is hardly one. */
export const HARDLY_PERCENT = 80

/** What the ignore zones leave out, in percent, when that is nearly everything; else null. */
export function hardlyWatched(printer: Pick<Printer, 'ignored_percent' | 'watching_enabled'>): number | null {
  return printer.watching_enabled && printer.ignored_percent > HARDLY_PERCENT ? printer.ignored_percent : null
}
