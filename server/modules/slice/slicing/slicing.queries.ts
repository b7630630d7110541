import { type Insertable, type Selectable, sql } from 'kysely'
import { type FileId, type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import type { SliceJobs } from '../../../engines/db/types.gen.ts'
import type { Why } from './slicing.rules.ts'

export type JobRow = Selectable<SliceJobs>
export type JobId = Id<'sliceJobs'>

/** Who works on a job says so each second; one that is silent for so long does not work any more. */
const SILENT = sql<Date>`now() - interval '30 seconds'`
const OPEN = ['queued', 'running'] as const
const BEGUN = { beatAt: sql<Date>`now()`, startedAt: sql<Date>`now()` }
/** So many that were done last say how long one takes. */
const LEARNT_OF = 50

/** Null when as many wait as may. */
export async function insertJob(
  tx: Db,
  userId: UserId,
  values: Omit<Insertable<SliceJobs>, 'userId' | 'state'>,
  most: number,
): Promise<JobRow | null> {
  await lockList(tx, 'slicesOfUser', userId)
  const { count } = await tx
    .selectFrom('sliceJobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) return null
  return await tx
    .insertInto('sliceJobs')
    .values({ ...values, userId, state: 'queued' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findJob(db: Db, userId: UserId, id: number): Promise<JobRow | undefined> {
  return await db
    .selectFrom('sliceJobs')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', sought<'sliceJobs'>(id))
    .executeTakeFirst()
}

export async function findJobs(db: Db, userId: UserId, limit: number): Promise<JobRow[]> {
  return await db
    .selectFrom('sliceJobs')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** How many of anybody's stand before those that wait, by their id. */
export async function positionsOf(db: Db, ids: readonly JobId[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('sliceJobs as own')
    .innerJoin('sliceJobs as other', (join) =>
      join.onRef('other.id', '<', 'own.id').on('other.state', 'in', OPEN),
    )
    .select(['own.id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('own.id', 'in', ids)
    .groupBy('own.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** How many seconds those that were done last took on average; null where none was. */
export async function usualSeconds(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('sliceJobs')
        .select(sql<number>`extract(epoch from ended_at - started_at)::float8`.as('seconds'))
        .where('state', '=', 'done')
        .where('startedAt', 'is not', null)
        .orderBy('id', 'desc')
        .limit(LEARNT_OF)
        .as('last'),
    )
    .select(({ fn }) => fn.avg<number | null>('seconds').as('seconds'))
    .executeTakeFirst()
  return row?.seconds == null ? null : Number(row.seconds)
}

/** The oldest that waits becomes the runner's, unless another of theirs is being worked on. */
export async function claimNext(db: Db, userId: UserId, runner: string): Promise<JobRow | undefined> {
  return await db.transaction().execute(async (tx) => {
    await lockList(tx, 'slicesOfUser', userId)
    const running = await tx
      .selectFrom('sliceJobs')
      .select('id')
      .where('userId', '=', userId)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (running) return undefined
    const next = await tx
      .selectFrom('sliceJobs')
      .select('id')
      .where('userId', '=', userId)
      .where('state', '=', 'queued')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!next) return undefined
    return await tx
      .updateTable('sliceJobs')
      .set({ state: 'running', runner, ...BEGUN, tries: sql`tries + 1`, progress: 0 })
      .where('id', '=', next.id)
      .returningAll()
      .executeTakeFirst()
  })
}

const own = (db: Db, id: JobId, runner: string) =>
  db.updateTable('sliceJobs').where('id', '=', id).where('runner', '=', runner).where('state', '=', 'running')

/** Says that it is worked on, and how far; false when it is the runner's no more. */
export async function beatJob(db: Db, id: JobId, runner: string, progress: number): Promise<boolean> {
  const { numUpdatedRows } = await own(db, id, runner)
    .set({ beatAt: sql`now()`, progress })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** It waits again, for another. */
export async function releaseJob(db: Db, id: JobId, runner: string): Promise<void> {
  await own(db, id, runner).set({ state: 'queued', runner: null, beatAt: null, progress: 0 }).execute()
}

/** False when it is the runner's no more. */
export async function failJob(db: Db, id: JobId, runner: string, why: Why): Promise<boolean> {
  const { numUpdatedRows } = await own(db, id, runner)
    .set({ state: 'failed', error: JSON.stringify(why), endedAt: sql`now()`, thumbnail: null })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when it is the runner's no more. */
export async function completeJob(
  tx: Db,
  id: JobId,
  runner: string,
  { fileId, notes }: { readonly fileId: FileId; readonly notes: readonly object[] },
): Promise<boolean> {
  const { numUpdatedRows } = await own(tx, id, runner)
    .set({
      state: 'done',
      progress: 1,
      gCodeFileId: fileId,
      notes: JSON.stringify(notes),
      endedAt: sql`now()`,
      thumbnail: null,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends one that is open; false when it is over already. */
export async function cancelJob(db: Db, { id, userId }: JobRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sliceJobs')
    .set({ state: 'cancelled', endedAt: sql`now()`, thumbnail: null })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('state', 'in', OPEN)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Forgets one that is over. */
export async function removeJob(db: Db, { id, userId }: JobRow): Promise<void> {
  await db
    .deleteFrom('sliceJobs')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('state', 'not in', OPEN)
    .execute()
}

/** Those that nobody works on any more wait again; whoever lost his work too often gets none of it. */
export async function takeFromSilent(db: Db, mostTries: number, why: Why): Promise<void> {
  const silent = db
    .updateTable('sliceJobs')
    .where('state', '=', 'running')
    .where((eb) => eb.or([eb('beatAt', 'is', null), eb('beatAt', '<', SILENT)]))
  await silent
    .where('tries', '>=', mostTries)
    .set({ state: 'failed', error: JSON.stringify(why), endedAt: sql`now()`, thumbnail: null })
    .execute()
  await silent
    .where('tries', '<', mostTries)
    .set({ state: 'queued', runner: null, beatAt: null, progress: 0 })
    .execute()
}

/** Whose jobs wait. */
export async function whoWaits(db: Db): Promise<UserId[]> {
  const rows = await db
    .selectFrom('sliceJobs')
    .select('userId')
    .distinct()
    .where('state', '=', 'queued')
    .limit(1_000)
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function hasWaiting(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('sliceJobs')
    .select('id')
    .where('userId', '=', userId)
    .where('state', '=', 'queued')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets what has long been over. */
export async function forgetOld(db: Db): Promise<void> {
  await db
    .deleteFrom('sliceJobs')
    .where('endedAt', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}
