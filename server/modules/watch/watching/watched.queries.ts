import { sql } from 'kysely'
import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import { watchHours } from '../../shop/hours/index.ts'

const watchedPrinters = (db: Db) =>
  db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .leftJoin('prints', 'prints.id', 'printers.currentPrintId')
    .select([
      'printers.id as printerId',
      'printers.userId',
      'printers.name',
      'printers.watchingEnabled',
      'printers.actionOnFailure',
      'printers.detectiveSensitivity',
      'printers.detectionBendingFactor',
      'printers.retractOnPause',
      'printers.liftZOnPause',
      'printers.toolsOffOnPause',
      'printers.bedOffOnPause',
      'printers.ignoreZones',
      watchHours,
      'users.isPro',
      'users.brand',
      'prints.id as printId',
      'prints.filename',
      'prints.startedAt as printStartedAt',
      'prints.alertMutedAt',
      'prints.alertedAt',
      'prints.alertAcknowledgedAt',
      'prints.pauseId',
      'prints.pausedAt',
    ])
    .where('printers.deletedAt', 'is', null)

/** What a snapshot needs to know of its printer, in one statement. */
export async function findWatched(db: Db, printerId: PrinterId) {
  return await watchedPrinters(db).where('printers.id', '=', printerId).executeTakeFirst()
}
export type Watched = NonNullable<Awaited<ReturnType<typeof findWatched>>>

const watchedOf = statement((db, printerIds: readonly PrinterId[]) =>
  watchedPrinters(db).where(sql<boolean>`printers.id = any(${printerIds}::integer[])`),
)

/** The same of several printers, in the order of their ids; undefined for one that is gone. */
export async function findAllWatched(
  db: Db,
  printerIds: readonly PrinterId[],
): Promise<(Watched | undefined)[]> {
  const rows = await watchedOf(db, printerIds)
  const byId = new Map(rows.map((row) => [row.printerId, row]))
  return printerIds.map((printerId) => byId.get(printerId))
}
