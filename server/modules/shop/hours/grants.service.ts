import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { UserId } from '../../../lib/id.ts'
import { knownZone } from '../../../lib/zones.ts'
import { entitlementsOf } from '../entitlements/index.ts'
import * as accounts from './accounts.queries.ts'
import { findBalances, lockOwner } from './hours.queries.ts'
import { periodAt, periodOf, restOf } from './hours.rules.ts'
import { book, HOUR_S } from './hours.service.ts'

/** So many accounts are looked for at once. */
const BATCH = 500

type Inside = Pick<Ctx, 'db' | 'clock' | 'config'>

/** What comes each month. */
export interface Monthly {
  readonly hours: number
  readonly rollsOver: boolean
  /** The day, and the time of day, on which it comes. */
  readonly anchor: Date
  /** Whether hours come at once for the month that runs: not where its hours were had already. */
  readonly fromNow: boolean
  /** When what is included ends with the plan; null: nobody knows yet. */
  readonly expiresAt: Date | null
}

/** Opens the book of an account with what its plan gives each month, its first hours at once. */
export async function openHours(ctx: Inside, userId: UserId): Promise<void> {
  if (!ctx.config.IS_ENT) return
  await inTransaction(ctx.db, async (tx) => {
    const user = await accounts.findOpener(tx, userId)
    if (user === undefined) return
    const { detectionHoursPerMonth: hours, hoursRollOver } = entitlementsOf(ctx, user)
    const months = { anchor: user.createdAt.getTime(), timeZone: knownZone(user.timeZone) }
    const periods = periodOf(months, ctx.clock.now())
    const isNew = await accounts.insertAccount(tx, {
      userId,
      anchor: user.createdAt,
      periods,
      nextAt: new Date(periodAt(months, periods)),
      monthlySeconds: hours * HOUR_S,
      rollsOver: hoursRollOver,
      expiresAt: null,
    })
    if (isNew) await grant({ ...ctx, db: tx }, userId)
  })
}

/**
 * Another plan: from now on so much comes each month; what was due before is booked by `grant` or let go. Answers when the month that runs
 * began, and how much of it is left, of 1. Call in the transaction that changes the plan.
 */
export async function setMonthly(
  ctx: Inside,
  userId: UserId,
  { hours, rollsOver, anchor, fromNow, expiresAt }: Monthly,
): Promise<{ readonly began: number; readonly left: number }> {
  const { timeZone } = await lockOwner(ctx.db, userId)
  const months = { anchor: anchor.getTime(), timeZone: knownZone(timeZone) }
  const now = ctx.clock.now()
  const running = periodOf(months, now)
  const periods = running + (fromNow ? 0 : 1)
  const nextAt = new Date(periodAt(months, periods))
  const account = { anchor, periods, nextAt, monthlySeconds: hours * HOUR_S, rollsOver, expiresAt }
  if (!(await accounts.insertAccount(ctx.db, { userId, ...account })))
    await accounts.updateAccount(ctx.db, userId, account)
  await grant(ctx, userId)
  return { began: periodAt(months, running), left: restOf(months, running, now) }
}

/** The plan goes on, or ends, at another moment. */
export const setExpiry = (ctx: Pick<Ctx, 'db'>, userId: UserId, expiresAt: Date | null): Promise<void> =>
  accounts.updateAccount(ctx.db, userId, { expiresAt })

/** Lets what is left of included hours go: with their plan, or as the next come. */
export async function expireIncluded(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  userId: UserId,
  { reason, key }: { reason: string; key: string },
): Promise<void> {
  await lockOwner(ctx.db, userId)
  const { included } = await findBalances(ctx.db, userId)
  if (included > 0)
    await book(ctx, { userId, kind: 'expiry', bucket: 'included', seconds: -included, reason, key })
}

/** Books the hours that are due, month by month, each once: however long nobody looked, and whoever else looks. */
export async function grant(ctx: Inside, userId: UserId): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    const inside = { ...ctx, db }
    const { timeZone } = await lockOwner(db, userId)
    const account = await accounts.findAccount(db, userId)
    if (account === undefined) return
    const months = { anchor: account.anchor.getTime(), timeZone: knownZone(timeZone) }
    let { periods, nextAt } = account
    while (nextAt.getTime() <= ctx.clock.now()) {
      const key = `u:${userId}:${account.anchor.toISOString()}:${periods}`
      if (!account.rollsOver)
        await expireIncluded(inside, userId, { reason: 'month_over', key: `over:${key}` })
      await book(inside, {
        userId,
        kind: 'grant',
        bucket: 'included',
        seconds: account.monthlySeconds,
        reason: 'monthly',
        key: `grant:${key}`,
      })
      nextAt = new Date(periodAt(months, ++periods))
    }
    await accounts.updateAccount(db, userId, { periods, nextAt })
  })
}

/** Books for everybody whose day it is, and opens the books of those on the Free plan who were there before plans were. */
export async function grantDue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const find = () => accounts.findWithout(ctx.db, BATCH)
  for (let users = await find(); users.length > 0 && signal?.aborted !== true; users = await find())
    for (const userId of users) await openHours(ctx, userId)
  const due = () => accounts.findDue(ctx.db, new Date(ctx.clock.now()), BATCH)
  for (let users = await due(); users.length > 0 && signal?.aborted !== true; users = await due())
    for (const userId of users) await grant(ctx, userId)
}
