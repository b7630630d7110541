import { sql } from 'kysely'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Authorized } from '../../core/access/index.ts'
import type { BedRow } from '../queue-plan/queue.queries.ts'

const soil = statement(
  (_db, printerIds: readonly PrinterId[]) => sql<Pick<BedRow, 'printerId' | 'bed' | 'enabled'>>`
    insert into queue_beds as b (printer_id, bed) select distinct id, 1 from unnest(${printerIds}::integer[]) as id order by id
    on conflict (printer_id) do update set bed = b.bed + 1 returning b.printer_id, b.bed, b.enabled`,
)

/** Something may have come to lie on printers' beds: nothing that was said of them holds any more. Returns their new states. */
export const soilBeds = async (db: Db, printerIds: readonly PrinterId[]) =>
  new Map((await soil(db, printerIds)).map((bed) => [bed.printerId, bed]))

/** The same, unless the bed is in another state by now. */
export async function soilBedIf(db: Db, printerId: PrinterId, bed: number): Promise<void> {
  await db
    .updateTable('queueBeds')
    .set({ bed: bed + 1 })
    .where('printerId', '=', printerId)
    .where('bed', '=', bed)
    .execute()
}

/** Somebody says that a bed is clear; false when it is in another state than they have seen. */
export async function markClear(
  db: Db,
  { id: printerId }: Authorized<'control'>,
  { bed, userId, now }: { bed: number; userId: UserId; now: Date },
): Promise<boolean> {
  await db
    .insertInto('queueBeds')
    .values({ printerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const marked = await db
    .updateTable('queueBeds')
    .set({ clearedBed: bed, clearedAt: now, clearedBy: userId, seenAt: now, refusal: null, tryAfter: null })
    .where('printerId', '=', printerId)
    .where('bed', '=', bed)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

export async function setEnabled(
  db: Db,
  { id: printerId }: Authorized<'edit'>,
  enabled: boolean,
): Promise<void> {
  await db
    .insertInto('queueBeds')
    .values({ printerId, enabled })
    .onConflict((conflict) => conflict.column('printerId').doUpdateSet({ enabled }))
    .execute()
}

/** A start was refused: why, and when the next is tried. */
export async function keepRefusal(
  db: Db,
  printerId: PrinterId,
  { refusal, tryAfter }: { refusal: string; tryAfter: Date },
): Promise<void> {
  await db.updateTable('queueBeds').set({ refusal, tryAfter }).where('printerId', '=', printerId).execute()
}

/** Beds that count as clear, after this printer: whose they are, and what they wait for. */
export const findCleared = statement((db, afterId: PrinterId, limit: number) =>
  db
    .selectFrom('queueBeds')
    .innerJoin('printers', 'printers.id', 'queueBeds.printerId')
    .selectAll('queueBeds')
    .select(['printers.id', 'printers.userId', 'printers.currentPrintId'])
    .select(
      sql<boolean>`exists (select from queue_entries entry where entry.user_id = printers.user_id
        and entry.ended_at is null and not entry.on_hold)`.as('isWaitedFor'),
    )
    .where('clearedBed', '=', (eb) => eb.ref('bed'))
    .where('printers.deletedAt', 'is', null)
    .where('queueBeds.printerId', '>', afterId)
    .orderBy('queueBeds.printerId')
    .limit(limit),
)

/** These printers were seen to stand idle. */
export async function markSeen(db: Db, printerIds: readonly PrinterId[], now: Date): Promise<void> {
  if (printerIds.length === 0) return
  await db.updateTable('queueBeds').set({ seenAt: now }).where('printerId', 'in', printerIds).execute()
}

/** The state of a bed, and the one that was said to be clear. */
export async function findBed(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('queueBeds')
    .select(['bed', 'clearedBed'])
    .where('printerId', '=', printerId)
    .executeTakeFirst()
}
