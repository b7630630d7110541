import type { HourBucket, HourKind } from '@vigil/contract/shop/hours.ts'
import { sql } from 'kysely'
import type { Id, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Balances } from './hours.rules.ts'

/** Large whole numbers come as text; seconds fit a number well. */
const number = (column: string) => sql<number>`${sql.ref(column)}::double precision`

/**
 * The hours by which it is decided whether a print is watched: those that there were when it began, as it is watched to its end; of an idle
 * printer those that there are. For queries over `users` with the printer's current print joined.
 */
export const watchHours = sql<number>`coalesce(prints.hours_at_start, users.dh_balance)`.as('watchHours')

/** The user, locked until the transaction ends: their ledger is written by one at a time. */
export async function lockOwner(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['id', 'dhBalance', 'isPro', 'brand', 'timeZone'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function findBalances(db: Db, userId: UserId): Promise<Balances> {
  const rows = await db
    .selectFrom('hourBalances')
    .select(['bucket', number('seconds').as('seconds')])
    .where('userId', '=', userId)
    .execute()
  const of = (bucket: HourBucket) => rows.find((row) => row.bucket === bucket)?.seconds ?? 0
  return { included: of('included'), earned: of('earned') }
}

export interface NewTransaction {
  readonly userId: UserId
  readonly kind: HourKind
  readonly bucket: HourBucket
  readonly seconds: number
  readonly balanceAfter: number
  readonly reason: string
  readonly printId: PrintId | null
  readonly idempotencyKey: string
  readonly createdAt: Date
}

/** The id of the new transaction; undefined when its key was used before. */
export async function insertTransaction(
  db: Db,
  transaction: NewTransaction,
): Promise<Id<'hourTransactions'> | undefined> {
  const row = await db
    .insertInto('hourTransactions')
    .values(transaction)
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Both sides of a transaction: what the user's bucket gains is taken from the counter-account, and the other way round. */
export async function insertEntries(
  db: Db,
  transactionId: Id<'hourTransactions'>,
  { bucket, kind, seconds }: Pick<NewTransaction, 'bucket' | 'kind' | 'seconds'>,
): Promise<void> {
  await db
    .insertInto('hourEntries')
    .values([
      { transactionId, account: `user:${bucket}`, seconds },
      { transactionId, account: kind, seconds: -seconds },
    ])
    .execute()
}

/** Moves a balance on, and what is read with the user. */
export async function addToBalance(
  db: Db,
  { userId, bucket, seconds }: Pick<NewTransaction, 'userId' | 'bucket' | 'seconds'>,
): Promise<void> {
  await db
    .insertInto('hourBalances')
    .values({ userId, bucket, seconds })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'bucket'])
        .doUpdateSet((eb) => ({ seconds: eb('hourBalances.seconds', '+', eb.ref('excluded.seconds')) })),
    )
    .execute()
  await db
    .updateTable('users')
    .set((eb) => ({
      dhBalance: eb
        .selectFrom('hourBalances')
        .select(sql<number>`sum(seconds)::double precision / 3600`.as('sum'))
        .where('userId', '=', userId),
    }))
    .where('id', '=', userId)
    .execute()
}

/** Rows of a statement with the name of their print, newest first: below an id, or past a number of them. */
export async function findTransactions(
  db: Db,
  userId: UserId,
  { before, start, limit }: { before?: number; start: number; limit: number },
) {
  return await db
    .selectFrom('hourTransactions as t')
    .leftJoin('prints', 'prints.id', 't.printId')
    .select(['t.id', 't.createdAt', 't.kind', 't.bucket', 't.reason', 't.printId', 'prints.filename'])
    .select([number('t.seconds').as('seconds'), number('t.balance_after').as('balanceAfter')])
    .where('t.userId', '=', userId)
    .where(before === undefined ? sql<boolean>`true` : sql<boolean>`t.id < ${before}`)
    .orderBy('t.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute()
}
export type TransactionRow = Awaited<ReturnType<typeof findTransactions>>[number]

/** The seconds of a change by its key; undefined for none. */
export async function findChange(db: Db, userId: UserId, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('hourTransactions')
    .select(number('seconds').as('seconds'))
    .where('idempotencyKey', '=', key)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.seconds
}

/** The seconds that the watching of a print has cost. */
export async function findUsed(db: Db, printId: PrintId): Promise<number> {
  const row = await db
    .selectFrom('hourTransactions')
    .select(sql<number>`coalesce(-sum(seconds), 0)::double precision`.as('used'))
    .where('printId', '=', printId)
    .where('kind', '=', 'usage')
    .executeTakeFirstOrThrow()
  return row.used
}

/** What decides whether hours count for somebody. */
export async function findOwner(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['dhBalance', 'isPro', 'brand'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
