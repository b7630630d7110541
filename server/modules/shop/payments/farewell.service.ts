import type { Ctx } from '../../../ctx.ts'
import { BillingTrouble, openBilling } from '../../../engines/billing/index.ts'
import type { UserId } from '../../../lib/id.ts'
import { followCheckout, followSubscription } from './follow.service.ts'
import * as queries from './payments.queries.ts'
import type { Shop } from './payments.jobs.ts'

/**
 * Before an account is erased: nobody can pay for it any more, what runs there ends, what was paid for nothing goes back, and who takes the
 * money forgets it. False: money is under way, and has to come first. Asks over the network; raises `BillingTrouble` while there is no answer.
 */
export async function leaveProvider(ctx: Ctx, userId: UserId): Promise<boolean> {
  const billing = openBilling(ctx)
  if (billing === null) return true
  const shop: Shop = { ...ctx, billing }
  const customer = await queries.findCustomer(ctx.db, billing.name, userId)
  if (customer === undefined) return true
  for (const theirs of await queries.findUnfinished(ctx.db, billing.name, userId))
    if (await known(shop, theirs, () => isUnderWay(shop, theirs))) return false
  for (const theirs of await queries.findRunning(ctx.db, billing.name, userId))
    await known(shop, theirs, () => followSubscription(shop, theirs))
  await billing.forget(customer)
  return true
}

async function isUnderWay(shop: Shop, theirs: string): Promise<boolean> {
  await shop.billing.close(theirs)
  await followCheckout(shop, theirs)
  return (await shop.billing.checkout(theirs)).state === 'pending'
}

/** What its provider does not know, as with keys of another account of ours there, keeps nobody. */
async function known<T>({ log }: Shop, id: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BillingTrouble) || error.why !== 'refused') throw error
    log.warn({ id, err: error }, 'the billing provider does not know what an account that goes has there')
    return undefined
  }
}
