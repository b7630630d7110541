import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { BillingCheckouts, Payments, Subscriptions } from '../../../engines/db/types.gen.ts'
import { type Id, sought, type UserId } from '../../../lib/id.ts'

export type CheckoutRow = Selectable<BillingCheckouts>
export type PaymentRow = Selectable<Payments>
export type PlanRow = Selectable<Subscriptions>

/** Who buys: what decides whether they may, and how they are told. */
export async function findBuyer(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['id', 'email', 'brand', 'language', 'isPrimaryEmailVerified', 'isActive'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function findCustomer(db: Db, provider: string, userId: UserId): Promise<string | undefined> {
  const row = await db
    .selectFrom('billingCustomers')
    .select('customerId')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row?.customerId
}

/** The one that counts: of two who made one at the same moment, the first. */
export async function insertCustomer(
  db: Db,
  { customer: customerId, ...who }: { userId: UserId; provider: string; customer: string },
): Promise<string> {
  await db
    .insertInto('billingCustomers')
    .values({ ...who, customerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findCustomer(db, who.provider, who.userId)) ?? customerId
}

/** False when somebody else is about to use the same code. */
export async function insertCheckout(db: Db, row: Insertable<BillingCheckouts>): Promise<boolean> {
  const made = await db
    .insertInto('billingCheckouts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** By our own random text, which its buyer and the provider were told. */
export async function findCheckout(db: Db, id: string): Promise<CheckoutRow | undefined> {
  return await db.selectFrom('billingCheckouts').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateCheckout(
  db: Db,
  id: string,
  { theirs, state }: { readonly theirs?: string; readonly state?: CheckoutRow['state'] },
): Promise<void> {
  const change = { ...(theirs !== undefined && { providerId: theirs }), ...(state && { state }) }
  await db.updateTable('billingCheckouts').set(change).where('id', '=', id).execute()
}

/** What somebody has not finished buying. */
export async function findOpenCheckouts(db: Db, provider: string, userId: UserId): Promise<CheckoutRow[]> {
  return await db
    .selectFrom('billingCheckouts')
    .selectAll()
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('state', '=', 'open')
    .where('kind', '=', 'plan')
    .orderBy('createdAt', 'desc')
    .limit(5)
    .execute()
}

/** The provider's names of all pages on which somebody may still pay. */
export async function findUnfinished(db: Db, provider: string, userId: UserId): Promise<string[]> {
  const rows = await db
    .selectFrom('billingCheckouts')
    .select('providerId')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('state', '=', 'open')
    .execute()
  return rows.flatMap(({ providerId }) => providerId ?? [])
}

/** The provider's names of subscriptions of somebody that have not ended there. */
export async function findRunning(db: Db, provider: string, userId: UserId): Promise<string[]> {
  const rows = await db
    .selectFrom('billingSubscriptions')
    .select('providerId')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('endedAt', 'is', null)
    .execute()
  return rows.map(({ providerId }) => providerId)
}

/** The number of the last look at a subscription of the provider's; 0 before the first. */
export async function findRevision(db: Db, provider: string, theirs: string): Promise<number> {
  const row = await db
    .selectFrom('billingSubscriptions')
    .select('revision')
    .where('provider', '=', provider)
    .where('providerId', '=', theirs)
    .executeTakeFirst()
  return row?.revision ?? 0
}

interface Looked {
  readonly provider: string
  /** The provider's name of it. */
  readonly theirs: string
  readonly userId: UserId
  readonly checkout: string
  readonly endedAt: Date | null
}

/** Notes that it was looked at once more; false when somebody has looked since that revision: what was seen may be old. */
export async function noteLook(db: Db, looked: Looked, revision: number): Promise<boolean> {
  const { provider, theirs: providerId, userId, checkout: checkoutId, endedAt } = looked
  await db
    .insertInto('billingSubscriptions')
    .values({ provider, providerId, userId, checkoutId, endedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .updateTable('billingSubscriptions')
    .set({ revision: revision + 1, endedAt })
    .where('provider', '=', provider)
    .where('providerId', '=', providerId)
    .where('revision', '=', revision)
    .returning('revision')
    .executeTakeFirst()
  return row !== undefined
}

/** Our plan that came of a subscription of the provider's. */
export async function findPlan(db: Db, provider: string, theirs: string): Promise<PlanRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('providerId', '=', theirs)
    .executeTakeFirst()
}

/** A plan of somebody's, by its number. */
export async function findOwnPlan(db: Db, userId: UserId, id: number): Promise<PlanRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', sought<'subscriptions'>(id))
    .executeTakeFirst()
}

/** The new row's id; undefined when it was written down before. */
export async function insertPayment(db: Db, row: Insertable<Payments>): Promise<Id<'payments'> | undefined> {
  const made = await db
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider', 'providerId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function findPayment(db: Db, provider: string, theirs: string): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('providerId', '=', theirs)
    .executeTakeFirst()
}

/** The provider's names of what was paid for a subscription and written down after a moment. */
export async function findBookedAfter(
  db: Db,
  { userId, provider, boughtBy }: { userId: UserId; provider: string; boughtBy: string },
  at: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('providerId')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('boughtBy', '=', boughtBy)
    .where('kind', '=', 'payment')
    .where('createdAt', '>', at)
    .execute()
  return rows.map(({ providerId }) => providerId)
}

/** What somebody has paid and was given back, newest first, with what of each was given back, and how often that was tried and written down. */
export async function findPayments(db: Db, userId: UserId, limit: number) {
  return await db
    .selectFrom('payments')
    .selectAll()
    .select(
      sql<number>`coalesce((select -sum(given.cents) from payments given where given.of_payment = payments.id), 0)::int`.as(
        'refundedCents',
      ),
    )
    .select(
      sql<number>`(select count(*) from payments given where given.of_payment = payments.id)::int`.as(
        'refunds',
      ),
    )
    .where('userId', '=', userId)
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
export type ListedPayment = Awaited<ReturnType<typeof findPayments>>[number]
