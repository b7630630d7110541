import type { CodeBatch, HourCoupon } from '@vigil/contract/shop/coupons.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction, lockList } from '../../../engines/db/transaction.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { byAddress, type Limit, spend } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { knownZone, monthsOn } from '../../../lib/zones.ts'
import { plansOf } from '../entitlements/index.ts'
import { credit } from '../hours/index.ts'
import { isOnFreePlan, presentSubscription, takeStep } from '../subscriptions/index.ts'
import { hashOfCode, isFixed, newCode, offerNamed } from './coupons.rules.ts'
import { takeTheir } from './checkout.service.ts'
import * as queries from './coupons.queries.ts'
import type { CouponRow } from './coupons.queries.ts'

/** Whoever guesses is stopped long before a code is met. */
const GUESSES: Limit = { name: 'coupon', tries: 10, windowMs: 60_000 }
/** So many batches are listed. */
const LISTED = 200
/** So many are written by one statement, which holds 65,535 values at most. */
const BATCH = 1000

const refuse = (status: number, reason: string) =>
  new AppError(status, { error: text('coupons-server', reason.replace(/\.$/, '')), reason })

/** Who redeems, and from where. */
interface Redeemer {
  readonly userId: UserId
  readonly address: string
}

/** Takes a code for somebody: one of those who come at once. Raises 404, 410, 412. */
async function take(
  ctx: Ctx,
  userId: UserId,
  { brand, offer, code, unknown }: { brand: string; offer: string | null; code: string; unknown: string },
): Promise<CouponRow> {
  const found = await queries.findCoupon(ctx.db, { brand, offer, codeHash: hashOfCode(code) })
  if (found === undefined) throw refuse(404, unknown)
  if (found.userId !== null) throw refuse(412, 'already_redeemed')
  const now = new Date(ctx.clock.now())
  if (found.expiresAt !== null && found.expiresAt <= now) throw refuse(410, 'expired')
  const taken = await queries.takeCoupon(ctx.db, found.id, { userId, redeemedAt: now, code })
  if (taken === undefined) throw refuse(412, 'already_redeemed')
  return taken
}

/** A code that many have, redeemed once by each. Raises 412. */
async function takeFixed(
  ctx: Ctx,
  userId: UserId,
  { brand, offer, code }: { brand: string; offer: string; code: string },
): Promise<CouponRow> {
  const taken = await takeTheir(ctx, { userId, brand, code }, offer)
  if (taken === undefined) throw refuse(412, 'already_redeemed')
  return taken
}

/** Redeems a code for hours, which never expire. Raises 404, 410, 412, 429. */
export async function redeemHours(
  ctx: Ctx,
  { userId, address }: Redeemer,
  code: string,
): Promise<{ coupon: HourCoupon; dh_balance: number }> {
  await spend(ctx, ...byAddress(GUESSES, address))
  return await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    const { brand } = await queries.findOwner(db, userId)
    const coupon = await take(inside, userId, { brand, offer: null, code, unknown: 'invalid_code' })
    await credit(inside, {
      userId,
      kind: 'earned',
      bucket: 'earned',
      hours: coupon.hours ?? 0,
      reason: 'coupon',
      key: `coupon:${coupon.id}`,
    })
    return { coupon: presentCoupon(coupon), dh_balance: (await queries.findOwner(db, userId)).dhBalance }
  })
}

/** Redeems a partner's code for its plan: for who has none, or tries one. Raises 404, 410, 412, 429. */
export async function redeemPlan(ctx: Ctx, { userId, address }: Redeemer, name: string, code: string) {
  await spend(ctx, ...byAddress(GUESSES, address))
  return await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    await lockList(db, 'planOfUser', userId)
    const { brand, planId, timeZone } = await queries.findOwner(db, userId)
    const offer = offerNamed(plansOf(ctx, brand), name)
    if (offer?.by !== 'code') throw notFound()
    if (!isOnFreePlan(planId)) throw refuse(412, 'not_in_pro_trial.')
    const coupon = isFixed(code, offer.codes)
      ? await takeFixed(inside, userId, { brand, offer: name, code })
      : await take(inside, userId, { brand, offer: name, code, unknown: 'invalid_coupon' })
    const endsAt = new Date(monthsOn(ctx.clock.now(), offer.months, knownZone(timeZone)))
    const row = await takeStep(inside, userId, {
      edge: 'redeem',
      actor: 'account',
      terms: { planId: offer.plan_id, endsAt },
      detail: { coupon: coupon.id, offer: name },
    })
    return presentSubscription(row)
  })
}

/** What codes are made for: hours, or a partner's offer. */
export interface CodesWanted {
  readonly brand: string
  readonly count: number
  readonly offer: string | null
  readonly hours: number | null
  readonly description: string
  readonly expiresAt: Date | null
}

/** Makes codes; they are told once, here, and only what they hash to is kept until each is redeemed. Raises 404. */
export async function makeCodes(
  ctx: Pick<Ctx, 'db' | 'clock' | 'config'>,
  wanted: CodesWanted,
): Promise<string[]> {
  const { brand, count, offer: name, hours, description, expiresAt } = wanted
  const offer = name === null ? undefined : offerNamed(plansOf(ctx, brand), name)
  const look = offer?.codes.find((one) => 'begins' in one)
  if (name !== null && (offer === undefined || look === undefined)) throw notFound()
  const codes = Array.from({ length: count }, () =>
    look === undefined ? newCode('') : newCode(look.begins, look.length),
  )
  const createdAt = new Date(ctx.clock.now())
  const rows = codes.map((code) => ({
    brand,
    offer: name,
    hours,
    description,
    codeHash: hashOfCode(code),
    expiresAt,
    createdAt,
  }))
  await inTransaction(ctx.db, async (db) => {
    let made = 0
    for (let at = 0; at < count; at += BATCH)
      made += await queries.insertCoupons(db, rows.slice(at, at + BATCH))
    if (made !== count) throw new Error('a code was there before')
  })
  return codes
}

export const presentCoupon = ({ id, code, hours, description, redeemedAt }: CouponRow): HourCoupon => ({
  id,
  code: code ?? '',
  hours: hours ?? 0,
  description,
  redeemed_at: redeemedAt?.toISOString() ?? null,
})

/** What was made, for who makes it. */
export async function listBatches({ db }: Pick<Ctx, 'db'>): Promise<CodeBatch[]> {
  const rows = await queries.findBatches(db, LISTED)
  return rows.map(({ createdAt, expiresAt, count, redeemed, ...row }) => ({
    ...row,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    count: Number(count),
    redeemed: Number(redeemed),
  }))
}
