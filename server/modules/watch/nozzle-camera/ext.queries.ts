import type { Selectable, Updateable } from 'kysely'
import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PrinterExts } from '../../../engines/db/types.gen.ts'
import type { Authorized } from '../../core/access/index.ts'

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

/** Nozzle-camera settings of a printer. */
export async function findExt(
  db: Db,
  { id: printerId, createdAt }: { readonly id: PrinterId; readonly createdAt: Date },
): Promise<ExtRow> {
  const row = await db
    .selectFrom('printerExts')
    .selectAll()
    .where('printerId', '=', printerId)
    .executeTakeFirst()
  return row ?? { printerId, ...DEFAULTS, updatedAt: createdAt }
}

/** Writes settings of a printer; the first time, what is not given is the default. */
export async function writeExt(
  db: Db,
  { id: printerId }: Authorized<'edit'>,
  change: ExtChange,
): Promise<ExtRow> {
  const values = { ...change, updatedAt: new Date() }
  return await db
    .insertInto('printerExts')
    .values({ ...DEFAULTS, ...values, printerId })
    .onConflict((conflict) => conflict.column('printerId').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}
