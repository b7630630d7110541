import { sql } from 'kysely'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Lines of one print, as they are written together. */
export interface Piece {
  readonly printId: PrintId
  readonly at: Date
  readonly lines: string
}

/** What these printers print right now. */
export async function findPrinting(db: Db, printerIds: readonly PrinterId[]) {
  return await db
    .selectFrom('printers')
    .innerJoin('prints', 'prints.id', 'printers.currentPrintId')
    .select(['printers.id as printerId', 'prints.id as printId', 'prints.startedAt', 'prints.createdAt'])
    .where(sql<boolean>`printers.id = any(${printerIds}::integer[])`)
    .execute()
}

/** When a print began. */
export async function findBegin(db: Db, printId: PrintId) {
  return await db
    .selectFrom('prints')
    .select(['startedAt', 'createdAt'])
    .where('id', '=', printId)
    .executeTakeFirst()
}

export async function insertPieces(db: Db, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return
  await db
    .insertInto('printTemperatures')
    .values([...pieces])
    .onConflict((conflict) =>
      conflict
        .columns(['printId', 'at'])
        .doUpdateSet({ lines: sql`print_temperatures.lines || E'\n' || excluded.lines` }),
    )
    .execute()
}

/** The pieces of a print in order. */
export async function findPieces(db: Db, printId: PrintId) {
  return await db
    .selectFrom('printTemperatures')
    .select(['at', 'lines'])
    .where('printId', '=', printId)
    .orderBy('at')
    .execute()
}

/** Puts one piece in the place of those that stand there; two who do so at once do it one after the other. */
export async function replacePieces(
  db: Db,
  printId: PrintId,
  merge: (pieces: readonly { at: Date; lines: string }[]) => Piece | null,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const pieces = await tx
      .selectFrom('printTemperatures')
      .select(['at', 'lines'])
      .where('printId', '=', printId)
      .orderBy('at')
      .forUpdate()
      .execute()
    const merged = merge(pieces)
    if (merged === null) return
    const times = pieces.map(({ at }) => at)
    await tx.deleteFrom('printTemperatures').where('printId', '=', printId).where('at', 'in', times).execute()
    await insertPieces(tx, [merged])
  })
}
