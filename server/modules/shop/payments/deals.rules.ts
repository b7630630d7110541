/** What plans come to, and which steps follow from what a provider says. Pure. */
import type { Cycle, Offer, Plans } from '../../../brands/plans.ts'
import { totalOf } from '../../../engines/billing/bill.rules.ts'
import type { Deal } from '../../../engines/billing/index.ts'

/** What somebody wants of a plan. */
export interface Wish {
  readonly cycle: Cycle
  readonly printers: number
  readonly packLevel: string
}

const less = (cents: number, percent: number) => Math.round((cents * (100 - percent)) / 100)

/** The hundredths of each part of a bill; null for a pack that there is not. */
function centsOf(
  plans: Plans,
  { cycle, printers, packLevel }: Wish,
  percentOff: number,
): Deal['cents'] | null {
  const pack = packLevel === '0' ? null : plans.packs.find(({ level }) => level === packLevel)
  if (pack === undefined) return null
  const { base_cents: base, extra_printer_cents: extra } = plans.cycles[cycle]
  return {
    base: less(base, percentOff),
    printers: less(extra * (printers - 1), percentOff),
    pack: less(pack?.[`${cycle}_cents`] ?? 0, percentOff),
  }
}

/** What is agreed when this is bought; null for a pack that there is not. */
export function dealOf(plans: Plans, wish: Wish, { planId = 'pro', percentOff = 0 } = {}): Deal | null {
  const cents = centsOf(plans, wish, percentOff)
  if (cents === null) return null
  return { ...wish, planId, percentOff, cents, months: plans.cycles[wish.cycle].months }
}

/** What a partner's offer takes off the first bill alone: the rest is in the price of all of them. */
export function firstOffOf(plans: Plans, wish: Wish, offer: Offer, deal: Deal): number {
  const first = centsOf(plans, wish, offer.first_percent_off)
  return first === null ? 0 : Math.max(0, totalOf(deal) - totalOf({ cents: first }))
}

/** Whether a whole number of printers is asked for that can be bought; null for none. */
export function printersOf(plans: Plans, said: string | number): number | null {
  const count = Number(typeof said === 'string' && said.trim() === '' ? Number.NaN : said)
  return Number.isInteger(count) && count >= 1 && count <= plans.most_printers ? count : null
}

/** Whether two come to the same. */
export const isSameDeal = (a: Deal, b: Deal): boolean =>
  a.cycle === b.cycle && a.printers === b.printers && a.packLevel === b.packLevel && totalOf(a) === totalOf(b)

/**
 * From when a change counts. What is paid for is kept: a cheaper bill, a shorter one or a smaller pack comes with the renewal, all else at
 * once. So nothing is ever given back for hours that were spent meanwhile, and no pack comes twice in a term.
 */
export function startOf(plans: Plans, before: Deal, after: Deal): 'now' | 'renewal' {
  if (after.months !== before.months) return after.months > before.months ? 'now' : 'renewal'
  const hours = ({ packLevel }: Deal) => plans.packs.find(({ level }) => level === packLevel)?.hours ?? 0
  return totalOf(after) < totalOf(before) || hours(after) < hours(before) ? 'renewal' : 'now'
}
