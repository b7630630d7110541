import { sql } from 'kysely'
import type { Id, PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { StartRow } from './queue.queries.ts'

/** A start that has been decided on. */
export interface NewStart extends Pick<
  StartRow,
  'id' | 'entryId' | 'printerId' | 'bed' | 'sendUntil' | 'createdAt'
> {}

/**
 * Writes down what was decided; returns what was written. A printer that is at another start, or a state of its bed that has
 * been used, takes none.
 */
export async function insertStarts(db: Db, starts: readonly NewStart[]): Promise<StartRow[]> {
  if (starts.length === 0) return []
  return await db
    .insertInto('queueStarts')
    .values(starts.map((start) => ({ ...start, state: 'sending' })))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()
}

/** A start as it was sent; false when somebody else has settled it. */
export async function markSent(db: Db, id: string, cloudPrintId: Id<'cloudPrints'>): Promise<boolean> {
  const sent = await db
    .updateTable('queueStarts')
    .set({ state: 'sent', cloudPrintId })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return sent.numUpdatedRows > 0n
}

/** Nothing was sent: as if it had not been decided on. */
export async function takeBackStart(db: Db, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('queueStarts')
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Writes how a start goes on, while it has not ended; false when it has. */
export async function updateStart(
  db: Db,
  id: string,
  values: Pick<StartRow, 'state'> & Partial<Pick<StartRow, 'printId' | 'why' | 'endedAt'>>,
): Promise<boolean> {
  const changed = await db
    .updateTable('queueStarts')
    .set(values)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** The print of a start has ended; false when it was no print of the queue's. */
export async function endStartOf(db: Db, printId: PrintId, why: string, endedAt: Date): Promise<boolean> {
  const ended = await db
    .updateTable('queueStarts')
    .set({ state: 'done', why, endedAt })
    .where('printId', '=', printId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** Starts of which no print is known yet, the oldest first, with what is known of their hand-over and its print. */
export const findFollowed = statement((db, limit: number) =>
  db
    .selectFrom('queueStarts as start')
    .innerJoin('queueEntries as entry', 'entry.id', 'start.entryId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('cloudPrints')
          .select(['cloudPrints.id', 'state', 'reason', 'printId'])
          .where((where) =>
            where.or([
              where('cloudPrints.id', '=', where.ref('start.cloudPrintId')),
              where.and([
                where('start.cloudPrintId', 'is', null),
                where('cloudPrints.printerId', '=', where.ref('start.printerId')),
                where('cloudPrints.gCodeFileId', '=', where.ref('entry.gCodeFileId')),
                where('cloudPrints.createdAt', '>=', where.ref('start.createdAt')),
              ]),
            ]),
          )
          .orderBy('cloudPrints.id')
          .limit(sql.lit(1))
          .as('handOver'),
      (join) => join.onTrue(),
    )
    .leftJoin('prints', 'prints.id', 'handOver.printId')
    .selectAll('start')
    .select([
      'entry.userId',
      'handOver.id as handOverId',
      'handOver.state as handOverState',
      'handOver.reason as handOverReason',
      'prints.id as foundPrintId',
      'prints.finishedAt',
      'prints.cancelledAt',
    ])
    .where(sql<boolean>`start.state in ('sending', 'sent')`)
    .orderBy('start.createdAt')
    .limit(limit),
)
export type FollowedRow = Awaited<ReturnType<typeof findFollowed>>[number]
