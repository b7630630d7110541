import { packsOf } from '../../../brands/plans.ts'
import { type Account, entitlementsOf, plansOf } from '../entitlements/index.ts'
import { credit, expireIncluded, grant, setExpiry, setMonthly, takeBack } from '../hours/index.ts'
import type { UserId } from '../../../lib/id.ts'
import type { EdgeName } from './life.rules.ts'
import type { Inside } from './subscriptions.jobs.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

interface Booked {
  readonly owner: Account & { readonly id: UserId; readonly createdAt: Date }
  readonly edge: EdgeName
  readonly before: SubscriptionRow | undefined
  readonly after: SubscriptionRow
  readonly stepId: string
}

/** What a step of a plan does to its hours (docs/rules/plans.md 1). */
export async function bookStep(ctx: Inside, booked: Booked): Promise<void> {
  const { edge, owner, after } = booked
  switch (edge) {
    case 'sign_up':
      return await beginTrial(ctx, booked)
    case 'give':
    case 'give_legacy':
    case 'redeem':
    case 'buy':
      return await begin(ctx, booked)
    case 'change':
      return await change(ctx, booked)
    case 'cancel':
    case 'fail':
      return await setExpiry(ctx, owner.id, after.endsAt)
    case 'renew':
    case 'resume':
      return await setExpiry(ctx, owner.id, null)
    case 'expire':
    case 'take':
      return await end(ctx, booked)
  }
}

/** Of a plan with its pack, each month. */
function hoursOf(ctx: Inside, brand: string, { dhpackLevel }: SubscriptionRow): number {
  const pack = packsOf(plansOf(ctx, brand)).get(dhpackLevel)
  return entitlementsOf(ctx, { isPro: true, brand }).detectionHoursPerMonth + (pack?.hours ?? 0)
}

const TRIALS = { kind: 'grant', bucket: 'included', reason: 'trial' } as const

async function beginTrial(ctx: Inside, { owner, after }: Booked): Promise<void> {
  const { hours } = plansOf(ctx, owner.brand).trial
  const none = { hours: 0, rollsOver: true, anchor: after.startedAt, fromNow: false, expiresAt: after.endsAt }
  await setMonthly(ctx, owner.id, none)
  await credit(ctx, { ...TRIALS, userId: owner.id, hours, key: `trial:u:${owner.id}` })
}

/** Hours come at once, and on the same day of each month; what was included before rolls over. */
async function begin(ctx: Inside, { owner, after }: Booked): Promise<void> {
  await grant(ctx, owner.id)
  await setMonthly(ctx, owner.id, {
    hours: hoursOf(ctx, owner.brand, after),
    rollsOver: entitlementsOf(ctx, { ...owner, isPro: true }).hoursRollOver,
    anchor: after.startedAt,
    fromNow: true,
    expiresAt: after.endsAt !== null && after.state !== 'active' ? after.endsAt : null,
  })
}

/** By the account's clocks a month begins up to so long before its bill. */
const BEFORE_BILL_MS = 4 * 86_400_000

/**
 * A larger pack gives what it has more for the rest of the month that runs, as it is paid for (docs/decisions/0024); a smaller one takes
 * nothing back, but of a month that began with the bill for which it was planned, and had come as before.
 */
async function change(ctx: Inside, { owner, before, after, stepId }: Booked): Promise<void> {
  await grant(ctx, owner.id)
  const hours = hoursOf(ctx, owner.brand, after)
  const more = hours - (before === undefined ? hours : hoursOf(ctx, owner.brand, before))
  const rollsOver = entitlementsOf(ctx, { ...owner, isPro: true }).hoursRollOver
  const { began, left } = await setMonthly(ctx, owner.id, {
    hours,
    rollsOver,
    anchor: after.startedAt,
    fromNow: false,
    expiresAt: null,
  })
  const booked = {
    userId: owner.id,
    bucket: 'included',
    reason: 'plan_changed',
    key: `step:${stepId}`,
  } as const
  if (more > 0) await credit(ctx, { ...booked, kind: 'grant', hours: more * left })
  else if (isPlannedFor(before, { began, now: ctx.clock.now() }))
    await takeBack(ctx, { ...booked, kind: 'adjustment', hours: -more })
}

/** Whether a change was planned for a bill that has come, with which the month that runs began. */
function isPlannedFor(
  before: SubscriptionRow | undefined,
  { began, now }: { began: number; now: number },
): boolean {
  const from = before?.nextDeal ? Date.parse(before.nextDeal.from) : Infinity
  return from <= now && from - BEFORE_BILL_MS <= began
}

/** What was included goes with its plan; those of the Free plan come on the monthly day of the sign-up. */
async function end(ctx: Inside, { owner, stepId }: Booked): Promise<void> {
  await expireIncluded(ctx, owner.id, { reason: 'plan_over', key: `over:step:${stepId}` })
  const { detectionHoursPerMonth: hours, hoursRollOver: rollsOver } = entitlementsOf(ctx, {
    ...owner,
    isPro: false,
  })
  await setMonthly(ctx, owner.id, {
    hours,
    rollsOver,
    anchor: owner.createdAt,
    fromNow: false,
    expiresAt: null,
  })
}
