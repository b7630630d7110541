import { type Selectable, sql, type Updateable } from 'kysely'
import type { Id, PrinterId, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Replays } from '../../../engines/db/types.gen.ts'

export type ReplayRow = Selectable<Replays>

export async function findReplay(db: Db, printId: PrintId): Promise<ReplayRow | undefined> {
  return await db.selectFrom('replays').selectAll().where('printId', '=', printId).executeTakeFirst()
}

/** Whether any print of this user is being looked at, or waits for it. */
export async function isUnderWay(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('replays')
    .select('printId')
    .where('userId', '=', userId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return row !== undefined
}

/** Begins anew. */
export async function beginReplay(
  db: Db,
  values: { printId: PrintId; userId: UserId; frames: number },
): Promise<ReplayRow> {
  const fresh = { state: 'waiting', looked: 0, model: null, doneAt: null, frames: values.frames }
  return await db
    .insertInto('replays')
    .values({ ...values, state: 'waiting' })
    .onConflict((conflict) => conflict.column('printId').doUpdateSet({ ...fresh, updatedAt: sql`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a replay that is under way; false when nobody wants it any more. */
export async function followReplay(db: Db, printId: PrintId, values: Updateable<Replays>): Promise<boolean> {
  const row = await db
    .updateTable('replays')
    .set({ ...values, updatedAt: sql`now()` })
    .where('printId', '=', printId)
    .where('state', 'in', ['waiting', 'running'])
    .returning('printId')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteReplay(db: Db, printId: PrintId): Promise<ReplayRow | undefined> {
  return await db.deleteFrom('replays').where('printId', '=', printId).returningAll().executeTakeFirst()
}

/** Replays of prints that their owners have deleted. */
export async function findDoomed(db: Db, limit: number): Promise<PrintId[]> {
  const rows = await db
    .selectFrom('replays')
    .innerJoin('prints', 'prints.id', 'replays.printId')
    .select('replays.printId')
    .where('prints.deletedAt', 'is not', null)
    .limit(limit)
    .execute()
  return rows.map(({ printId }) => printId)
}

/** What a printer is set to today; undefined when it is gone. */
export async function findSettings(db: Db, printerId: PrinterId | null) {
  if (printerId === null) return undefined
  return await db
    .selectFrom('printers')
    .select(['id', 'name', 'detectiveSensitivity', 'detectionBendingFactor', 'ignoreZones'])
    .where('id', '=', printerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** How many pictures of a print are stored, and how large they are. */
export async function countFrames(db: Db, printId: PrintId) {
  const row = await db
    .selectFrom('frames')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max('width').as('width'),
      fn.max('height').as('height'),
    ])
    .where('printId', '=', printId)
    .executeTakeFirstOrThrow()
  const { width, height } = row
  return { count: Number(row.count), size: width && height ? { width, height } : null }
}

/** When a print was first looked at; null when no record of it is kept. */
export async function findFirstLook(db: Db, printId: PrintId): Promise<Date | null> {
  const row = await db
    .selectFrom('decisions')
    .select('createdAt')
    .where('printId', '=', printId)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

/** The picture nearest to a moment. */
export async function nearestFrame(db: Db, printId: PrintId, at: Date) {
  const near = (before: boolean) =>
    db
      .selectFrom('frames')
      .select(['picture', 'createdAt'])
      .where('printId', '=', printId)
      .where('createdAt', before ? '<=' : '>', at)
      .orderBy('createdAt', before ? 'desc' : 'asc')
      .limit(1)
      .executeTakeFirst()
  const [older, newer] = await Promise.all([near(true), near(false)])
  if (!older || !newer) return older ?? newer
  const off = ({ createdAt }: { createdAt: Date }) => Math.abs(createdAt.getTime() - at.getTime())
  return off(older) <= off(newer) ? older : newer
}

/** A page of the pictures of a print, in order. */
export async function findFramesAfter(db: Db, printId: PrintId, after: Id<'frames'>, limit: number) {
  return await db
    .selectFrom('frames')
    .select(['id', 'picture', 'createdAt', 'width', 'height'])
    .where('printId', '=', printId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
