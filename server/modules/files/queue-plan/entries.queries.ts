import { type Insertable, sql, type Updateable } from 'kysely'
import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { QueueEntries } from '../../../engines/db/types.gen.ts'

/** A file of the cloud that its owner may have printed; undefined when there is none. */
export async function findPrintable(db: Db, userId: UserId, fileId: number) {
  return await db
    .selectFrom('gCodeFiles')
    .select('id')
    .where('id', '=', sought<'gCodeFiles'>(fileId))
    .where('userId', '=', userId)
    .where('residentPrinterId', 'is', null)
    .where('content', 'is not', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** The last place of an account's queue, and how many entries it has. */
export async function lastPlace(db: Db, userId: UserId): Promise<{ place: number; count: number }> {
  const row = await db
    .selectFrom('queueEntries')
    .select((eb) => [eb.fn.max('place').as('place'), eb.fn.countAll<number>().as('count')])
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return { place: row.place ?? 0, count: Number(row.count) }
}

export async function insertEntry(db: Db, entry: Insertable<QueueEntries>): Promise<void> {
  await db.insertInto('queueEntries').values(entry).execute()
}

export async function updateEntry(
  db: Db,
  id: Id<'queueEntries'>,
  values: Updateable<QueueEntries>,
): Promise<void> {
  await db.updateTable('queueEntries').set(values).where('id', '=', id).execute()
}

export async function deleteEntry(db: Db, id: Id<'queueEntries'>): Promise<void> {
  await db.deleteFrom('queueEntries').where('id', '=', id).execute()
}

/** Something of an account's that waits and may be begun. */
export const oneWaiting = (db: Db, userId: UserId) =>
  db
    .selectFrom('queueEntries')
    .select('id')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('onHold', '=', false)
    .limit(1)

/** Whether anything waits that may be begun. */
export const hasWaiting = async (db: Db, userId: UserId): Promise<boolean> =>
  (await oneWaiting(db, userId).executeTakeFirst()) !== undefined

const DONE = sql<boolean>`ended_at is null
  and not exists (select from queue_starts s where s.entry_id = queue_entries.id and s.ended_at is null)
  and copies <= (select count(*) from queue_starts s where s.entry_id = queue_entries.id and s.state <> 'failed')`

/** Whether an account has entries of which all copies are over. */
export async function hasDone(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('queueEntries')
    .select('id')
    .where('userId', '=', userId)
    .where(DONE)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the entries of which all copies are over. */
export async function endDone(db: Db, userId: UserId, now: Date): Promise<void> {
  await db
    .updateTable('queueEntries')
    .set({ endedAt: now, place: null })
    .where('userId', '=', userId)
    .where(DONE)
    .execute()
}

/** Forgets what was done before; returns how many. */
export async function deleteDone(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`delete from queue_entries where id in (
    select id from queue_entries where ended_at < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
