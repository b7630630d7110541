import * as api from '@vigil/contract/shop/subscriptions.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import type { PrintId, UserId } from '../../../lib/id.ts'
import { checkoutOf, plansOf } from '../entitlements/index.ts'
import { bookPrint } from '../hours/index.ts'
import { adoptOld, archiveAllSurplus, archiveSurplus, endOver } from './clock.service.ts'
import { follow, isPaid } from './life.rules.ts'
import { GIFT, printerAllowance, stateOf, takeStep } from './steps.service.ts'
import { type Inside, SURPLUS } from './subscriptions.jobs.ts'
import { presentBilled, presentPricing, presentSubscription } from './subscriptions.present.ts'
import { countInUse, findHistory, findOwner, findRunning, setUserPlan } from './subscriptions.queries.ts'

export { type EdgeName, isOnFreePlan } from './life.rules.ts'
export { NoSuchStep, printerAllowance, takeStep, type Terms } from './steps.service.ts'
export { PLAN_STEP } from './subscriptions.jobs.ts'
export { presentSubscription } from './subscriptions.present.ts'
export { findRunning } from './subscriptions.queries.ts'

/** So many past plans are listed. */
const HISTORY = 100
const DAY_MS = 86_400_000

/** The first plan of an account: who signs up tries Pro, whom the operator lets in has it. Call where the account is made. */
export async function beginPlan(
  ctx: Inside,
  { id, brand }: { readonly id: UserId; readonly brand: string },
  byOperator: boolean,
): Promise<void> {
  if (!ctx.config.IS_ENT) return
  if (byOperator) return await setPlanOf(ctx, id, 'pro')
  const { days } = plansOf(ctx, brand).trial
  const terms = { planId: 'pro-trial', lastsMs: days * DAY_MS }
  await takeStep(ctx, id, { edge: 'sign_up', actor: 'account', terms })
}

/** Gives Pro for nothing and for good, or takes away whatever there is, on behalf of the operator. */
export async function setPlanOf(ctx: Inside, userId: UserId, plan: 'free' | 'pro'): Promise<void> {
  const actor = 'operator'
  if (plan === 'pro') await takeStep(ctx, userId, { edge: 'give', actor, terms: GIFT })
  else if (await findRunning(ctx.db, userId)) await takeStep(ctx, userId, { edge: 'take', actor })
  else await setUserPlan(ctx.db, userId, { isPro: false, planId: null, planEndsAt: null })
}

/** Whether a plan runs that is paid for: it is ended before the account is. A trial and what was given end with it. */
export async function hasSubscription(
  { config, db }: Pick<Ctx, 'config' | 'db'>,
  userId: UserId,
): Promise<boolean> {
  const running = config.IS_ENT ? await findRunning(db, userId) : undefined
  return running !== undefined && isPaid(running.state)
}

/** The plan that runs, be it tried; null on the Free plan. */
export const planIdOf = async ({ db }: Pick<Ctx, 'db'>, userId: UserId): Promise<string | null> =>
  (await findRunning(db, userId))?.planId ?? null

/** A print is over: what was watched of it is booked, and its printer may be one too many. In the transaction that ends it. */
export async function printIsOver(
  ctx: Inside,
  print: { readonly userId: UserId; readonly printId: PrintId; readonly seconds: number },
): Promise<void> {
  if (!ctx.config.IS_ENT) return
  await bookPrint(ctx, print)
  await ctx.jobs.enqueue(ctx.db, SURPLUS, { userId: print.userId })
}

/** What an account has of plans, what a brand sells, and the clock by which plans end. Only the enterprise edition has any. */
export function registerSubscriptions(app: FastifyInstance, ctx: Ctx): void {
  const needEnterprise = () => {
    if (!ctx.config.IS_ENT) throw notFound()
  }
  route(app, api.getActiveSubscription, async ({ principal }) => {
    needEnterprise()
    return await activeOf(ctx, principal.userId)
  })
  route(app, api.listSubscriptions, async ({ principal }) => {
    needEnterprise()
    return (await findHistory(ctx.db, principal.userId, HISTORY)).map(presentSubscription)
  })
  route(app, api.getPricing, ({ request }) => {
    needEnterprise()
    return presentPricing(brandOf(request, ctx).plans, checkoutOf(ctx.config))
  })
  ctx.jobs.handle(SURPLUS, ({ userId }) => archiveSurplus(ctx, userId))
  if (ctx.config.IS_ENT)
    ctx.jobs.schedule('plans-over', '*/5 * * * *', async (signal) => {
      await adoptOld(ctx, signal)
      await endOver(ctx, signal)
      await archiveAllSurplus(ctx, signal)
    })
}

/** Whether a plan at a price may begin: there is none, or one that costs nothing and is no partner's. Hold `planOfUser` where it matters. */
export const mayBuy = async ({ db }: Pick<Ctx, 'db'>, userId: UserId): Promise<boolean> =>
  follow(stateOf(await findRunning(db, userId)), 'buy') !== null

/** What an account has of plans. */
export async function activeOf(ctx: Ctx, userId: UserId): Promise<api.ActiveSubscription> {
  const [row, owner, inUse] = await Promise.all([
    findRunning(ctx.db, userId),
    findOwner(ctx.db, userId),
    countInUse(ctx.db, userId),
  ])
  const most = await printerAllowance(ctx, owner)
  const allowance = Number.isFinite(most) ? most : inUse
  return {
    subscription: row === undefined ? null : presentSubscription(row),
    cb_subscription: row === undefined ? null : presentBilled(row),
    over_subscribed: allowance > inUse,
    printer_allowance: allowance,
    active_printers: inUse,
  }
}
