import { sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** When an account's hours come. */
export interface HourAccount {
  readonly userId: UserId
  readonly anchor: Date
  /** So many periods since the anchor have had their hours. */
  readonly periods: number
  readonly nextAt: Date
  readonly monthlySeconds: number
  readonly rollsOver: boolean
  /** When what is included ends with its plan; null: not yet known. */
  readonly expiresAt: Date | null
  readonly lowTold: boolean
}

const columns = (db: Db) =>
  db
    .selectFrom('hourAccounts')
    .select(['userId', 'anchor', 'periods', 'nextAt', 'rollsOver', 'expiresAt', 'lowTold'])
    .select(sql<number>`monthly_seconds::double precision`.as('monthlySeconds'))

export async function findAccount(db: Db, userId: UserId): Promise<HourAccount | undefined> {
  return await columns(db).where('userId', '=', userId).executeTakeFirst()
}

/** False when there is one already. */
export async function insertAccount(db: Db, account: Omit<HourAccount, 'lowTold'>): Promise<boolean> {
  const row = await db
    .insertInto('hourAccounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

export async function updateAccount(
  db: Db,
  userId: UserId,
  change: Partial<Omit<HourAccount, 'userId'>>,
): Promise<void> {
  await db.updateTable('hourAccounts').set(change).where('userId', '=', userId).execute()
}

/** Accounts whose next hours are due. */
export async function findDue(db: Db, now: Date, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('hourAccounts')
    .select('userId')
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Users on the Free plan that were there before plans were. */
export async function findWithout(db: Db, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('hourAccounts', 'hourAccounts.userId', 'users.id')
    .select('users.id')
    .where('hourAccounts.userId', 'is', null)
    .where('users.isPro', '=', false)
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** What plans are asked of when an account begins. */
export async function findOpener(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['id', 'isPro', 'brand', 'timeZone', 'createdAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
