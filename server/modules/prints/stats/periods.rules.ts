import type { Grouping } from '@vigil/contract/prints/stats.ts'
import { shownAt } from '../../../lib/zones.ts'
import { type Days, spanOf } from '../prints/index.ts'

const DAY_MS = 86_400_000
const SUNDAY = 0

/** The first day after `day` (midnight as if it were UTC) that begins a new group. */
function next(day: number, grouping: Grouping): number {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (grouping === 'week') return day + (7 - ((date.getUTCDay() - SUNDAY) % 7)) * DAY_MS
  if (grouping === 'month') return utc(year, month + 1)
  if (grouping === 'year') return utc(year + 1, 0)
  return day + DAY_MS
}

/** The first of a month; `Date.UTC` takes the years 0 to 99 for those of the last century. */
const utc = (year: number, month: number) => new Date(0).setUTCFullYear(year, month, 1)

/** A group of days: how it is called on the wire, and its first moment. */
export interface Period {
  readonly key: string
  readonly since: Date
}

/**
 * The groups of some days, also those in which nothing was printed: the first begins with the first day, so that it may
 * be short, each other one with a day, a Sunday, the 1st or 1 January. At most `most`; null for more.
 */
export function periodsOf(days: Days, grouping: Grouping, most: number): Period[] | null {
  const { from, to, timeZone } = days
  const startOf = (day: string) => spanOf({ from: day, to: day, timeZone }).since
  const offset = offsetText(startOf(from), timeZone)
  const periods: Period[] = []
  for (let day = Date.parse(from); day <= Date.parse(to); day = next(day, grouping)) {
    if (periods.length === most) return null
    const date = new Date(day).toISOString().slice(0, 10)
    periods.push({ key: `${date}T00:00:00${offset}`, since: startOf(date) })
  }
  return periods
}

/** How far a zone's clocks are ahead of UTC at a moment: `-05:00`. */
function offsetText(at: Date, timeZone: string): string {
  const ahead = shownAt(at.getTime(), timeZone) - Math.floor(at.getTime() / 1000) * 1000
  const text = new Date(Math.abs(ahead)).toISOString().slice(11, 19)
  return (ahead < 0 ? '-' : '+') + text.replace(/:00$/, '')
}
