import { sql } from 'kysely'
import type { Db } from '../engines/db/port.ts'

const LOCK = 7_310_010

/** An upload that has begun. */
export interface RoomRow {
  readonly id: string
  readonly owner: string
  readonly quota: string | null
  readonly numBytes: number
  readonly lapsesAt: Date
  readonly timesOnDisk: number
}

/** Waits for its turn to take room, until the transaction ends, and forgets what has lapsed. */
export async function lockRoom(tx: Db, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
  await tx.deleteFrom('uploadRoom').where('lapsesAt', '<=', now).execute()
}

/** What has been taken: how many uploads its owner has begun, their bytes of this quota, what all have still to bring. */
export async function takenRoom(tx: Db, { owner, quota }: Pick<RoomRow, 'owner' | 'quota'>) {
  const { rows } = await sql<{ count: number; bytes: number; toCome: number }>`
    select count(*) filter (where owner = ${owner})::int as count,
      coalesce(sum(num_bytes) filter (where quota = ${quota}), 0)::float8 as bytes,
      coalesce(sum(greatest(num_bytes * times_on_disk - come_bytes, 0)), 0)::float8 as to_come
    from upload_room`.execute(tx)
  return rows[0] ?? { count: 0, bytes: 0, toCome: 0 }
}

export async function insertRoom(tx: Db, row: RoomRow): Promise<void> {
  await tx.insertInto('uploadRoom').values(row).execute()
}

/** So much of an upload has come, and it lapses later; false for one that is not there, or has lapsed. */
export async function updateRoom(
  db: Db,
  { id, comeBytes, now, lapsesAt }: { id: string; comeBytes?: number; now: Date; lapsesAt: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('uploadRoom')
    .set({ lapsesAt, ...(comeBytes === undefined ? {} : { comeBytes }) })
    .where('id', '=', id)
    .where('lapsesAt', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteRoom(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploadRoom').where('id', '=', id).execute()
}

/** Whether an upload has begun, and neither ended nor lapsed. */
export async function hasRoom(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('uploadRoom')
    .select('id')
    .where('id', '=', id)
    .where('lapsesAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}
