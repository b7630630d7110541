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
