import { ms } from '../../../lib/format.ts'

const DAY_MS = 86_400_000
/** A month as a year has twelve of them. */
const MONTH_DAYS = 365.25 / 12

/** Whole days to the end, and one. */
export const daysLeft = (endsAt: string | null, now: number): number =>
  Math.max(0, Math.floor(((ms(endsAt) ?? now) - now) / DAY_MS)) + 1

/** So many months a plan is for; null for one without an end. */
export const monthsOf = (startedAt: number, endsAt: number | null): number | null =>
  endsAt === null ? null : Math.max(1, Math.round((endsAt - startedAt) / DAY_MS / MONTH_DAYS))
