import type { HourBucket, HourKind } from '@vigil/contract/shop/hours.ts'
import { sql } from 'kysely'
import type { Id, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Decimal columns come as text; hours fit a number well. */
const number = (column: string) => sql<number>`${sql.ref(column)}::double precision`

/** The user, locked until the transaction ends: their ledger is written by one at a time. */
export async function lockOwner(db: Db, userId: UserId): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
}

export async function findBalances(db: Db, userId: UserId): Promise<Record<HourBucket, number>> {
  const rows = await db
    .selectFrom('hourBalances')
    .select(['bucket', number('hours').as('hours')])
    .where('userId', '=', userId)
    .execute()
  const of = (bucket: HourBucket) => rows.find((row) => row.bucket === bucket)?.hours ?? 0
  return { included: of('included'), earned: of('earned') }
}

export interface NewTransaction {
  readonly userId: UserId
  readonly kind: HourKind
  readonly bucket: HourBucket
  readonly hours: number
  readonly balanceAfter: number
  readonly reason: string
  readonly printId: PrintId | null
  readonly idempotencyKey: string
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
  { bucket, kind, hours }: Pick<NewTransaction, 'bucket' | 'kind' | 'hours'>,
): Promise<void> {
  await db
    .insertInto('hourEntries')
    .values([
      { transactionId, account: `user:${bucket}`, hours },
      { transactionId, account: kind, hours: -hours },
    ])
    .execute()
}

/** Moves a balance on, and what is read with the user. */
export async function addToBalance(
  db: Db,
  { userId, bucket, hours }: Pick<NewTransaction, 'userId' | 'bucket' | 'hours'>,
): Promise<void> {
  await db
    .insertInto('hourBalances')
    .values({ userId, bucket, hours })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'bucket'])
        .doUpdateSet((eb) => ({ hours: eb('hourBalances.hours', '+', eb.ref('excluded.hours')) })),
    )
    .execute()
  await db
    .updateTable('users')
    .set((eb) => ({
      dhBalance: eb
        .selectFrom('hourBalances')
        .select(sql<number>`sum(hours)::double precision`.as('sum'))
        .where('userId', '=', userId),
    }))
    .where('id', '=', userId)
    .execute()
}

/** What was gained and spent, newest first. */
export async function findTransactions(db: Db, userId: UserId, page: { start: number; limit: number }) {
  return await db
    .selectFrom('hourTransactions')
    .select(['id', 'createdAt', 'kind', 'bucket', 'reason', 'printId'])
    .select([number('hours').as('hours'), number('balanceAfter').as('balanceAfter')])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .offset(page.start)
    .limit(page.limit)
    .execute()
}

/** What the watching of a print has cost. */
export async function findUsed(db: Db, printId: PrintId): Promise<number> {
  const row = await db
    .selectFrom('hourTransactions')
    .select(sql<number>`coalesce(-sum(hours), 0)::double precision`.as('used'))
    .where('printId', '=', printId)
    .where('kind', '=', 'usage')
    .executeTakeFirstOrThrow()
  return row.used
}

/** What decides whether hours count for somebody. */
export async function findOwner(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['dhBalance', 'isPro'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
