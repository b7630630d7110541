import type { Selectable, Updateable } from 'kysely'
import type { Db } from '../../engines/db/port.ts'
import type { PrinterExts } from '../../engines/db/types.gen.ts'
import { type PrinterScope, printersVisibleTo } from '../access/index.ts'

export type ExtRow = Selectable<PrinterExts>
export type ExtChange = Updateable<PrinterExts>

/** What applies until an owner changes something (docs/wire/agents.md 3.5). */
const DEFAULTS = {
  nozzlecamUrl: null,
  firstLayerScanOptedIn: true,
  firstLayerScanZhop: 4,
  firstLayerScanRetract: 6.5,
  firstLayerScanRetractSpeed: 15,
  firstLayerScanCooldownTemp: 170,
}

/** Nozzle-camera settings of a printer that the caller may do this to; undefined when there is none. */
export async function findExt(db: Db, scope: PrinterScope, printerId: number): Promise<ExtRow | undefined> {
  const printer = await printersVisibleTo(db, scope)
    .select(['printers.id', 'printers.createdAt'])
    .where('printers.id', '=', printerId)
    .executeTakeFirst()
  if (printer === undefined) return undefined
  const row = await db
    .selectFrom('printerExts')
    .selectAll()
    .where('printerId', '=', printerId)
    .executeTakeFirst()
  return row ?? { printerId, ...DEFAULTS, updatedAt: printer.createdAt }
}

/** Writes settings of a printer; the first time, what is not given is the default. */
export async function writeExt(db: Db, printerId: number, change: ExtChange): Promise<ExtRow> {
  const values = { ...change, updatedAt: new Date() }
  return await db
    .insertInto('printerExts')
    .values({ ...DEFAULTS, ...values, printerId })
    .onConflict((conflict) => conflict.column('printerId').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}
