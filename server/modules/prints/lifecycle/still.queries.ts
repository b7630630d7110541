import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'

/** Whether a print has an event of its beginning that shows nothing. */
export async function hasNoPicture(db: Db, printId: PrintId): Promise<boolean> {
  const row = await db
    .selectFrom('printerEvents')
    .select('id')
    .where('printId', '=', printId)
    .where('eventType', '=', 'STARTED')
    .where('image', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Gives that event its picture; false where there is none any more. */
export async function writePicture(db: Db, printId: PrintId, still: MediaRef): Promise<boolean> {
  const result = await db
    .updateTable('printerEvents')
    .set({ image: JSON.stringify(still) })
    .where('printId', '=', printId)
    .where('eventType', '=', 'STARTED')
    .where('image', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
