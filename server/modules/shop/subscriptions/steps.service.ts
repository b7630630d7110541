import type { Ctx } from '../../../ctx.ts'
import type { Cycle } from '../../../brands/plans.ts'
import type { Next } from '../../../engines/billing/index.ts'
import { inTransaction, lockList } from '../../../engines/db/transaction.ts'
import { AppError } from '../../../http/errors.ts'
import type { UserId } from '../../../lib/id.ts'
import { text } from '../../../http/texts.ts'
import { entitlementsOf, plansOf } from '../entitlements/index.ts'
import { bookStep } from './hours.service.ts'
import { EDGES, type EdgeName, follow, type PlanState } from './life.rules.ts'
import { type Inside, PLAN_STEP, SURPLUS } from './subscriptions.jobs.ts'
import * as queries from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

/** What a plan comes to after a step; what is not said stays as it is, or is as a plan without anything added. */
export interface Terms {
  readonly planId?: string
  readonly cycle?: Cycle | null
  readonly printers?: number
  readonly packLevel?: string
  readonly endsAt?: Date | null
  /** Ends so many milliseconds after the step. */
  readonly lastsMs?: number
  readonly provider?: { readonly name: string; readonly id: string; readonly customerId: string }
  readonly cents?: { readonly base: number; readonly printers: number; readonly pack: number }
  /** A partner's discount on each bill. */
  readonly percentOff?: number
  /** What it becomes with the next bill; null: nothing else. */
  readonly next?: Next | null
}

/** A step of a plan's life: who takes it, and what it comes to. */
export interface Step {
  readonly edge: EdgeName
  readonly actor: string
  readonly terms?: Terms
  /** What else belongs into the record: a reason, a code. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Pro for nothing and for good. */
export const GIFT: Terms = { planId: 'pro-complimentary', endsAt: null }

/** A step that does not lead on from here. */
export class NoSuchStep extends AppError {
  constructor(from: PlanState, edge: EdgeName) {
    const reason = edge === 'cancel' && from === 'cancelled' ? 'already_cancelled' : 'no_such_step'
    super(409, { error: text('subscriptions-server', reason), reason })
  }
}

const OPERATORS: ReadonlySet<EdgeName> = new Set<EdgeName>(['give', 'give_legacy', 'take'])

export const stateOf = (row: SubscriptionRow | undefined): PlanState =>
  row === undefined || row.state === 'expired' ? 'none' : row.state

/**
 * Takes a step of an account's plan: its row, the record of the step, what is read with the user, its hours, who has to be told
 * and which printers are too many, in one transaction. One at a time for each account. Raises a 409 where there is no such step.
 */
export async function takeStep(ctx: Inside, userId: UserId, step: Step): Promise<SubscriptionRow> {
  return await inTransaction(ctx.db, async (db) => {
    await lockList(db, 'planOfUser', userId)
    const inside = { ...ctx, db }
    const before = await queries.findRunning(db, userId)
    const from = stateOf(before)
    const to = follow(from, step.edge)
    const now = new Date(ctx.clock.now())
    if (to === null || isTooSoon(before, step, now)) throw new NoSuchStep(from, step.edge)
    const owner = await queries.findOwner(db, userId)
    const after = await write(inside, { before, to, now, step, brand: owner.brand, userId })
    const runs = to !== 'none'
    await queries.setUserPlan(db, userId, {
      isPro: runs,
      planId: runs ? after.planId : null,
      planEndsAt: runs ? after.endsAt : null,
    })
    const id = await record(inside, { step, from, to, after, now })
    await bookStep(inside, { owner, edge: step.edge, before, after, stepId: id })
    const { letter } = EDGES[step.edge]
    if (letter !== null)
      await ctx.jobs.enqueue(db, PLAN_STEP, {
        userId,
        step: id,
        letter,
        planId: after.planId,
        endsAt: after.endsAt?.toISOString() ?? null,
      })
    // A command has no jobs: after what an operator does, the clock looks for surplus printers.
    if (!OPERATORS.has(step.edge)) await ctx.jobs.enqueue(db, SURPLUS, { userId })
    return after
  })
}

const isOver = (row: SubscriptionRow | undefined, now: Date) =>
  row !== undefined && row.endsAt !== null && row.endsAt <= now

/** The clock ends what is over: since it was found, another plan may have followed, or this one been paid for. */
const isTooSoon = (before: SubscriptionRow | undefined, { actor, edge }: Step, now: Date) =>
  actor === 'clock' && edge === 'expire' && !isOver(before, now)

interface Writing {
  readonly before: SubscriptionRow | undefined
  readonly to: PlanState
  readonly now: Date
  readonly step: Step
  readonly brand: string
  readonly userId: UserId
}

/** Begins a subscription, which ends the one before, or changes the one that runs. */
async function write(ctx: Inside, writing: Writing): Promise<SubscriptionRow> {
  const { before, to, now, step, brand, userId } = writing
  const { terms = {} } = step
  if (to === 'none') {
    if (before === undefined) throw new NoSuchStep('none', step.edge)
    return await queries.updateSubscription(ctx.db, before.id, { state: 'expired', endsAt: now })
  }
  if (before !== undefined && isSame(step.edge))
    return await queries.updateSubscription(ctx.db, before.id, {
      state: to,
      cancelledAt: to === 'cancelled' ? now : null,
      ...columnsOf(terms),
    })
  if (before !== undefined)
    await queries.updateSubscription(ctx.db, before.id, { state: 'expired', endsAt: now })
  const { currency, most_printers: most } = plansOf(ctx, brand)
  return await queries.insertSubscription(ctx.db, {
    userId,
    planId: 'pro',
    state: to,
    printers: to === 'active' ? 1 : most,
    startedAt: now,
    currency,
    createdAt: now,
    ...columnsOf(terms),
    ...(terms.lastsMs !== undefined && { endsAt: new Date(now.getTime() + terms.lastsMs) }),
  })
}

/** Steps of the same subscription; all others begin one. */
const isSame = (edge: EdgeName) => ['change', 'renew', 'fail', 'cancel', 'resume'].includes(edge)

const columnsOf = ({ planId, cycle, printers, packLevel, endsAt, provider, cents, ...more }: Terms) => ({
  ...(planId !== undefined && { planId }),
  ...(cycle !== undefined && { billingCycle: cycle }),
  ...(printers !== undefined && { printers }),
  ...(packLevel !== undefined && { dhpackLevel: packLevel }),
  ...(endsAt !== undefined && { endsAt }),
  ...(provider && { provider: provider.name, providerId: provider.id, customerId: provider.customerId }),
  ...(cents && { baseCents: cents.base, printersCents: cents.printers, dhpackCents: cents.pack }),
  ...(more.percentOff !== undefined && { percentOff: more.percentOff }),
  ...(more.next !== undefined && { nextDeal: more.next === null ? null : JSON.stringify(more.next) }),
})

interface Recorded {
  readonly step: Step
  readonly from: PlanState
  readonly to: PlanState
  readonly after: SubscriptionRow
  readonly now: Date
}

const record = (ctx: Inside, { step, from, to, after, now }: Recorded): Promise<string> =>
  queries.insertStep(ctx.db, {
    userId: after.userId,
    subscriptionId: after.id,
    edge: step.edge,
    actor: step.actor,
    cameFrom: from,
    ledTo: to,
    planId: to === 'none' ? null : after.planId,
    printers: after.printers,
    dhpackLevel: after.dhpackLevel,
    endsAt: after.endsAt,
    detail: JSON.stringify(step.detail ?? {}),
    createdAt: now,
  })

/** So many printers may be in use; `Infinity` is no limit. */
export async function printerAllowance(
  ctx: Pick<Ctx, 'db' | 'config'>,
  user: { readonly id: UserId; readonly isPro: boolean; readonly brand: string },
): Promise<number> {
  if (!ctx.config.IS_ENT) return Infinity
  const row = await queries.findRunning(ctx.db, user.id)
  return row?.printers ?? entitlementsOf(ctx, user).printers
}
