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

/** The first moment of a calendar day in a zone, also where the clocks skip or repeat midnight. */
function dayStart(midnight: number, timeZone: string): Date {
  const starts = [midnight - DAY_MS, midnight + DAY_MS]
    .map((at) => midnight - (shownAt(at, timeZone) - at))
    .filter((at) => shownAt(at, timeZone) >= midnight)
  return new Date(Math.min(...starts))
}

/** Days as their owner counts them: `YYYY-MM-DD`, the last one included; `timeZone` is an IANA name. */
export interface Days {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** From the first moment of the first day to the first one after the last (docs/wire/rest.md 4). */
export function spanOf({ from, to, timeZone }: Days): { readonly since: Date; readonly before: Date } {
  return {
    since: dayStart(Date.parse(from), timeZone),
    before: dayStart(Date.parse(to) + DAY_MS, timeZone),
  }
}
