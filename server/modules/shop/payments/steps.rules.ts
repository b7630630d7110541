/** Which steps of a plan's life lead from what we have to what its provider says. Pure. */
import type { Billed, Deal, KeptNext } from '../../../engines/billing/index.ts'
import type { EdgeName } from '../subscriptions/index.ts'
import { isSameDeal } from './deals.rules.ts'

/** What we have of it. */
export interface Ours {
  readonly state: string
  readonly endsAt: Date | null
  readonly billingCycle: string | null
  readonly printers: number
  readonly dhpackLevel: string
  readonly baseCents: number
  readonly printersCents: number
  readonly dhpackCents: number
  readonly nextDeal: KeptNext | null
}

/** A step, and when the plan then ends or is paid again. */
export interface NextStep {
  readonly edge: EdgeName
  readonly endsAt: Date
}

const DAY_MS = 86_400_000

const isAgreed = (ours: Ours, deal: Deal): boolean =>
  ours.billingCycle === deal.cycle &&
  ours.printers === deal.printers &&
  ours.dhpackLevel === deal.packLevel &&
  ours.baseCents === deal.cents.base &&
  ours.printersCents === deal.cents.printers &&
  ours.dhpackCents === deal.cents.pack

const isPlanned = ({ nextDeal }: Ours, next: Billed['next']): boolean =>
  nextDeal === null || next === null
    ? nextDeal === next
    : Date.parse(nextDeal.from) === next.from.getTime() && isSameDeal(nextDeal.deal, next.deal)

/** The steps of a plan that was bought and runs, in their order; none where all is as its provider says. */
export function stepsTo(
  ours: Ours,
  billed: Billed,
  { now, graceDays }: { now: Date; graceDays: number },
): NextStep[] {
  const { termEnd, failedAt } = billed
  const graceEnd = failedAt === null ? termEnd : new Date(failedAt.getTime() + graceDays * DAY_MS)
  const isGone = billed.state === 'ended' || (billed.state === 'past_due' && graceEnd <= now)
  if (isGone) return ended(ours, now)
  const steps: NextStep[] = []
  let state = ours.state
  const go = (edge: EdgeName, to: string, endsAt: Date) => {
    steps.push({ edge, endsAt })
    state = to
  }
  if (billed.state === 'active') {
    if (state === 'cancelled' && !billed.willEnd) go('resume', 'active', termEnd)
    else if (state === 'past_due') go('renew', 'active', termEnd)
    else if (state === 'active' && ours.endsAt?.getTime() !== termEnd.getTime())
      go('renew', 'active', termEnd)
    if (state === 'active' && !(isAgreed(ours, billed.deal) && isPlanned(ours, billed.next)))
      go('change', 'active', termEnd)
  } else if (billed.state === 'past_due') {
    if (state === 'cancelled' && !billed.willEnd) go('resume', 'active', termEnd)
    if (state === 'active') go('fail', 'past_due', graceEnd)
  }
  if (billed.willEnd && state !== 'cancelled')
    go('cancel', 'cancelled', state === 'past_due' ? graceEnd : termEnd)
  return steps
}

/** It is over there: at once here, too. */
function ended({ state }: Ours, now: Date): NextStep[] {
  const expire = { edge: 'expire', endsAt: now } as const
  return state === 'active' ? [{ edge: 'cancel', endsAt: now }, expire] : [expire]
}
