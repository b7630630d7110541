import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type PrinterId, type PrintId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Principal } from '../../../http/principal.ts'
import { printersVisibleTo } from '../../core/access/index.ts'
import type { GCodeFiles, Prints } from '../../../engines/db/types.gen.ts'
import type { Fired, Tracker } from './heaters.rules.ts'

export type PrintRow = Selectable<Prints>

/** The printer, locked until the transaction ends; undefined when it is deleted or archived. */
export async function lockPrinter(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .select([
      'printers.id',
      'printers.userId',
      'printers.name',
      'printers.watchingEnabled',
      'printers.currentPrintId',
      'users.dhBalance',
      'users.isPro',
    ])
    .where('printers.id', '=', printerId)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .forUpdate('printers')
    .executeTakeFirst()
}
export type LockedPrinter = NonNullable<Awaited<ReturnType<typeof lockPrinter>>>

export async function findPrint(db: Db, printId: PrintId | null): Promise<PrintRow | null> {
  if (printId === null) return null
  return (await db.selectFrom('prints').selectAll().where('id', '=', printId).executeTakeFirst()) ?? null
}

/** The printer's current print; null when idle. */
export async function findCurrentPrint(db: Db, printerId: PrinterId): Promise<PrintRow | null> {
  const row = await db
    .selectFrom('printers')
    .innerJoin('prints', 'prints.id', 'printers.currentPrintId')
    .selectAll('prints')
    .where('printers.id', '=', printerId)
    .executeTakeFirst()
  return row ?? null
}

/** A print by its key, deleted ones included (docs/wire/rest.md 5). */
export async function findByKey(db: Db, printerId: PrinterId, extId: number): Promise<PrintRow | null> {
  const row = await db
    .selectFrom('prints')
    .selectAll()
    .where('printerId', '=', printerId)
    .where('extId', '=', extId)
    .executeTakeFirst()
  return row ?? null
}

export async function insertPrint(db: Db, print: Insertable<Prints>): Promise<PrintRow> {
  return await db.insertInto('prints').values(print).returningAll().executeTakeFirstOrThrow()
}

export async function updatePrint(db: Db, printId: PrintId, values: Updateable<Prints>): Promise<PrintRow> {
  return await db
    .updateTable('prints')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', printId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function setCurrentPrint(db: Db, printerId: PrinterId, printId: PrintId | null): Promise<void> {
  await db.updateTable('printers').set({ currentPrintId: printId }).where('id', '=', printerId).execute()
}

/** A G-code file, if it belongs to this user (docs/rules/prints.md 1). */
export async function findOwnFile(db: Db, userId: UserId, fileId: number | null) {
  if (fileId === null) return null
  const row = await db
    .selectFrom('gCodeFiles')
    .select(['id', 'filamentTotal', 'estimatedTime'])
    .where('id', '=', sought<'gCodeFiles'>(fileId))
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export async function findTrackers(db: Db, printerId: PrinterId): Promise<Map<string, Tracker>> {
  const rows = await db
    .selectFrom('heaterTrackers')
    .select(['name', 'target', 'reached'])
    .where('printerId', '=', printerId)
    .execute()
  return new Map(rows.map(({ name, target, reached }) => [name, { target, reached }]))
}

export async function writeTracker(
  db: Db,
  printerId: PrinterId,
  name: string,
  tracker: Tracker | null,
): Promise<void> {
  if (tracker === null) {
    await db
      .deleteFrom('heaterTrackers')
      .where('printerId', '=', printerId)
      .where('name', '=', name)
      .execute()
    return
  }
  await putTracker(db, printerId, name, tracker.target, tracker.reached)
}

const putTracker = statement(
  (db, printerId: PrinterId, name: string, target: Tracker['target'], reached: Tracker['reached']) =>
    db
      .insertInto('heaterTrackers')
      .values({ printerId, name, target, reached })
      .onConflict((conflict) =>
        conflict.columns(['printerId', 'name']).doUpdateSet((eb) => ({
          target: eb.ref('excluded.target'),
          reached: eb.ref('excluded.reached'),
        })),
      ),
)

/** The first target that each heater reached in a print (docs/wire/rest.md 5, PrintHeaterTarget). */
export async function keepHeaterTarget(
  db: Db,
  printId: PrintId,
  { name, target, offset }: Fired,
): Promise<void> {
  await db
    .insertInto('printHeaterTargets')
    .values({ printId, name, target, heaterOffset: offset })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type GCodeFileRow = Selectable<GCodeFiles>

const printsById = statement((db, ids: readonly number[]) =>
  db
    .selectFrom('prints')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::integer[])`),
)

const filesById = statement((db, ids: readonly number[]) =>
  db
    .selectFrom('gCodeFiles')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::integer[])`),
)

/** Prints by their ids, which the caller may see. */
export async function findPrintsById(db: Db, ids: readonly PrintId[]): Promise<PrintRow[]> {
  return ids.length === 0 ? [] : await printsById(db, ids)
}

/** The files that prints were made from, by id. */
export async function findFilesOf(db: Db, prints: readonly PrintRow[]): Promise<Map<number, GCodeFileRow>> {
  const ids = prints.flatMap(({ gCodeFileId }) => (gCodeFileId === null ? [] : [gCodeFileId]))
  if (ids.length === 0) return new Map()
  const rows = await filesById(db, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Prints of these files on printers that the caller may see, newest first, at most `limit` in all. */
export async function findPrintsOfFiles(
  db: Db,
  principal: Principal,
  fileIds: readonly number[],
  limit: number,
): Promise<PrintRow[]> {
  if (fileIds.length === 0) return []
  const visible = printersVisibleTo(db, { principal, action: 'see', withArchived: true })
  return await db
    .selectFrom('prints')
    .selectAll()
    .where('gCodeFileId', 'in', fileIds.map(sought<'gCodeFiles'>))
    .where('printerId', 'in', visible.select('printers.id'))
    .where('deletedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
