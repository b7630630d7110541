import { type Selectable, sql, type Updateable } from 'kysely'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Prints } from '../../../engines/db/types.gen.ts'

export type PrintRow = Selectable<Prints>

/** The print, locked, if it is still the printer's current one. */
export async function lockCurrentPrint(
  db: Db,
  printerId: PrinterId,
  printId: PrintId,
): Promise<PrintRow | null> {
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
export async function lockIntent(db: Db, printId: PrintId, pauseId: string): Promise<PrintRow | null> {
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
export async function markPauseSeen(db: Db, printId: PrintId, at: Date) {
  const print = await db
    .updateTable('prints')
    .set({ pauseSeenAt: at })
    .where('id', '=', printId)
    .returning(['pauseId', 'pauseUntil', 'pausedAt'])
    .executeTakeFirst()
  return print ?? null
}

export async function updatePrint(db: Db, printId: PrintId, values: Updateable<Prints>): Promise<void> {
  await db
    .updateTable('prints')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', printId)
    .execute()
}

/** How many looks at a print have found it failing lately, and whether one before was as sure as for a pause. */
export async function findFailing(
  db: Db,
  printId: PrintId,
  { since, before }: { since: Date; before: { from: Date; until: Date } },
): Promise<{ recently: number; worst: boolean }> {
  const { rows } = await sql<{ recently: number; worst: boolean }>`
    select (select count(*)::integer from decisions
        where print_id = ${printId} and created_at > ${since} and decision <> 'none') as recently,
      exists (select from decisions where print_id = ${printId} and decision = 'pause'
        and created_at between ${before.from} and ${before.until}) as worst`.execute(db)
  return rows[0] ?? { recently: 0, worst: false }
}
