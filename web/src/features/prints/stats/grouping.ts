import { type Grouping, groupings } from '@vigil/contract/prints/stats.ts'

export const CHOICES = ['auto', ...groupings] as const
export type Choice = (typeof CHOICES)[number]

const DAY_MS = 86_400_000
/** So many days at most, and what they are put together by. */
const AUTO = [
  [31, 'day'],
  [95, 'week'],
  [366, 'month'],
] as const

/** What days from one `YYYY-MM-DD` to another, both included, are put together by. */
export function groupingOf(choice: string, from: string, to: string): string {
  if (choice.toLowerCase() !== 'auto') return choice
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return AUTO.find(([most]) => days <= most)?.[1] ?? 'year'
}

/** The day that a group begins with, as it is written: no zone moves it (contract/prints/stats.ts). */
export const dayOfKey = (key: string): string => key.slice(0, 10)

const COARSE: Record<Grouping, Intl.DateTimeFormatOptions> = {
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}
const FINE: Record<Grouping, Intl.DateTimeFormatOptions> = {
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
}

/** How a group is called: shortly below a chart, and in full with its last day where it has several. */
export function namesOf(keys: readonly string[], grouping: Grouping, to: string, language: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  const [coarse, fine] = [format(COARSE[grouping]), format(FINE[grouping])]
  const days = keys.map((key) => Date.parse(dayOfKey(key)))
  const end = Date.parse(to)
  return days.map((day, at) => ({
    short: coarse.format(day),
    long:
      grouping === 'week'
        ? fine.formatRange(day, Math.max(day, (days[at + 1] ?? end + DAY_MS) - DAY_MS))
        : fine.format(day),
  }))
}

/** Up to five marks of an axis from 0 on, the last one not below `most`; whole numbers where only these make sense. */
export function ticksOf(most: number, isWhole: boolean): number[] {
  if (most <= 0) return [0]
  const size = 10 ** Math.floor(Math.log10(most / 4))
  const steps = [1, 2, 2.5, 5, 10].map((each) => each * size)
  const step = steps.find((each) => each * 4 >= most && (!isWhole || Number.isInteger(each))) ?? 1
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}

/** Which of so many groups have their name below the chart: five at most, evenly apart. */
export function labelled(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 5))
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step)
}
