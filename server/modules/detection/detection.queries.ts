import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../engines/db/port.ts'
import { statement } from '../../engines/db/statement.ts'
import type { Decisions, Frames, PrinterPredictions, Prints } from '../../engines/db/types.gen.ts'

export type PrintRow = Selectable<Prints>
export type PredictionRow = Selectable<PrinterPredictions>

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
      'users.dhBalance',
      'prints.id as printId',
      'prints.filename',
      'prints.alertMutedAt',
    ])
    .where('printers.deletedAt', 'is', null)

/** What a snapshot needs to know of its printer, in one statement. */
export async function findWatched(db: Db, printerId: number) {
  return await watchedPrinters(db).where('printers.id', '=', printerId).executeTakeFirst()
}
export type Watched = NonNullable<Awaited<ReturnType<typeof findWatched>>>

const watchedOf = statement((db, printerIds: readonly number[]) =>
  watchedPrinters(db).where(sql<boolean>`printers.id = any(${printerIds}::integer[])`),
)

/** The same of several printers, in the order of their ids; undefined for one that is gone. */
export async function findAllWatched(
  db: Db,
  printerIds: readonly number[],
): Promise<(Watched | undefined)[]> {
  const rows = await watchedOf(db, printerIds)
  const byId = new Map(rows.map((row) => [row.printerId, row]))
  return printerIds.map((printerId) => byId.get(printerId))
}

type Column<K extends keyof Insertable<Frames>> = readonly Insertable<Frames>[K][]

const addFrames = statement(
  (
    _db,
    printerIds: Column<'printerId'>,
    printIds: Column<'printId'>,
    pictures: Column<'picture'>,
    numBytes: Column<'numBytes'>,
    widths: Column<'width'>,
    heights: Column<'height'>,
    times: Column<'createdAt'>,
  ) => sql<{ id: number }>`
    with added as (
      insert into frames (printer_id, print_id, picture, num_bytes, width, height, created_at)
      select printer_id, print_id, picture, num_bytes, width, height, created_at
      from unnest(
        ${printerIds}::integer[], ${printIds}::integer[], ${pictures}::jsonb[], ${numBytes}::integer[],
        ${widths}::integer[], ${heights}::integer[], ${times}::timestamptz[]
      ) with ordinality as frame (printer_id, print_id, picture, num_bytes, width, height, created_at, place)
      order by place
      returning id, print_id
    ), counted as (
      update prints set pictures = prints.pictures + tally.more
      from (select print_id, count(id) as more from added group by print_id) as tally
      where prints.id = tally.print_id
    )
    select id from added order by id`,
)

/** Keeps frames and counts them for their prints, in one statement; returns their keys in the same order. */
export async function insertFrames(db: Db, frames: readonly Insertable<Frames>[]): Promise<number[]> {
  const rows = await addFrames(
    db,
    frames.map(({ printerId }) => printerId),
    frames.map(({ printId }) => printId),
    frames.map(({ picture }) => picture),
    frames.map(({ numBytes }) => numBytes),
    frames.map(({ width }) => width),
    frames.map(({ height }) => height),
    frames.map(({ createdAt }) => createdAt),
  )
  // Keys are given out in the order of the frames.
  return rows.map(({ id }) => id)
}

/** The printer's decision state, locked until the transaction ends. */
export async function lockPrediction(db: Db, printerId: number): Promise<PredictionRow> {
  return await db
    .selectFrom('printerPredictions')
    .selectAll()
    .where('printerId', '=', printerId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updatePrediction(
  db: Db,
  printerId: number,
  values: Updateable<PrinterPredictions>,
): Promise<void> {
  await db
    .updateTable('printerPredictions')
    .set({ ...values, updatedAt: new Date() })
    .where('printerId', '=', printerId)
    .execute()
}

/** The print, locked, if it is still the printer's current one. */
export async function lockCurrentPrint(db: Db, printerId: number, printId: number): Promise<PrintRow | null> {
  const print = await db
    .selectFrom('prints')
    .innerJoin('printers', 'printers.currentPrintId', 'prints.id')
    .selectAll('prints')
    .where('printers.id', '=', printerId)
    .where('prints.id', '=', printId)
    .forUpdate('prints')
    .executeTakeFirst()
  return print ?? null
}

/** The print, locked, if this is its latest intent to pause; current or not. */
export async function lockIntent(db: Db, printId: number, pauseId: string): Promise<PrintRow | null> {
  const print = await db
    .selectFrom('prints')
    .selectAll()
    .where('id', '=', printId)
    .where('pauseId', '=', pauseId)
    .forUpdate()
    .executeTakeFirst()
  return print ?? null
}

/** Remembers when a print was last seen to stand in a pause; null when there is no such print. */
export async function markPauseSeen(db: Db, printId: number, at: Date) {
  const print = await db
    .updateTable('prints')
    .set({ pauseSeenAt: at })
    .where('id', '=', printId)
    .returning(['pauseId', 'pauseUntil', 'pausedAt'])
    .executeTakeFirst()
  return print ?? null
}

export async function updatePrint(db: Db, printId: number, values: Updateable<Prints>): Promise<void> {
  await db
    .updateTable('prints')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', printId)
    .execute()
}

/**
 * One more look at a print: the billing hook (docs/rules/detection.md 7) and, where it is known, the time that was truly
 * watched: so many seconds more, of the first `of` of the print.
 */
export async function countDetection(
  db: Db,
  printId: number,
  watched: { seconds: number; of: number } | null,
): Promise<void> {
  await db
    .updateTable('prints')
    .set({
      detections: sql`detections + 1`,
      ...(watched && { watchedSeconds: sql`watched_seconds + ${watched.seconds}`, watchedOf: watched.of }),
    })
    .where('id', '=', printId)
    .execute()
}

export async function insertDecision(db: Db, decision: Insertable<Decisions>): Promise<void> {
  await db.insertInto('decisions').values(decision).execute()
}

/** Remembers the picture with boxes beside the raw one. */
export async function setTagged(db: Db, frameId: number, tagged: string): Promise<void> {
  await db.updateTable('frames').set({ tagged }).where('id', '=', frameId).execute()
}
