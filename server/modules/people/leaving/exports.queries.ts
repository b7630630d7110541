import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { Id, UserId } from '../../../lib/id.ts'

const WORKS = ['waiting', 'running'] as const

/** The archive of an account, if one was asked for. */
export async function findExport(db: Db, userId: UserId) {
  return await db.selectFrom('exports').selectAll().where('userId', '=', userId).executeTakeFirst()
}
export type ExportRow = NonNullable<Awaited<ReturnType<typeof findExport>>>

/** Asks for one, in the place of an older one; false while one is being made. */
export async function insertExport(
  db: Db,
  wanted: { userId: UserId; sessionId: Id<'sessions'>; askedAt: Date },
): Promise<boolean> {
  const fresh = {
    done: 0,
    total: 0,
    missing: 0,
    content: null,
    numBytes: null,
    readyAt: null,
    expiresAt: null,
  }
  const made = await db
    .insertInto('exports')
    .values({ ...wanted, state: 'waiting' })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ ...wanted, ...fresh, state: 'waiting' })
        .where('exports.state', 'not in', WORKS),
    )
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Writes how far it is, as long as it is being made. */
export async function noteExport(
  db: Db,
  userId: UserId,
  changes: { state?: 'running' | 'failed'; done?: number; total?: number; missing?: number },
): Promise<void> {
  await db
    .updateTable('exports')
    .set(changes)
    .where('userId', '=', userId)
    .where('state', 'in', WORKS)
    .execute()
}

/** It is ready; false when nobody waits for it any more. */
export async function endExport(
  db: Db,
  userId: UserId,
  made: { content: MediaRef; numBytes: number; readyAt: Date; expiresAt: Date },
): Promise<boolean> {
  const ended = await db
    .updateTable('exports')
    .set({ ...made, content: JSON.stringify(made.content), state: 'ready' })
    .where('userId', '=', userId)
    .where('state', 'in', WORKS)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** Forgets archives whose time is over; whose they were. */
export async function deleteOldExports(db: Db, now: Date): Promise<ExportRow[]> {
  return await db.deleteFrom('exports').where('expiresAt', '<=', now).returningAll().execute()
}

/** What was asked for so long ago is made by nobody any more; it may be asked for again. */
export async function giveUpExports(db: Db, askedBefore: Date): Promise<void> {
  await db
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('state', 'in', WORKS)
    .where('askedAt', '<=', askedBefore)
    .execute()
}
