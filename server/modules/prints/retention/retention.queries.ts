import { sql } from 'kysely'
import type { PrinterId, PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Prints that ended before, whose frames are still there and whose time-lapse is not being made. */
export async function findWithFrames(db: Db, before: Date, limit: number) {
  return await db
    .selectFrom('timelapses')
    .innerJoin('prints', 'prints.id', 'timelapses.printId')
    .select(['prints.id', 'prints.printerId'])
    .where('timelapses.framesGoneAt', 'is', null)
    .where('timelapses.endedAt', '<', before)
    .where('timelapses.state', 'not in', ['waiting', 'working'])
    .limit(limit)
    .execute()
}

/** What pictures of ended prints, and what was made of them, take in all. */
export async function weigh(db: Db): Promise<{ frames: number; films: number }> {
  const { rows } = await sql<{ frames: number; films: number }>`
    select coalesce(sum(frame_bytes), 0)::float8 as frames, coalesce(sum(file_bytes), 0)::float8 as films
    from timelapses`.execute(db)
  return rows[0] ?? { frames: 0, films: 0 }
}

/** A print and what of it weighs so much. */
export interface Heavy {
  readonly id: PrintId
  readonly printerId: PrinterId | null
  readonly bytes: number
}

const heavy = (db: Db, but: readonly PrintId[]) =>
  db
    .selectFrom('timelapses')
    .innerJoin('prints', 'prints.id', 'timelapses.printId')
    .leftJoin('printers', 'printers.currentPrintId', 'prints.id')
    // One that runs is nobody's to take from, whatever its row says.
    .where('printers.id', 'is', null)
    .where(sql<boolean>`prints.id <> all(${but}::integer[])`)
    .orderBy('timelapses.endedAt')

/** Ended prints whose pictures are still there and whose film is not being made, the oldest first. */
export async function findOldestFramed(
  db: Db,
  before: Date,
  but: readonly PrintId[],
  limit: number,
): Promise<Heavy[]> {
  return await heavy(db, but)
    .select(['prints.id', 'prints.printerId', 'timelapses.frameBytes as bytes'])
    .where('timelapses.framesGoneAt', 'is', null)
    .where('timelapses.frameBytes', '>', 0)
    .where('timelapses.state', 'not in', ['waiting', 'working'])
    .where('timelapses.endedAt', '<', before)
    .limit(limit)
    .execute()
}

/** Films that nobody keeps, the oldest first. */
export async function findOldestFilmed(
  db: Db,
  before: Date,
  but: readonly PrintId[],
  limit: number,
): Promise<Heavy[]> {
  return await heavy(db, but)
    .select(['prints.id', 'prints.printerId', 'timelapses.fileBytes as bytes'])
    .where('timelapses.state', '=', 'ready')
    .where('timelapses.kept', '=', false)
    .where('timelapses.endedAt', '<', before)
    .limit(limit)
    .execute()
}

export async function noteFramesGone(db: Db, printId: PrintId, now: Date): Promise<void> {
  await db
    .updateTable('timelapses')
    .set((eb) => ({
      framesGoneAt: now,
      frameBytes: 0,
      // Nothing is left to make videos of.
      state: eb.case().when('state', '=', 'no_ffmpeg').then('empty').else(eb.ref('state')).end(),
    }))
    .where('printId', '=', printId)
    .execute()
}

/** A plan of a brand, among all that are sold: the first one's is also whose brand is not. */
interface Sold {
  readonly isPro: boolean
  readonly brand: string
  readonly sold: readonly string[]
}

/** Finished time-lapses of the owners of a plan, older than it keeps them and not kept on request. */
export async function findOld(db: Db, { isPro, brand, sold }: Sold, before: Date, limit: number) {
  const [first] = sold
  return await db
    .selectFrom('timelapses')
    .innerJoin('prints', 'prints.id', 'timelapses.printId')
    .innerJoin('users', 'users.id', 'prints.userId')
    .select('prints.id')
    .where('timelapses.state', '=', 'ready')
    .where('timelapses.kept', '=', false)
    .where('timelapses.endedAt', '<', before)
    .where('users.isPro', '=', isPro)
    .where(
      sql<boolean>`case when users.brand = any(${sold}::text[]) then users.brand else ${first}::text end = ${brand}`,
    )
    .limit(limit)
    .execute()
}

/** Leaves a print its poster, and the word that its videos were deleted for their age. */
export async function hideFilms(db: Db, printId: PrintId, now: Date): Promise<void> {
  await db
    .updateTable('prints')
    .set({ video: null, taggedVideo: null, predictionJson: null, videoArchivedAt: now, updatedAt: now })
    .where('id', '=', printId)
    .execute()
}

/** The files are gone: nothing is left to archive. */
export async function setArchived(db: Db, printId: PrintId, now: Date, posterBytes: number): Promise<void> {
  await db
    .updateTable('timelapses')
    .set({ state: 'archived', fileBytes: posterBytes, updatedAt: now })
    .where('printId', '=', printId)
    .execute()
}

/** A deleted print of which something is still stored. */
export async function findDeleted(db: Db, limit: number) {
  return await db
    .selectFrom('prints')
    .leftJoin('timelapses', 'timelapses.printId', 'prints.id')
    .leftJoin('printers', 'printers.currentPrintId', 'prints.id')
    .select([
      'prints.id',
      'prints.userId',
      'prints.printerId',
      'prints.video',
      'prints.taggedVideo',
      'prints.poster',
      'prints.predictionJson',
      'timelapses.source',
    ])
    .select(sql<Date>`coalesce(cancelled_at, finished_at, uploaded_at, prints.deleted_at)`.as('endedAt'))
    .where('prints.deletedAt', 'is not', null)
    .where('printers.id', 'is', null)
    .where((eb) =>
      eb.or([eb('timelapses.state', 'is', null), eb('timelapses.state', 'not in', ['deleted', 'working'])]),
    )
    .limit(limit)
    .execute()
}
export type Doomed = Awaited<ReturnType<typeof findDeleted>>[number]

/** Forgets where the files of a deleted print lie: nobody makes them any more. */
export async function setDeleted(
  db: Db,
  printId: PrintId,
  { endedAt, now }: { endedAt: Date; now: Date },
): Promise<void> {
  const gone = {
    state: 'deleted',
    worker: null,
    frameBytes: 0,
    fileBytes: 0,
    framesGoneAt: now,
    scores: null,
    source: null,
    updatedAt: now,
  }
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('timelapses')
      .values({ printId, endedAt, ...gone })
      .onConflict((conflict) => conflict.column('printId').doUpdateSet(gone))
      .execute()
    await tx
      .updateTable('prints')
      .set({ video: null, taggedVideo: null, poster: null, predictionJson: null })
      .where('id', '=', printId)
      .execute()
    await tx.updateTable('printerEvents').set({ image: null }).where('printId', '=', printId).execute()
  })
}

/** Forgets the pictures that the owner of a deleted print was asked about. */
export async function deleteShots(db: Db, printId: PrintId): Promise<void> {
  await db.deleteFrom('printShotFeedbacks').where('printId', '=', printId).execute()
}

/** Keeps a time-lapse whatever its age, or no longer; false when there is none. */
export async function setKept(db: Db, printId: PrintId, kept: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('timelapses')
    .set({ kept, updatedAt: new Date() })
    .where('printId', '=', printId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
