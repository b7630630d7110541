import type { HourBucket } from '@vigil/contract/shop/hours.ts'
import { monthsOn } from '../../../lib/zones.ts'

/** Whole seconds of each kind; below zero are owed. */
export type Balances = Readonly<Record<HourBucket, number>>

/**
 * From where so many seconds are taken: what is included first, then what was earned or bought; what nobody has is owed by
 * what is included, so that the next grant pays it (docs/rules/plans.md 2).
 */
export function spend(seconds: number, { included, earned }: Balances): Balances {
  const first = Math.min(seconds, Math.max(0, included))
  const second = Math.min(seconds - first, Math.max(0, earned))
  return { included: seconds - second, earned: second }
}

/** When hours come, month by month since `anchor`, by the clocks of a zone. */
export interface Months {
  readonly anchor: number
  readonly timeZone: string
}

/** When period `number` begins; 0 is the first. */
export const periodAt = ({ anchor, timeZone }: Months, number: number): number =>
  monthsOn(anchor, number, timeZone)

/** The period that a moment lies in; the first one for what comes before it. */
export function periodOf(months: Months, now: number): number {
  let number = Math.max(0, Math.floor((now - months.anchor) / (31 * 86_400_000)))
  while (periodAt(months, number + 1) <= now) number++
  return number
}

/** How much of a period is left at a moment in it, of 1. */
export function restOf(months: Months, number: number, now: number): number {
  const [start, end] = [periodAt(months, number), periodAt(months, number + 1)]
  return Math.min(1, Math.max(0, (end - now) / (end - start)))
}
