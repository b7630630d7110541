import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Decisions, PrinterPredictions } from '../../../engines/db/types.gen.ts'

export type PredictionRow = Selectable<PrinterPredictions>

/** The printer's decision state, locked until the transaction ends. */
export async function lockPrediction(db: Db, printerId: PrinterId): Promise<PredictionRow> {
  return await db
    .selectFrom('printerPredictions')
    .selectAll()
    .where('printerId', '=', printerId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

const lockThose = statement((db, printerIds: readonly PrinterId[]) =>
  db
    .selectFrom('printerPredictions')
    .selectAll()
    .where(sql<boolean>`printer_id = any(${printerIds}::integer[])`)
    .orderBy('printerId')
    .forUpdate(),
)

/** The same of several, locked in the order of their ids. */
export const lockPredictions = async (db: Db, printerIds: readonly PrinterId[]): Promise<PredictionRow[]> =>
  await lockThose(db, printerIds)

/** Counters, quick means and the gauge of printers start over; `steady` of each is what is left of its state. */
export const startOver = statement(
  (_db, now: Date, printerIds: readonly PrinterId[], steady: readonly (string | null)[]) => sql`
    update printer_predictions p set current_frame_num = 0, current_p = 0, ewm_mean = 0, rolling_mean_short = 0, normalized_p = 0,
      watch_mark = null, steady = reset.steady, updated_at = ${now}
    from unnest(${printerIds}::integer[], ${steady}::jsonb[]) as reset (printer_id, steady)
    where p.printer_id = reset.printer_id`,
)

/** The same, just read. */
export async function findPrediction(db: Db, printerId: PrinterId): Promise<PredictionRow> {
  return await db
    .selectFrom('printerPredictions')
    .selectAll()
    .where('printerId', '=', printerId)
    .executeTakeFirstOrThrow()
}

/** The same of a printer that may be gone. */
export async function readPrediction(db: Db, printerId: PrinterId): Promise<PredictionRow | undefined> {
  return await db
    .selectFrom('printerPredictions')
    .selectAll()
    .where('printerId', '=', printerId)
    .executeTakeFirst()
}

export async function updatePrediction(
  db: Db,
  printerId: PrinterId,
  values: Updateable<PrinterPredictions>,
): Promise<void> {
  await db
    .updateTable('printerPredictions')
    .set({ ...values, updatedAt: new Date() })
    .where('printerId', '=', printerId)
    .execute()
}

interface WatchedTime {
  readonly seconds: number
  readonly of: number
}

const further = ({ seconds, of }: WatchedTime) => ({
  watchedSeconds: sql<number>`watched_seconds + ${seconds}`,
  watchedOf: of,
})

/**
 * One more look at a print: the billing hook (docs/rules/watch.md 7) and, where it is known, the time that was truly
 * watched: so many seconds more, of the first `of` of the print.
 */
export async function countDetection(db: Db, printId: PrintId, watched: WatchedTime | null): Promise<void> {
  await db
    .updateTable('prints')
    .set({ detections: sql`detections + 1`, ...(watched && further(watched)) })
    .where('id', '=', printId)
    .execute()
}

/** What was watched since the last look of a print that is over. */
export async function addWatched(db: Db, printId: PrintId, watched: WatchedTime): Promise<void> {
  await db.updateTable('prints').set(further(watched)).where('id', '=', printId).execute()
}

export async function insertDecision(db: Db, decision: Insertable<Decisions>): Promise<void> {
  await db.insertInto('decisions').values(decision).execute()
}
