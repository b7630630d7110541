import type { DetectionHours, HourBucket, HourKind } from '@vigil/contract/shop/hours.ts'
import type { PrintId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { entitlementsOf } from '../entitlements/index.ts'
import * as queries from './hours.queries.ts'

/** From so many on, clients write "unlimited". */
const UNLIMITED_HOURS = 100_000_000
/** Fewer are told as few. */
export const LOW_HOURS = 10

/** A change of somebody's hours; below zero they are taken. */
export interface Credit {
  readonly userId: UserId
  readonly kind: HourKind
  readonly bucket: HourBucket
  readonly hours: number
  /** A key of `locales/{en,zh}/shop/hours-server.json`: what for. */
  readonly reason: string
  readonly printId?: PrintId
  /** Says which change this is: one with the same key was made already. */
  readonly key: string
}

/**
 * Writes a change of somebody's hours, both of its entries and the balances, in the caller's transaction if there is
 * one. Answers how many hours were credited: 0 when the change of this key was made before.
 */
export async function credit(db: Db, { key, printId, ...change }: Credit): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await queries.lockOwner(tx, change.userId)
    const { included, earned } = await queries.findBalances(tx, change.userId)
    const id = await queries.insertTransaction(tx, {
      ...change,
      printId: printId ?? null,
      idempotencyKey: key,
      balanceAfter: included + earned + change.hours,
    })
    if (id === undefined) return 0
    await queries.insertEntries(tx, id, change)
    await queries.addToBalance(tx, change)
    return change.hours
  })
}

/** Whether hours don't count for this account: it has no end of them, or its edition counts none. */
export function isUnlimited(
  ctx: Pick<Ctx, 'config'>,
  user: { readonly dhBalance: number; readonly isPro: boolean },
): boolean {
  return user.dhBalance >= UNLIMITED_HOURS || entitlementsOf(ctx, user).detectionHoursPerMonth === Infinity
}

/** What an account has. Nothing expires and nothing is granted before there are subscriptions. */
export async function hoursOf(ctx: Ctx, userId: UserId): Promise<DetectionHours> {
  const [owner, { included, earned }] = await Promise.all([
    queries.findOwner(ctx.db, userId),
    queries.findBalances(ctx.db, userId),
  ])
  const balance = included + earned
  const unlimited = isUnlimited(ctx, owner)
  return {
    balance,
    included,
    earned,
    is_unlimited: unlimited,
    included_expires_at: null,
    low: !unlimited && balance < LOW_HOURS,
    next_grant: null,
  }
}

/** The hours that a print has used, and those that are left; null where they don't count. */
export async function hoursOfPrint(
  ctx: Ctx,
  { userId, printId }: { readonly userId: UserId; readonly printId: PrintId },
): Promise<{ used: number; left: number } | null> {
  if (!ctx.config.IS_ENT) return null
  const { is_unlimited: isCountless, balance: left } = await hoursOf(ctx, userId)
  return isCountless ? null : { used: await queries.findUsed(ctx.db, printId), left }
}
