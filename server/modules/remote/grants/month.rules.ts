import { momentsOf, shownAt } from '../../../lib/zones.ts'

const MINUTE_MS = 60_000

/** A zone that the server does not know (any more) is UTC. */
function knownZone(timeZone: string | null): string {
  if (timeZone === null) return 'UTC'
  try {
    shownAt(0, timeZone)
    return timeZone
  } catch {
    return 'UTC'
  }
}

/** The month of a moment as its owner's clocks show it, `2026-11`, and the moment at which the next one begins. */
export function monthOf(
  now: number,
  timeZone: string | null,
): { readonly month: string; readonly ends: number } {
  const zone = knownZone(timeZone)
  const shown = new Date(shownAt(now, zone))
  const [year, month] = [shown.getUTCFullYear(), shown.getUTCMonth()]
  const [next] = momentsOf(Date.UTC(year, month + 1, 1), zone)
  return {
    month: `${year}-${String(month + 1).padStart(2, '0')}`,
    ends: next ?? now + MINUTE_MS,
  }
}
