import type { Selectable } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Coupons } from '../../../engines/db/types.gen.ts'

export type CouponRow = Selectable<Coupons>

export interface NewCoupon {
  readonly brand: string
  /** A partner's offer; null: hours. */
  readonly offer: string | null
  readonly hours: number | null
  readonly description: string
  readonly codeHash: string
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** Returns how many were new. */
export async function insertCoupons(db: Db, coupons: readonly NewCoupon[]): Promise<number> {
  const rows = await db
    .insertInto('coupons')
    .values([...coupons])
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length
}

/** The code of this hash, of a brand; of an offer, or of hours. */
export async function findCoupon(
  db: Db,
  { brand, offer, codeHash }: Pick<NewCoupon, 'brand' | 'offer' | 'codeHash'>,
): Promise<CouponRow | undefined> {
  return await db
    .selectFrom('coupons')
    .selectAll()
    .where('brand', '=', brand)
    .where('codeHash', '=', codeHash)
    .where('offer', offer === null ? 'is' : '=', offer)
    .executeTakeFirst()
}

/** The code of this hash, of a brand, whatever it is for. */
export async function findCode(db: Db, brand: string, codeHash: string): Promise<CouponRow | undefined> {
  return await db
    .selectFrom('coupons')
    .selectAll()
    .where('brand', '=', brand)
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
}

/** Whose it is from now on; undefined when somebody was before. */
export async function takeCoupon(
  db: Db,
  id: number,
  taken: { readonly userId: UserId; readonly redeemedAt: Date; readonly code: string },
): Promise<CouponRow | undefined> {
  return await db
    .updateTable('coupons')
    .set(taken)
    .where('id', '=', id)
    .where('userId', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Writes down that somebody has redeemed a code that many have; undefined when they had before. */
export async function insertRedeemed(
  db: Db,
  redeemed: NewCoupon & { readonly userId: UserId; readonly code: string },
): Promise<CouponRow | undefined> {
  return await db
    .insertInto('coupons')
    .values({ ...redeemed, redeemedAt: redeemed.createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Codes for hours that somebody has redeemed, newest first. */
export async function findRedeemed(db: Db, userId: UserId, limit: number): Promise<CouponRow[]> {
  return await db
    .selectFrom('coupons')
    .selectAll()
    .where('userId', '=', userId)
    .where('offer', 'is', null)
    .orderBy('redeemedAt', 'desc')
    .limit(limit)
    .execute()
}

export async function findOwner(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['id', 'brand', 'planId', 'timeZone', 'dhBalance'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Codes as they were made together, newest first; those that many have are made by nobody. */
export async function findBatches(db: Db, limit: number) {
  return await db
    .selectFrom('coupons')
    .select(['createdAt', 'brand', 'offer', 'hours', 'description', 'expiresAt'])
    .select((eb) => [eb.fn.countAll<string>().as('count'), eb.fn.count<string>('userId').as('redeemed')])
    .where((eb) => eb.or([eb('redeemedAt', 'is', null), eb('redeemedAt', '<>', eb.ref('createdAt'))]))
    .groupBy(['createdAt', 'brand', 'offer', 'hours', 'description', 'expiresAt'])
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
}
