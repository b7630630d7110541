import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** The newest prints of an account of which there are pictures. */
export async function findPictured(db: Db, userId: UserId, limit: number) {
  return await db
    .selectFrom('prints')
    .leftJoin('printers', 'printers.id', 'prints.printerId')
    .select(['prints.id', 'prints.filename', 'prints.startedAt', 'printers.name as printerName'])
    .where('prints.userId', '=', userId)
    .where('prints.deletedAt', 'is', null)
    .where((eb) =>
      eb.exists(eb.selectFrom('frames').select('frames.id').whereRef('frames.printId', '=', 'prints.id')),
    )
    .orderBy('prints.id', 'desc')
    .limit(limit)
    .execute()
}
