import { LRUCache } from 'lru-cache'

const DAY_MS = 86_400_000

/** Making one takes far longer than asking it, and a year has many days. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return clock
}

/** What the clocks of a zone show at a moment, as if it were UTC. */
export function shownAt(at: number, timeZone: string): number {
  const shown = clockOf(timeZone).format(at)
  return Date.parse(`+${shown.padStart(21, '0').replace(' ', 'T')}Z`)
}

/**
 * The moments at which the clocks of a zone show a time (given as if it were UTC), the first one first: two where they are set
 * back over it; where they skip it, the one that comes as long after the skip.
 */
export function momentsOf(shown: number, timeZone: string): number[] {
  const moments = [shown - DAY_MS, shown + DAY_MS].map((at) => shown - (shownAt(at, timeZone) - at))
  const reached = moments.filter((at) => shownAt(at, timeZone) >= shown)
  return [...new Set(reached)].toSorted((a, b) => a - b)
}

/** The zone of an account; UTC where there is none, or one that the server does not know (any more). */
export function knownZone(timeZone: string | null): string {
  if (timeZone === null) return 'UTC'
  try {
    shownAt(0, timeZone)
    return timeZone
  } catch {
    return 'UTC'
  }
}

/** The same day and time of day `months` months on, by the clocks of a zone; the last day of a month that has no such day. */
export function monthsOn(start: number, months: number, timeZone: string): number {
  const shown = new Date(shownAt(start, timeZone))
  const [year, month] = [shown.getUTCFullYear(), shown.getUTCMonth() + months]
  const day = Math.min(shown.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
  const wanted = Date.UTC(year, month, day) + (shown.getTime() % DAY_MS)
  return momentsOf(wanted, timeZone)[0] ?? wanted
}
