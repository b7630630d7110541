import type { Ctx } from '../../../ctx.ts'
import type { Offer } from '../../../brands/plans.ts'
import type { UserId } from '../../../lib/id.ts'
import { plansOf } from '../entitlements/index.ts'
import { type CouponRow, findCode, insertRedeemed, takeCoupon } from './coupons.queries.ts'
import { hashOfCode, isFixed, offerNamed } from './coupons.rules.ts'

/** An offer that is paid for with a code; `couponId` null: a code that many have. */
export interface PaidOffer {
  readonly couponId: number | null
  readonly offer: Offer
}

interface Coded {
  readonly userId: UserId
  readonly brand: string
  readonly code: string
}

type Inside = Pick<Ctx, 'db' | 'clock' | 'config'>

/** What is kept of a code that many have, once somebody has used it. */
const hashOfTheir = ({ userId, code }: Coded) => hashOfCode(`${code}\n${userId}`)

const fixedOffer = (ctx: Inside, { brand, code }: Coded): Offer | undefined =>
  plansOf(ctx, brand)
    .partners.flatMap(({ offers }) => offers)
    .find(({ by, codes }) => by === 'checkout' && isFixed(code, codes))

/** What a code gives at the checkout; null unless it is of an offer that is paid for, unused by who asks, and in time. */
export async function paidOfferOf(ctx: Inside, coded: Coded): Promise<PaidOffer | null> {
  const { brand, code } = coded
  const fixed = fixedOffer(ctx, coded)
  if (fixed !== undefined)
    return (await findCode(ctx.db, brand, hashOfTheir(coded))) ? null : { couponId: null, offer: fixed }
  const found = await findCode(ctx.db, brand, hashOfCode(code))
  if (found?.offer == null || found.userId !== null) return null
  if (found.expiresAt !== null && found.expiresAt.getTime() <= ctx.clock.now()) return null
  const offer = offerNamed(plansOf(ctx, brand), found.offer)
  return offer?.by === 'checkout' ? { couponId: found.id, offer } : null
}

/** What was paid for with a code makes it used. In the caller's transaction. */
export async function takeCode(
  ctx: Inside,
  { couponId, ...coded }: Coded & { readonly couponId: number | null },
): Promise<void> {
  const { userId, code } = coded
  const redeemedAt = new Date(ctx.clock.now())
  if (couponId !== null) await takeCoupon(ctx.db, couponId, { userId, redeemedAt, code })
  else await takeTheir(ctx, coded, fixedOffer(ctx, coded)?.offer ?? null)
}

/** Writes down that somebody has used a code that many have; undefined when they had before. */
export const takeTheir = (
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  coded: Coded,
  offer: string | null,
): Promise<CouponRow | undefined> =>
  insertRedeemed(db, {
    ...coded,
    offer,
    hours: null,
    description: '',
    codeHash: hashOfTheir(coded),
    expiresAt: null,
    createdAt: new Date(clock.now()),
  })
