import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Timelapses } from '../../../engines/db/types.gen.ts'

export type TimelapseRow = Selectable<Timelapses>

/** Whoever makes a time-lapse and is not heard of for so long has gone. */
const LEASE_MS = 45_000

/** A print that is over, with what its time-lapse depends on; undefined while it runs, or when it has gone. */
export async function findEnded(db: Db, printId: PrintId) {
  const row = await db
    .selectFrom('prints')
    .leftJoin('printers', 'printers.id', 'prints.printerId')
    .select([
      'prints.id',
      'prints.userId',
      'prints.printerId',
      'prints.startedAt',
      'prints.cancelledAt',
      'prints.uploadedAt',
      'prints.deletedAt',
      'prints.video',
      'prints.taggedVideo',
      'prints.poster',
      'printers.agentSettings',
      'printers.currentPrintId',
      'printers.minTimelapseSecsOnFinish',
      'printers.minTimelapseSecsOnCancel',
    ])
    .select((eb) => eb.fn.coalesce('cancelledAt', 'finishedAt', 'uploadedAt').as('endedAt'))
    .where('prints.id', '=', printId)
    .executeTakeFirst()
  if (row === undefined || row.endedAt === null || row.currentPrintId === row.id) return undefined
  return { ...row, endedAt: row.endedAt }
}
export type EndedPrint = NonNullable<Awaited<ReturnType<typeof findEnded>>>

/** Remembers that there is a time-lapse to be made; nothing when that is known. */
export async function openTimelapse(db: Db, row: Insertable<Timelapses>): Promise<void> {
  await db
    .insertInto('timelapses')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What is shown of a print's time-lapse, with what that depends on. */
export async function findShown(db: Db, printId: PrintId) {
  const row = await db.selectFrom('timelapses').selectAll().where('printId', '=', printId).executeTakeFirst()
  const known = await db
    .selectFrom('prints')
    .innerJoin('users', 'users.id', 'prints.userId')
    .leftJoin('printers', 'printers.id', 'prints.printerId')
    .select(['users.isPro', 'users.brand', 'printers.agentSettings'])
    .where('prints.id', '=', printId)
    .executeTakeFirstOrThrow()
  return { row: row ?? null, ...known }
}

/** Where the scores of a print are stored; null as long as they are not. */
export async function findScores(db: Db, printId: PrintId) {
  const row = await db
    .selectFrom('timelapses')
    .select('scores')
    .where('printId', '=', printId)
    .executeTakeFirst()
  return row?.scores ?? null
}

/** Takes a time-lapse to be made; undefined when somebody else makes it, or there is nothing to be done. */
export async function claim(
  db: Db,
  { printId, worker, now }: { printId: PrintId; worker: string; now: number },
): Promise<TimelapseRow | undefined> {
  return await db
    .updateTable('timelapses')
    .set((eb) => ({
      state: 'working',
      worker,
      attempts: eb('attempts', '+', 1),
      progress: 0,
      dueAt: new Date(now + LEASE_MS),
      updatedAt: new Date(now),
    }))
    .where('printId', '=', printId)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['waiting', 'no_ffmpeg']),
        eb.and([eb('state', '=', 'working'), eb('dueAt', '<=', new Date(now))]),
      ]),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Still at it; false when somebody else has taken it over. */
export async function beat(
  db: Db,
  { printId, worker, now, progress }: { printId: PrintId; worker: string; now: number; progress: number },
): Promise<boolean> {
  return await update(db, { printId, worker }, { progress, dueAt: new Date(now + LEASE_MS) })
}

/** Writes columns of a time-lapse that `worker` makes; false when it is somebody else's by now. */
export async function update(
  db: Db,
  { printId, worker }: { printId: PrintId; worker: string },
  values: Updateable<Timelapses>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('timelapses')
    .set({ ...values, updatedAt: new Date() })
    .where('printId', '=', printId)
    .where('worker', '=', worker)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Prints (and whose they are) whose time-lapse is to be made by now, those that wait longest first. */
export async function findDue(db: Db, now: Date, states: readonly string[], limit: number) {
  return await db
    .selectFrom('timelapses')
    .innerJoin('prints', 'prints.id', 'timelapses.printId')
    .select(['timelapses.printId', 'prints.userId'])
    .where('timelapses.state', 'in', states)
    .where('timelapses.dueAt', '<=', now)
    .orderBy('timelapses.dueAt')
    .limit(limit)
    .execute()
}

type Media = 'video' | 'taggedVideo' | 'poster' | 'predictionJson'

/** What was made of a print, and where it lies. The print may be deleted meanwhile: it stays so. */
export async function setMedia(
  db: Db,
  printId: PrintId,
  media: Partial<Record<Media, string | null>> & { scoreCurve?: (number | null)[] | null },
): Promise<void> {
  await db
    .updateTable('prints')
    .set({ ...media, updatedAt: new Date() })
    .where('id', '=', printId)
    .execute()
}

/** What the time-lapses of a user weigh. */
export async function findStorage(db: Db, userId: UserId) {
  const row = await db
    .selectFrom('timelapses')
    .innerJoin('prints', 'prints.id', 'timelapses.printId')
    .select((eb) => [
      eb.fn.countAll<number>().as('prints'),
      eb.fn.coalesce(sql<number>`sum(frame_bytes)::float8`, sql<number>`0`).as('frameBytes'),
      eb.fn.coalesce(sql<number>`sum(file_bytes)::float8`, sql<number>`0`).as('fileBytes'),
    ])
    .where('prints.userId', '=', userId)
    .executeTakeFirstOrThrow()
  return { ...row, prints: Number(row.prints) }
}

/** A picture that its owner will be asked about; one of each moment. */
export async function insertShot(
  db: Db,
  shot: { printId: PrintId; image: string; takenAt: Date; score: number },
): Promise<void> {
  await db
    .insertInto('printShotFeedbacks')
    .values(shot)
    .onConflict((conflict) => conflict.columns(['printId', 'takenAt']).doNothing())
    .execute()
}
