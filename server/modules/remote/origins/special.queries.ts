import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** What apps are told of a tunnel's printer. */
export async function findFacts(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('printers')
    .leftJoin('printerPredictions', 'printerPredictions.printerId', 'printers.id')
    .select(['printers.name', 'printers.agentName', 'printerPredictions.normalizedP'])
    .where('printers.id', '=', printerId)
    .executeTakeFirst()
}
