import type { PrinterBase } from '@vigil/contract/watch/printer-base.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Principal } from '../../../http/principal.ts'
import { readPresences } from '../../core/presence/index.ts'
import { holdsToken, presentPrinterBase, stateOf } from './printer-base.present.ts'
import { findStateRows } from './printer-base.queries.ts'

export { holdsToken, presentPrinterBase, stateOf } from './printer-base.present.ts'
export type { PrinterRow } from './printer-base.queries.ts'

/**
 * Printers as their prints name them, by id, deleted and archived ones included; what the caller may not see is not in
 * it. One statement however many they are (docs/wire/rest.md 5, 2).
 */
export async function printerBasesOf(
  ctx: Ctx,
  principal: Principal,
  ids: Iterable<number>,
): Promise<Map<number, PrinterBase>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await findStateRows(ctx.db, principal, wanted)
  const known = await readPresences(
    ctx,
    rows.map(({ printer }) => printer.id),
  )
  return new Map(
    rows.map((row, i) => {
      const { watch } = stateOf(ctx, row, known[i]!)
      return [
        row.printer.id,
        presentPrinterBase(row.printer, watch.reason, holdsToken(principal, row.printer)),
      ]
    }),
  )
}
