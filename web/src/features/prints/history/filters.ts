import type { Args } from '@vigil/contract/endpoint.ts'
import type { listPrints, PrintTotals } from '@vigil/contract/prints/prints.ts'
import { type Days, daysOf, type Period, PERIODS } from '../../../lib/periods.ts'

export const STATUSES = ['none', 'finished', 'cancelled', 'failed'] as const
export type Status = (typeof STATUSES)[number]
export const FEEDBACK = ['none', 'need_alert_overwrite', 'need_print_shot_feedback'] as const

/** What of the prints is shown. `none` and an empty list are all of them. */
export interface Filters {
  status: (typeof STATUSES)[number]
  feedback: (typeof FEEDBACK)[number]
  printers: readonly number[]
  period: Period
  custom: Partial<Days>
}

export const NO_FILTERS: Filters = {
  status: 'none',
  feedback: 'none',
  printers: [],
  period: 'none',
  custom: {},
}

/** Where each part of them is kept in this browser, after the page's own prefix. */
export const FILTER_KEYS = {
  status: 'status',
  feedback: 'feedbackNeeded',
  printers: 'printers',
  period: 'timePeriod',
  from: 'timePeriod-dateFrom',
  to: 'timePeriod-dateTo',
} as const
type Stored = Record<keyof typeof FILTER_KEYS, string | null>

const among = <T extends string>(words: readonly [T, ...T[]], word: string | null): T =>
  words.find((each) => each === word) ?? words[0]
const aDay = (text: string | null) => (text && /^\d{4}-\d\d-\d\d$/.test(text) ? text : '')

/** Reads what was kept; whatever makes no sense counts as not chosen. */
export function readFilters(stored: Stored): Filters {
  return {
    status: among(STATUSES, stored.status),
    feedback: among(FEEDBACK, stored.feedback),
    printers: (stored.printers ?? '').split(',').map(Number).filter(isId),
    period: among(PERIODS, stored.period),
    custom: { from: aDay(stored.from), to: aDay(stored.to) },
  }
}
const isId = (id: number) => Number.isSafeInteger(id) && id > 0

/** The same to be kept; null for what is not chosen. */
export function writeFilters({ status, feedback, printers, period, custom }: Filters): Stored {
  const or = (word: string) => (word === 'none' ? null : word)
  return {
    status: or(status),
    feedback: or(feedback),
    printers: printers.length > 0 ? printers.join(',') : null,
    period: or(period),
    from: custom.from || null,
    to: custom.to || null,
  }
}

type PrintQuery = Args<typeof listPrints>['query']

/** What the server is asked with; `joined` is the day of the account's beginning. */
export function queryOf(filters: Filters, known: { now: Date; joined: Date; timeZone: string }): PrintQuery {
  const days = daysOf(filters.period, filters.custom, known)
  return {
    timezone: known.timeZone,
    // What its owner says has failed is told as that, however it ended.
    ...(filters.status === 'failed' && { failed: true }),
    ...((filters.status === 'finished' || filters.status === 'cancelled') && {
      filter: filters.status,
      failed: false,
    }),
    ...(filters.feedback !== 'none' && { feedback_needed: filters.feedback }),
    ...(filters.printers.length > 0 && { filter_by_printer_ids: [...filters.printers] }),
    ...(days && { from_date: days.from, to_date: days.to }),
  }
}

/** A choice of many with one more, or one less; without any it is all of them again. */
export function toggled(chosen: readonly number[], id: number): number[] {
  return chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]
}

/** How many prints each status would show; of what the other filters let through. */
export const countsOf = (sums: PrintTotals): Record<Status, number> => ({
  none: sums.count,
  finished: sums.succeeded - (sums.failed - sums.failed_cancelled),
  cancelled: sums.cancelled - sums.failed_cancelled,
  failed: sums.failed,
})

/** True where they hide something. */
export function isFiltering({ status, feedback, printers, period, custom }: Filters): boolean {
  const hasDays = period !== 'none' && (period !== 'custom' || Boolean(custom.from || custom.to))
  return status !== 'none' || feedback !== 'none' || printers.length > 0 || hasDays
}
