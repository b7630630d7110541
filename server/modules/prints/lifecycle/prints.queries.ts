import { type Selectable, sql, type Updateable } from 'kysely'
import { type FileId, type Id, type PrinterId, type PrintId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Principal } from '../../../http/principal.ts'
import { printersVisibleTo } from '../../core/access/index.ts'
import type { GCodeFiles, Prints } from '../../../engines/db/types.gen.ts'
import type { Fired, Tracker } from './heaters.rules.ts'

export type PrintRow = Selectable<Prints>

/** Printers, locked until the transaction ends, in the order of their ids; without those that are deleted or archived. */
export const lockPrinters = statement((db, printerIds: readonly PrinterId[]) =>
  db
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
      'users.brand',
    ])
    .where(sql<boolean>`printers.id = any(${printerIds}::integer[])`)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .orderBy('printers.id')
    .forUpdate('printers'),
)
export type LockedPrinter = Awaited<ReturnType<typeof lockPrinters>>[number]

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

/** A print by its printer and its key. */
export interface PrintKey {
  readonly printerId: PrinterId
  readonly extId: number
}

const known = statement(
  (_db, printerIds: readonly PrinterId[], extIds: readonly number[]) => sql<{ printerId: PrinterId }>`
    select p.printer_id from unnest(${printerIds}::integer[], ${extIds}::bigint[]) as asked (printer_id, ext_id)
    join prints p on p.printer_id = asked.printer_id and p.ext_id = asked.ext_id`,
)

/** The printers of which there is a print of this key already, deleted ones included. */
export const findKnown = async (db: Db, keys: readonly PrintKey[]): Promise<ReadonlySet<PrinterId>> =>
  new Set(
    (
      await known(
        db,
        printersOf(keys),
        keys.map(({ extId }) => extId),
      )
    ).map((row) => row.printerId),
  )

const printersOf = (all: readonly { readonly printerId: PrinterId }[]) =>
  all.map(({ printerId }) => printerId)

/** A print that begins. */
export interface NewPrint extends PrintKey {
  readonly userId: UserId
  readonly filename: string
  readonly gCodeFileId: Id<'gCodeFiles'> | null
}

const insertPrints = statement(
  (
    _db,
    userIds: readonly UserId[],
    printerIds: readonly PrinterId[],
    extIds: readonly number[],
    filenames: readonly string[],
    fileIds: readonly (Id<'gCodeFiles'> | null)[],
    now: Date,
  ) => sql<PrintRow>`
    insert into prints (user_id, printer_id, ext_id, filename, g_code_file_id, started_at, hours_at_start)
    select user_id, printer_id, ext_id, filename, file_id, started_at, users.dh_balance
    from unnest(${userIds}::integer[], ${printerIds}::integer[], ${extIds}::bigint[], ${filenames}::text[], ${fileIds}::integer[])
      as new (user_id, printer_id, ext_id, filename, file_id)
    join users on users.id = new.user_id
    cross join (select ${now}::timestamptz as started_at) as at
    returning prints.*`,
)

const setCurrentPrints = statement(
  (_db, printerIds: readonly PrinterId[], printIds: readonly PrintId[]) => sql`
    update printers set current_print_id = new.print_id
    from unnest(${printerIds}::integer[], ${printIds}::integer[]) as new (printer_id, print_id)
    where printers.id = new.printer_id`,
)

/** Writes prints that begin now, the current ones of their printers, by as many statements as one; returns each by its printer. */
export async function beginPrints(
  db: Db,
  all: readonly NewPrint[],
  now: Date,
): Promise<ReadonlyMap<PrinterId, PrintRow>> {
  const rows = await insertPrints(
    db,
    all.map(({ userId }) => userId),
    printersOf(all),
    all.map(({ extId }) => extId),
    all.map(({ filename }) => filename),
    all.map(({ gCodeFileId }) => gCodeFileId),
    now,
  )
  const begun = new Map(rows.flatMap((row) => (row.printerId === null ? [] : [[row.printerId, row]])))
  await setCurrentPrints(
    db,
    [...begun.keys()],
    [...begun.values()].map(({ id }) => id),
  )
  return begun
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

const ownFiles = statement(
  (_db, userIds: readonly UserId[], fileIds: readonly number[]) => sql<{
    id: Id<'gCodeFiles'>
    userId: UserId
  }>`
    select f.id, f.user_id from unnest(${userIds}::integer[], ${fileIds}::bigint[]) as asked (user_id, id)
    join g_code_files f on f.id = asked.id and f.user_id = asked.user_id`,
)

/** Of these files those that belong to who has named them. */
export const findOwnFiles = async (
  db: Db,
  all: readonly { readonly userId: UserId; readonly fileId: number }[],
) =>
  all.length === 0
    ? []
    : await ownFiles(
        db,
        all.map(({ userId }) => userId),
        all.map(({ fileId }) => fileId),
      )

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

const printsById = statement((db, ids: readonly PrintId[]) =>
  db
    .selectFrom('prints')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::integer[])`),
)

const filesById = statement((db, ids: readonly FileId[]) =>
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
