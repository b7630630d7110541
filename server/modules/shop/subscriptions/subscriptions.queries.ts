import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Id, PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PlanSteps, Subscriptions } from '../../../engines/db/types.gen.ts'

export type SubscriptionRow = Selectable<Subscriptions>

/** The subscription that runs; undefined on the Free plan. */
export async function findRunning(db: Db, userId: UserId): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('userId', '=', userId)
    .where('state', '<>', 'expired')
    .executeTakeFirst()
}

/** What somebody has had, newest first. */
export async function findHistory(db: Db, userId: UserId, limit: number): Promise<SubscriptionRow[]> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function insertSubscription(db: Db, row: Insertable<Subscriptions>): Promise<SubscriptionRow> {
  return await db.insertInto('subscriptions').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateSubscription(
  db: Db,
  id: Id<'subscriptions'>,
  change: Updateable<Subscriptions>,
): Promise<SubscriptionRow> {
  return await db
    .updateTable('subscriptions')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What is read with the user. */
export async function setUserPlan(
  db: Db,
  userId: UserId,
  plan: { isPro: boolean; planId: string | null; planEndsAt: Date | null },
): Promise<void> {
  await db.updateTable('users').set(plan).where('id', '=', userId).execute()
}

const owner = (db: Db, userId: UserId) =>
  db.selectFrom('users').select(['id', 'brand', 'isPro', 'createdAt']).where('id', '=', userId)

export const findOwner = (db: Db, userId: UserId) => owner(db, userId).executeTakeFirstOrThrow()

/** The same; undefined for an account that is gone. */
export const findOwnerIfAny = (db: Db, userId: UserId) => owner(db, userId).executeTakeFirst()

export async function insertStep(db: Db, step: Insertable<PlanSteps>): Promise<string> {
  const { id } = await db.insertInto('planSteps').values(step).returning('id').executeTakeFirstOrThrow()
  return String(id)
}

/** Whose plan is over by now. */
export async function findOver(db: Db, now: Date, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('userId')
    .where('state', 'in', ['trial', 'complimentary', 'partner', 'legacy', 'cancelled', 'past_due'])
    .where('endsAt', '<=', now)
    .orderBy('endsAt')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Who has Pro from before there were plans. */
export async function findUnplanned(db: Db, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('isPro', '=', true)
    .where('planId', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Who has no plan and several printers in use, beginning after an id. */
export async function findCrowded(db: Db, after: number, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .select('users.id')
    .where('users.isPro', '=', false)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .where(sql<boolean>`users.id > ${after}::integer`)
    .groupBy('users.id')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Printers in use, the least recently used first. */
export async function findInUse(db: Db, userId: UserId) {
  return await db
    .selectFrom('printers')
    .leftJoin('prints', (join) => join.onRef('prints.printerId', '=', 'printers.id'))
    .select(['printers.id', 'printers.currentPrintId'])
    .where('printers.userId', '=', userId)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .groupBy(['printers.id', 'printers.currentPrintId'])
    .orderBy(sql`max(prints.started_at)`, (order) => order.asc().nullsFirst())
    .orderBy('printers.id')
    .execute()
}

/** Puts printers away that print nothing; returns which. */
export async function archiveIdle(db: Db, ids: readonly PrinterId[], now: Date): Promise<PrinterId[]> {
  if (ids.length === 0) return []
  const rows = await db
    .updateTable('printers')
    .set({ archivedAt: now, updatedAt: now })
    .where('id', 'in', ids)
    .where('currentPrintId', 'is', null)
    .where('archivedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function countInUse(db: Db, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('printers')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
