import { z } from 'zod'
import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Where the detector saw signs of failure: `values` row by row, a byte a cell in base64, 255 for a score of 1. */
const heatMap = z.object({ width: z.int(), height: z.int(), values: z.string() })

interface HeatRow {
  readonly at: Date
  readonly heat: Readonly<z.infer<typeof heatMap>> | null
}

/** The heat map of a look at a print: of the one at `at`, or of the newest; undefined when there was none. */
export async function findHeat(db: Db, printId: PrintId, at?: Date): Promise<HeatRow | undefined> {
  let query = db
    .selectFrom('decisions')
    .select(['createdAt as at', 'heat'])
    .where('printId', '=', printId)
    .orderBy('createdAt', 'desc')
    .limit(1)
  if (at !== undefined) query = query.where('createdAt', '=', at)
  const row = await query.executeTakeFirst()
  return row && { at: row.at, heat: heatMap.safeParse(row.heat).data ?? null }
}
