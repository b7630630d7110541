import { type Selectable, sql } from 'kysely'
import type { Id, PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { QueueBeds, QueueStarts } from '../../../engines/db/types.gen.ts'
import { oneWaiting } from './entries.queries.ts'

export type BedRow = Selectable<QueueBeds>
export type StartRow = Selectable<QueueStarts>

/** Entries with their files, and how often each was begun: what was begun in vain does not count. */
const entries = (db: Db, userId: UserId) =>
  db
    .selectFrom('queueEntries as entry')
    .innerJoin('gCodeFiles as file', 'file.id', 'entry.gCodeFileId')
    .leftJoin('printers as printer', 'printer.id', 'entry.printerId')
    .select([
      'entry.id',
      'entry.printerId',
      'printer.name as printerName',
      'entry.gCodeFileId',
      'entry.copies',
      'entry.onHold',
      'entry.fitsAnyway',
      'entry.createdAt',
      'entry.endedAt',
      'file.filename',
      'file.estimatedTime',
      'file.filamentTotal',
      'file.metadataJson',
      'file.thumbnails',
      'file.deletedAt as fileDeletedAt',
    ])
    .select(
      sql<number>`(select count(*)::int from queue_starts s where s.entry_id = entry.id and s.state <> 'failed')`.as(
        'begun',
      ),
    )
    .where('entry.userId', '=', userId)

/** What waits or prints, in its order. */
export async function findOpen(db: Db, userId: UserId) {
  return await entries(db, userId).where('entry.endedAt', 'is', null).orderBy('entry.place').execute()
}
export type EntryRow = Awaited<ReturnType<typeof findOpen>>[number]

/** What was done last, newest first. */
export async function findDone(db: Db, userId: UserId, limit: number): Promise<EntryRow[]> {
  return await entries(db, userId)
    .where('entry.endedAt', 'is not', null)
    .orderBy('entry.endedAt', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute()
}

/** All starts of these entries, in the order in which they were decided, with how their prints ended. */
export async function findStarts(db: Db, entryIds: readonly Id<'queueEntries'>[]) {
  if (entryIds.length === 0) return []
  return await db
    .selectFrom('queueStarts')
    .innerJoin('printers', 'printers.id', 'queueStarts.printerId')
    .leftJoin('prints', 'prints.id', 'queueStarts.printId')
    .selectAll('queueStarts')
    .select(['printers.name as printerName', 'prints.finishedAt', 'prints.cancelledAt'])
    .where('entryId', 'in', entryIds)
    .orderBy('queueStarts.createdAt')
    .orderBy('queueStarts.bed')
    .execute()
}
export type RunRow = Awaited<ReturnType<typeof findStarts>>[number]

/** An account's printers that are in use, with their beds and what they are at. */
export async function findPrinters(db: Db, userId: UserId) {
  return await db
    .selectFrom('printers')
    .leftJoin('queueBeds as bed', 'bed.printerId', 'printers.id')
    .leftJoin('prints', 'prints.id', 'printers.currentPrintId')
    .leftJoin('gCodeFiles as file', 'file.id', 'prints.gCodeFileId')
    .select([
      'printers.id',
      'printers.name',
      'printers.agentName',
      'printers.agentVersion',
      'printers.currentPrintId',
      'prints.startedAt',
      'file.estimatedTime',
      'bed.enabled',
      'bed.bed',
      'bed.clearedBed',
      'bed.clearedAt',
      'bed.seenAt',
      'bed.refusal',
      'bed.tryAfter',
    ])
    .select((eb) =>
      eb
        .selectFrom('queueStarts as start')
        .select('start.entryId')
        .whereRef('start.printerId', '=', 'printers.id')
        .where('start.endedAt', 'is', null)
        .as('entryUnderWay'),
    )
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('cloudPrints')
            .select('cloudPrints.id')
            .whereRef('cloudPrints.printerId', '=', 'printers.id')
            .where('cloudPrints.endedAt', 'is', null),
        )
        .as('isHandedOver'),
    )
    .where('printers.userId', '=', userId)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .orderBy('printers.id')
    .execute()
}
export type PrinterRow = Awaited<ReturnType<typeof findPrinters>>[number]

/** The queue of an account: its version. One change at a time, as long as the transaction lasts. */
export async function lockQueue(tx: Db, userId: UserId): Promise<number> {
  await tx
    .insertInto('queues')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { version } = await tx
    .selectFrom('queues')
    .select('version')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return version
}

export async function versionOf(db: Db, userId: UserId): Promise<number> {
  const row = await db.selectFrom('queues').select('version').where('userId', '=', userId).executeTakeFirst()
  return row?.version ?? 0
}

/** The order has changed. */
export async function raiseVersion(tx: Db, userId: UserId): Promise<void> {
  await tx
    .updateTable('queues')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('userId', '=', userId)
    .execute()
}

/** Gives the entries of an account their places, from 1. */
export async function placeEntries(tx: Db, userId: UserId, ids: readonly number[]): Promise<void> {
  await sql`
    update queue_entries set place = wanted.place
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
    where queue_entries.id = wanted.id and user_id = ${userId} and queue_entries.place <> wanted.place`.execute(
    tx,
  )
}

/**
 * Keeps printers as they are until the transaction ends: no report of them is taken meanwhile, and none is deleted. Always the
 * first thing that is locked after the queue.
 */
export async function holdPrinters(tx: Db, ids: readonly PrinterId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.selectFrom('printers').select('id').where('id', 'in', ids).orderBy('id').forKeyShare().execute()
}

/** Whether a printer prints, or is about to by the queue. */
export async function findWork(db: Db, printerId: PrinterId): Promise<boolean> {
  const row = await db
    .selectFrom('printers')
    .select('currentPrintId')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('queueStarts')
            .select('id')
            .where('printerId', '=', printerId)
            .where('endedAt', 'is', null),
        )
        .as('isBegun'),
    )
    .where('id', '=', printerId)
    .executeTakeFirst()
  return row === undefined || row.currentPrintId !== null || row.isBegun === true
}

/** Whether something waits in an account's queue that a printer may have to print. */
export async function isWaitedFor(db: Db, userId: UserId, printerId: PrinterId): Promise<boolean> {
  const row = await oneWaiting(db, userId)
    .where(
      sql<boolean>`copies > (select count(*) from queue_starts s where s.entry_id = queue_entries.id and s.state <> 'failed')`,
    )
    .where((eb) => eb.or([eb('printerId', 'is', null), eb('printerId', '=', printerId)]))
    .executeTakeFirst()
  return row !== undefined
}
