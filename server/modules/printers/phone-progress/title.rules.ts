import { band } from '@vigil/contract/watch/band.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { statusOf } from '@vigil/contract/core/status.ts'

/** When it is ten past two, `02:10PM`; null in a zone that is none. */
function clockAt(at: number, timeZone: string): string | null {
  try {
    const shape = { hour: '2-digit', minute: '2-digit', hourCycle: 'h12', timeZone } as const
    return new Intl.DateTimeFormat('en-US', shape).format(at).replaceAll(/\s/g, '')
  } catch {
    return null
  }
}

function leftOf(seconds: number): string {
  const two = (amount: number) => String(Math.floor(amount)).padStart(2, '0')
  return `${two(seconds / 3600)}:${two((seconds % 3600) / 60)}`
}

function signOf({ watch, normalized_p: p }: Pick<Printer, 'watch' | 'normalized_p'>): string {
  if (watch.state !== 'watching') return '😴'
  return { good: '🟢', fishy: '🟠', failing: '🔴' }[band(p)]
}

/** How a print gets on, as apps show it: percent, time left, when it is done by the phone's clock, how it is watched. */
export function progressOf(
  printer: Pick<Printer, 'status' | 'watch' | 'normalized_p'>,
  { now, timeZone }: { readonly now: number; readonly timeZone: string | null },
): { title: string; completion: string } {
  const status = statusOf(printer.status)
  const percent = Math.min(100, Math.max(0, Math.round(status?.completion ?? 0)))
  const text = status?.text ?? ''
  const left = status?.leftS ?? null
  const isKnown = left !== null && left >= 0 && left < 1e8
  const done = isKnown && timeZone !== null ? clockAt(now + left * 1000, timeZone) : null
  const pieces = [
    `${text === 'Printing' ? '' : text} ${percent === 0 ? '-' : `${percent}%`}`.trim(),
    `⏱ ${isKnown ? leftOf(left) : '--:--'}`,
    ...(done === null ? [] : [`🏁 ${done}`]),
    signOf(printer),
  ]
  return { title: pieces.join(' | '), completion: String(percent) }
}
