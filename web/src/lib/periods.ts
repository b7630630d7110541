/** A stretch of time that prints are asked for by; weeks begin on Sunday. */
export const PERIODS = ['none', 'this_week', 'this_month', 'this_year', 'custom'] as const
export type Period = (typeof PERIODS)[number]

/** Whole days, `YYYY-MM-DD`, the last one included. */
export interface Days {
  from: string
  to: string
}

/** The day that this browser's clocks show, as `YYYY-MM-DD`. */
export function dayOf(at: Date): string {
  const [year, month, day] = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The first moment of a `YYYY-MM-DD` here, to be shown. */
export const dateOf = (day: string): Date => new Date(`${day}T00:00:00`)

/**
 * What a person asked for, as days: where no first day is given it is that on which they joined, where no last one is
 * it is today. Null for any time at all.
 */
export function daysOf(
  period: Period,
  custom: Partial<Days>,
  { now, joined }: { now: Date; joined: Date },
): Days | null {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const until = (from: Date): Days => ({ from: dayOf(from), to: dayOf(now) })
  if (period === 'this_week') return until(new Date(year, month, day - now.getDay()))
  if (period === 'this_month') return until(new Date(year, month, 1))
  if (period === 'this_year') return until(new Date(year, 0, 1))
  if (period === 'custom' && (custom.from || custom.to))
    return { from: custom.from || dayOf(joined), to: custom.to || dayOf(now) }
  return null
}

/** Why these days can't be asked for; null when they can. */
export function faultOf({ from, to }: Partial<Days>): 'missing' | 'reversed' | null {
  if (!from && !to) return 'missing'
  return from && to && from > to ? 'reversed' : null
}
