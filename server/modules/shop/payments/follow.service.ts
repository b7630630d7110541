import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import {
  type Billed,
  BillingTrouble,
  type Paid,
  type Subject,
  totalOf,
} from '../../../engines/billing/index.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { plansOf } from '../entitlements/index.ts'
import { takeCode } from '../coupons/index.ts'
import { mayBuy, takeStep, type Terms } from '../subscriptions/index.ts'
import { bookPaid } from './money.service.ts'
import type { Shop } from './payments.jobs.ts'
import * as queries from './payments.queries.ts'
import { type NextStep, stepsTo } from './steps.rules.ts'

/** Whose step it is in the record, and why. */
export interface By {
  readonly actor: 'account' | 'provider' | 'operator'
  readonly detail?: Readonly<Record<string, unknown>>
}

/** So often it is asked anew when others look at the same in the same moment. */
const TRIES = 6

type Inside = Ctx & Pick<Shop, 'billing'>

/** Follows whatever a provider's news is about. */
export async function follow(shop: Shop, { kind, id }: Subject): Promise<void> {
  if (kind === 'subscription') return await followSubscription(shop, id)
  if (kind === 'checkout') return await followCheckout(shop, id)
  const row = await queries.findPayment(shop.db, shop.billing.name, id)
  // Not written down yet: what it was for is told, too, and brings all of it.
  if (row === undefined) return
  if (row.what === 'plan') {
    await followRefunds(shop, row)
    return await followSubscription(shop, row.boughtBy)
  }
  const checkout = await queries.findCheckout(shop.db, row.boughtBy)
  if (checkout?.providerId != null) await followCheckout(shop, checkout.providerId)
}

/** A subscription tells of its newest bills alone what was given back: of an older one, its payment does. */
async function followRefunds({ billing, ...ctx }: Shop, row: queries.PaymentRow): Promise<void> {
  const { userId, boughtBy, taxCents } = row
  if (userId === null) return
  const paid = { ...(await billing.payment(row.providerId)), taxCents }
  await ctx.db.transaction().execute(async (db) => {
    await bookPaid({ ...ctx, billing, db }, paid, { userId, what: 'plan', boughtBy, hours: 0 })
  })
}

/**
 * Brings our plan to where its provider's subscription is. News may come late, twice, out of order and at once: what counts is what the
 * provider says when it is asked, and what was asked before somebody else followed is asked again.
 */
export async function followSubscription(
  shop: Shop,
  id: string,
  by: By = { actor: 'provider' },
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const revision = await queries.findRevision(shop.db, shop.billing.name, id)
    const billed = await shop.billing.subscription(id).catch((error: unknown) => {
      if (revision === 0 && isForeign(error)) return null
      throw error
    })
    if (billed === null) return shop.log.warn({ id }, 'a subscription of another shop was told of')
    const checkout = await queries.findCheckout(shop.db, billed.checkoutId)
    if (checkout === undefined) return shop.log.warn({ id }, 'a subscription of nobody here was told of')
    const look = { billed, checkout, revision, by }
    const said = await shop.db.transaction().execute(async (db) => await apply({ ...shop, db }, look))
    if (said === 'old') continue
    if (said !== 'done') await endInVain(shop, billed, said)
    return
  }
  throw new Error(`subscription ${id} changes faster than it can be followed`)
}

/** Whoever runs this server may sell other things by the same account: with those nothing is kept that we could read. */
const isForeign = (error: unknown) => error instanceof BillingTrouble && error.cause instanceof z.ZodError

interface Look {
  readonly billed: Billed
  readonly checkout: queries.CheckoutRow
  readonly revision: number
  readonly by: By
}

/** What was bought for nothing: nobody has a plan of it, and what was paid for it goes back. */
interface InVain {
  readonly paid: readonly Paid[]
}

async function apply(
  ctx: Inside,
  { billed, checkout, revision, by }: Look,
): Promise<'done' | 'old' | InVain> {
  const { userId } = checkout
  const provider = ctx.billing.name
  const now = new Date(ctx.clock.now())
  await lockList(ctx.db, 'planOfUser', userId)
  const endedAt = billed.state === 'ended' ? now : null
  const looked = { provider, theirs: billed.id, userId, checkout: checkout.id, endedAt }
  if (!(await queries.noteLook(ctx.db, looked, revision))) return 'old'
  const bought = { userId, what: 'plan', boughtBy: billed.id, hours: 0 } as const
  for (const paid of billed.payments) await bookPaid(ctx, paid, bought)
  if (billed.state === 'incomplete') return 'done'
  const { brand, isActive } = await queries.findBuyer(ctx.db, userId)
  let ours = await queries.findPlan(ctx.db, provider, billed.id)
  // An account that is about to go begins no plan: erased, it would be charged for ever.
  if (ours === undefined && billed.state !== 'ended' && isActive && (await mayBuy(ctx, userId))) {
    await begin(ctx, { billed, checkout, by, brand })
    ours = await queries.findPlan(ctx.db, provider, billed.id)
  }
  if (ours === undefined || ours.state === 'expired')
    return await leftOver(ctx, { billed, checkout }, ours?.endsAt ?? null)
  const steps = stepsTo(ours, billed, { now, graceDays: plansOf(ctx, brand).grace_days })
  for (const step of steps)
    await takeStep(ctx, userId, {
      edge: step.edge,
      actor: by.actor,
      terms: termsOf(step, billed),
      detail: detailOf(billed, by),
    })
  // Over here, and there it would be tried again.
  return steps.at(-1)?.edge === 'expire' && billed.state !== 'ended' ? { paid: [] } : 'done'
}

/** Whether there is anything to end or give back: all that was paid, or what was not heard of before our plan was over. */
async function leftOver(
  ctx: Inside,
  { billed, checkout: { userId } }: Pick<Look, 'billed' | 'checkout'>,
  overAt: Date | null,
): Promise<'done' | InVain> {
  const bought = { userId, provider: ctx.billing.name, boughtBy: billed.id }
  const late = overAt && (await queries.findBookedAfter(ctx.db, bought, overAt))
  const paid = billed.payments.filter((one) => leftOf(one) > 0 && (late?.includes(one.id) ?? true))
  return billed.state === 'ended' && paid.length === 0 ? 'done' : { paid }
}

const leftOf = ({ cents, refunds }: Paid) =>
  refunds.reduce((left, one) => (one.hasFailed ? left : left - one.cents), cents)

/** Ends at the provider what nobody has a plan of (bought twice, or paid when the plan was over), and gives the money back. */
async function endInVain(shop: Shop, billed: Billed, { paid }: InVain): Promise<void> {
  shop.log.warn(
    { id: billed.id },
    'a subscription has no plan here: it is ended, and what was paid for it given back',
  )
  await shop.billing.end(billed.id)
  for (const one of paid)
    await shop.billing.refund(one.id, leftOf(one), `vain-${one.id}-${one.refunds.length}`)
  const after = await shop.billing.subscription(billed.id)
  if (after.state !== 'ended') throw new Error(`subscription ${billed.id} has not ended`)
  // A bank may send it back: asked again at once, that would never end.
  if (after.payments.some((one) => leftOf(one) > 0 && paid.some(({ id }) => id === one.id)))
    throw new Error(`money for subscription ${billed.id} has not gone back`)
  await followSubscription(shop, billed.id)
}

async function begin(
  ctx: Inside,
  { billed, checkout, by, brand }: Omit<Look, 'revision'> & { readonly brand: string },
): Promise<void> {
  const { userId, couponId, code } = checkout
  const provider = { name: ctx.billing.name, id: billed.id, customerId: billed.customerId }
  const terms = { ...agreed(billed), planId: billed.deal.planId, endsAt: billed.termEnd, provider }
  await queries.updateCheckout(ctx.db, checkout.id, { state: 'paid' })
  if (code !== null) await takeCode(ctx, { couponId, userId, brand, code })
  const detail = {
    ...detailOf(billed, by),
    checkout: checkout.id,
    ...(couponId !== null && { coupon: couponId }),
  }
  await takeStep(ctx, userId, { edge: 'buy', actor: by.actor, terms, detail })
}

const agreed = ({ deal, next }: Billed): Terms => ({
  cycle: deal.cycle,
  printers: deal.printers,
  packLevel: deal.packLevel,
  cents: deal.cents,
  percentOff: deal.percentOff,
  next,
})

const termsOf = ({ edge, endsAt }: NextStep, billed: Billed): Terms =>
  edge === 'change' ? { ...agreed(billed), endsAt } : { endsAt }

/** What stands with the step, so that the plan of any day can be told with its price. */
const detailOf = ({ id, deal, currency }: Billed, { detail }: By) => ({
  ...detail,
  subscription: id,
  cycle: deal.cycle,
  cents: totalOf(deal),
  currency,
})

/** What a checkout for hours was for. */
const packShape = z.object({ level: z.string(), hours: z.number(), cents: z.int() })
/** What a bank has not paid so long after the page was over does not come: its provider goes on to say "not yet". */
const UNDER_WAY_MS = 30 * 86_400_000

/** Follows a checkout: to its subscription, or to hours that were bought once. */
export async function followCheckout(shop: Shop, theirs: string): Promise<void> {
  const now = await shop.billing.checkout(theirs)
  const checkout = await queries.findCheckout(shop.db, now.checkoutId)
  const gaveUpAt = shop.clock.now() - UNDER_WAY_MS
  if (checkout?.state === 'open' && (now.state === 'closed' || checkout.expiresAt.getTime() < gaveUpAt))
    await queries.updateCheckout(shop.db, checkout.id, { state: 'closed' })
  if (now.subscriptionId !== null) return await followSubscription(shop, now.subscriptionId)
  const { paid } = now
  if (checkout?.kind !== 'pack' || now.state !== 'paid' || paid === null) return
  const { hours } = packShape.parse(checkout.deal)
  await shop.db.transaction().execute(async (db) => {
    const inside = { ...shop, db }
    await lockList(db, 'planOfUser', checkout.userId)
    await queries.updateCheckout(db, checkout.id, { state: 'paid' })
    await bookPaid(inside, paid, { userId: checkout.userId, what: 'pack', boughtBy: checkout.id, hours })
  })
}
