import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { UserId } from '../../../lib/id.ts'

interface NewDeparture {
  readonly userId: UserId
  readonly reason: string
  readonly reasonCode: string | null
  readonly askedAt: Date
  readonly dueAt: Date
}

/** Writes down that an account is to go, and closes it; false when that was done already. */
export async function insertDeparture(db: Db, departure: NewDeparture): Promise<boolean> {
  const made = await db
    .insertInto('departures')
    .values(departure)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  await db.updateTable('users').set({ isActive: false }).where('id', '=', departure.userId).execute()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Opens the account again; false when it was not about to go, or goes already. */
export async function deleteDeparture(db: Db, userId: UserId, now: Date): Promise<boolean> {
  const gone = await db
    .deleteFrom('departures')
    .where('userId', '=', userId)
    .where('dueAt', '>', now)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) return false
  await db.updateTable('users').set({ isActive: true }).where('id', '=', userId).execute()
  return true
}

/** Whose time to think it over has ended. */
export async function dueDepartures(db: Db, now: Date): Promise<UserId[]> {
  const rows = await db.selectFrom('departures').select('userId').where('dueAt', '<=', now).execute()
  return rows.map(({ userId }) => userId)
}

/** The same for one account. Nobody opens it again. */
export async function isDue(db: Db, userId: UserId, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('departures')
    .select('userId')
    .where('userId', '=', userId)
    .where('dueAt', '<=', now)
    .executeTakeFirst()
  return row !== undefined
}

/** All printers of an account, whatever became of them. */
export async function allPrinters(db: Db, userId: UserId) {
  const rows = await db.selectFrom('printers').select('id').where('userId', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/** Some prints of an account, whatever became of them. */
export async function somePrints(db: Db, userId: UserId, limit: number) {
  const rows = await db
    .selectFrom('prints')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Prints of an account that run now. */
export async function runningPrints(db: Db, userId: UserId) {
  return await db
    .selectFrom('printers')
    .innerJoin('prints', 'prints.id', 'printers.currentPrintId')
    .select(['printers.name as printer', 'prints.filename as print'])
    .where('printers.userId', '=', userId)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .orderBy('printers.id')
    .execute()
}

/** Where copies lie that the public gallery shows of an account's prints. */
export async function shownCopies(db: Db, userId: UserId): Promise<string[]> {
  const rows = await db.selectFrom('publicTimelapses').select('key').where('userId', '=', userId).execute()
  return rows.flatMap(({ key }) => (key === null ? [] : [key]))
}

/** Deletes prints with what hangs on them, which may be much; pictures and decisions lie in parts by month, which no key holds. */
export async function deletePrints(
  db: Db,
  userId: UserId,
  ids: Awaited<ReturnType<typeof somePrints>>,
): Promise<void> {
  await db.deleteFrom('decisions').where('printId', 'in', ids).execute()
  await db.deleteFrom('frames').where('printId', 'in', ids).execute()
  await db.deleteFrom('prints').where('userId', '=', userId).where('id', 'in', ids).execute()
}

/**
 * Deletes an account with all that is left of it; payments stay without its name, as the law of books wants. Of what was written down of what was done nothing stays, neither of what its owner did
 * nor of what others did to its printers and household.
 */
export async function deleteUser(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom('printerEvents').where('userId', '=', userId).execute()
  const customers = db.selectFrom('billingCustomers').select('customerId').where('userId', '=', userId)
  await db.deleteFrom('sandboxObjects').where('owner', 'in', customers).execute()
  await sql`
    delete from audit where user_id = ${userId} or printer_id in (select id from printers where user_id = ${userId})
      or ((action like 'household.%' or action like 'admin.%') and detail ->> 'account' = ${`${userId}`})`.execute(
    db,
  )
  await db.deleteFrom('users').where('id', '=', userId).execute()
}
