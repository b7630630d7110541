import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Id, NO_ID, type PrinterId, type PrintId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { CloudPrints } from '../../../engines/db/types.gen.ts'
import type { Authorized } from '../../core/access/index.ts'

export type CloudPrintRow = Selectable<CloudPrints>

const NEWEST = 20

/** The printer with what a hand-over needs of it; undefined when it is deleted or archived. */
export async function findPrinter(db: Db, printer: Authorized<'control'>) {
  return await db
    .selectFrom('printers')
    .select(['id', 'userId', 'name', 'agentName', 'agentVersion', 'currentPrintId'])
    .where('id', '=', printer.id)
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}

export async function nameOf(db: Db, printerId: PrinterId): Promise<string> {
  const row = await db.selectFrom('printers').select('name').where('id', '=', printerId).executeTakeFirst()
  return row?.name ?? ''
}

/** The hand-over that is under way to a printer. */
export async function findUnderWay(db: Db, printerId: PrinterId): Promise<CloudPrintRow | null> {
  const row = await db
    .selectFrom('cloudPrints')
    .selectAll()
    .where('printerId', '=', printerId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Begins one; null when another is under way to that printer. */
export async function insertCloudPrint(
  db: Db,
  values: Insertable<CloudPrints>,
): Promise<CloudPrintRow | null> {
  const row = await db
    .insertInto('cloudPrints')
    .values(values)
    .onConflict((conflict) => conflict.column('printerId').where('endedAt', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Changes one that is under way, if it still stands as `from` says; null when it does not. */
export async function updateCloudPrint(
  db: Db,
  id: Id<'cloudPrints'>,
  from: readonly CloudPrintRow['state'][],
  values: Updateable<CloudPrints>,
): Promise<CloudPrintRow | null> {
  const row = await db
    .updateTable('cloudPrints')
    .set(values)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** A hand-over of a user, or of anybody when none is given. */
export async function findCloudPrint(db: Db, id: number, userId?: UserId): Promise<CloudPrintRow | null> {
  const row = await db
    .selectFrom('cloudPrints')
    .selectAll()
    .where('id', '=', sought<'cloudPrints'>(id))
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? NO_ID))
    .executeTakeFirst()
  return row ?? null
}

export interface Listed {
  readonly printer?: number | undefined
  readonly fileId?: number | undefined
  readonly isUnderWay: boolean
}

/** The newest hand-overs of a user. */
export async function listCloudPrints(db: Db, userId: UserId, listed: Listed): Promise<CloudPrintRow[]> {
  const { printer, fileId, isUnderWay } = listed
  return await db
    .selectFrom('cloudPrints')
    .selectAll()
    .where('userId', '=', userId)
    .$if(printer !== undefined, (query) => query.where('printerId', '=', sought<'printers'>(printer ?? 0)))
    .$if(fileId !== undefined, (query) => query.where('gCodeFileId', '=', sought<'gCodeFiles'>(fileId ?? 0)))
    .$if(isUnderWay, (query) => query.where('endedAt', 'is', null))
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .execute()
}

const takeSome = statement((db, now: Date, before: Date, limit: number) =>
  db
    .updateTable('cloudPrints')
    .set({ lookedAt: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('cloudPrints')
        .select('id')
        .where('endedAt', 'is', null)
        .where('lookedAt', '<=', before)
        .orderBy('lookedAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll(),
)

/** Takes those that nobody has looked at since `before`, so that of several nodes one looks at each. */
export const takeDue = (
  db: Db,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<CloudPrintRow[]> => takeSome(db, now, before, limit)

/** The print that came of it, the one that runs, or one of its file that is over already. */
const itsPrint = sql<PrintId>`coalesce(cloud_prints.print_id, printers.current_print_id, (
  select max(own.id) from prints own where own.printer_id = cloud_prints.printer_id
    and own.g_code_file_id = cloud_prints.g_code_file_id and own.started_at >= cloud_prints.created_at))`

/** What each of these has come to on its printer: the print that is current or came of it, and what its agent says of the file there. */
export async function findOutcomes(db: Db, ids: readonly Id<'cloudPrints'>[]) {
  return await db
    .selectFrom('cloudPrints')
    .innerJoin('printers', 'printers.id', 'cloudPrints.printerId')
    .leftJoin('prints', (join) => join.on('prints.id', '=', itsPrint))
    .leftJoin('gCodeCopies', (join) =>
      join
        .onRef('gCodeCopies.gCodeFileId', '=', 'cloudPrints.gCodeFileId')
        .onRef('gCodeCopies.printerId', '=', 'cloudPrints.printerId')
        .onRef('gCodeCopies.updatedAt', '>=', 'cloudPrints.createdAt'),
    )
    .distinctOn('cloudPrints.id')
    .select([
      'cloudPrints.id',
      'prints.id as printId',
      'prints.gCodeFileId',
      'prints.filename',
      'prints.startedAt',
      'prints.createdAt',
      'prints.finishedAt',
      'prints.cancelledAt',
      'gCodeCopies.numBytes as bytesThere',
      'gCodeCopies.agentSignature as signature',
      'printers.agentName',
    ])
    .where('cloudPrints.id', 'in', ids)
    .orderBy('cloudPrints.id')
    .orderBy('gCodeCopies.updatedAt', (order) => order.desc().nullsLast())
    .execute()
}
