import type { Selectable, Updateable } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { Prints } from '../../../engines/db/types.gen.ts'

export type PrintRow = Selectable<Prints>

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
