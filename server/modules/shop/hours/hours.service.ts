import type { DetectionHours, HourBucket, HourKind } from '@vigil/contract/shop/hours.ts'
import type { PrintId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { type Account, entitlementsOf } from '../entitlements/index.ts'
import { findAccount, updateAccount } from './accounts.queries.ts'
import { tellOfHours } from './hours.jobs.ts'
import * as queries from './hours.queries.ts'
import { spend } from './hours.rules.ts'

export const HOUR_S = 3600
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

type Inside = Pick<Ctx, 'db' | 'clock'>

/**
 * Writes a change of somebody's hours, both of its entries and the balances, in the caller's transaction if there is
 * one. Answers how many hours were credited: 0 when the change of this key was made before. Whole seconds are counted.
 */
export async function credit(ctx: Inside, { hours, ...change }: Credit): Promise<number> {
  return (await book(ctx, { ...change, seconds: Math.round(hours * HOUR_S) })) / HOUR_S
}

/** Takes hours back of those that are there of this kind, once; what was spent stays spent. */
export async function takeBack(ctx: Inside, { hours, key, ...change }: Credit): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    await queries.lockOwner(db, change.userId)
    const there = (await queries.findBalances(db, change.userId))[change.bucket]
    const seconds = Math.min(Math.round(hours * HOUR_S), Math.max(0, there))
    await book({ ...ctx, db }, { ...change, seconds: -seconds, key })
  })
}

/** Makes a change of hours undone, once: that of a key; there may be none. */
export async function undo(
  ctx: Inside,
  { of, ...change }: Omit<Credit, 'hours'> & { readonly of: string },
): Promise<void> {
  const seconds = await queries.findChange(ctx.db, change.userId, of)
  if (seconds !== undefined) await book(ctx, { ...change, seconds: -seconds })
}

/** The same in seconds; nothing is written for none. */
export async function book(
  ctx: Inside,
  { key, printId, ...change }: Omit<Credit, 'hours'> & { readonly seconds: number },
): Promise<number> {
  if (change.seconds === 0) return 0
  return await inTransaction(ctx.db, async (tx) => {
    await queries.lockOwner(tx, change.userId)
    const { included, earned } = await queries.findBalances(tx, change.userId)
    const id = await queries.insertTransaction(tx, {
      ...change,
      printId: printId ?? null,
      idempotencyKey: key,
      balanceAfter: included + earned + change.seconds,
      createdAt: new Date(ctx.clock.now()),
    })
    if (id === undefined) return 0
    await queries.insertEntries(tx, id, change)
    await queries.addToBalance(tx, change)
    if (included + earned + change.seconds >= LOW_HOURS * HOUR_S)
      await updateAccount(tx, change.userId, { lowTold: false })
    return change.seconds
  })
}

/**
 * Books what was watched of a print that is over, in the transaction that ends it: one row for each kind of hours, of as many
 * seconds as its page says were watched, once (docs/rules/plans.md 2). Only the enterprise edition counts them.
 */
export async function bookPrint(
  ctx: Pick<Ctx, 'db' | 'clock' | 'config' | 'jobs'>,
  { userId, printId, seconds }: { userId: UserId; printId: PrintId; seconds: number },
): Promise<void> {
  if (!ctx.config.IS_ENT || seconds <= 0) return
  const owner = await queries.lockOwner(ctx.db, userId)
  // By now other kinds of hours may be there than when it was booked.
  if (isUnlimited(ctx, owner) || (await queries.findUsed(ctx.db, printId)) > 0) return
  const had = await queries.findBalances(ctx.db, userId)
  const taken = spend(seconds, had)
  for (const bucket of ['included', 'earned'] as const)
    await book(ctx, {
      userId,
      printId,
      kind: 'usage',
      bucket,
      seconds: -taken[bucket],
      reason: 'watched',
      key: `use:p:${printId}:${bucket}`,
    })
  await tellOfHours(ctx, userId, { before: had.included + had.earned, seconds, key: `p:${printId}` })
}

/** Whether hours don't count for this account: it has no end of them, or its edition counts none. */
export function isUnlimited(
  ctx: Pick<Ctx, 'config'>,
  user: Account & { readonly dhBalance: number },
): boolean {
  return user.dhBalance >= UNLIMITED_HOURS || entitlementsOf(ctx, user).detectionHoursPerMonth === Infinity
}

/** What decides whether a print is watched: what there was when it began, else what there is. */
export const hoursToWatch = (
  print: { readonly hoursAtStart: number | null } | null,
  balance: number,
): number => print?.hoursAtStart ?? balance

/** What an account has, and when more comes. */
export async function hoursOf(ctx: Ctx, userId: UserId): Promise<DetectionHours> {
  const [owner, { included, earned }, account] = await Promise.all([
    queries.findOwner(ctx.db, userId),
    queries.findBalances(ctx.db, userId),
    findAccount(ctx.db, userId),
  ])
  const balance = included + earned
  const unlimited = isUnlimited(ctx, owner)
  const comes = !unlimited && account !== undefined && account.monthlySeconds > 0
  const ends = account?.expiresAt ?? (account?.rollsOver === false ? account.nextAt : null)
  return {
    balance: balance / HOUR_S,
    included: included / HOUR_S,
    earned: earned / HOUR_S,
    is_unlimited: unlimited,
    included_expires_at: unlimited ? null : (ends?.toISOString() ?? null),
    low: !unlimited && balance < LOW_HOURS * HOUR_S,
    next_grant: comes ? { hours: account.monthlySeconds / HOUR_S, at: account.nextAt.toISOString() } : null,
  }
}

/** The hours that a print has used, and those that are left; null where they don't count. */
export async function hoursOfPrint(
  ctx: Ctx,
  { userId, printId }: { readonly userId: UserId; readonly printId: PrintId },
): Promise<{ used: number; left: number } | null> {
  if (!ctx.config.IS_ENT) return null
  const { is_unlimited: isCountless, balance: left } = await hoursOf(ctx, userId)
  return isCountless ? null : { used: (await queries.findUsed(ctx.db, printId)) / HOUR_S, left }
}
