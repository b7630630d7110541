import type { Selectable } from 'kysely'
import { sought, type PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Printers } from '../../../engines/db/types.gen.ts'
import { notFound } from '../../../http/errors.ts'
import type { Principal, PrinterPrincipal } from '../../../http/principal.ts'
import { type PrinterScope, printersVisibleTo } from './access.queries.ts'
import type { PrinterAction } from './roles.rules.ts'

type Printer = Selectable<Printers>
interface PrinterKey {
  readonly id: PrinterId
}

declare const may: unique symbol

/**
 * A printer (its row, or no more than its key) to which whoever asks may do `A`. This module alone makes one: what
 * changes a printer, or what hangs on it, takes it, and so cannot be reached without the check.
 */
export type Authorized<A extends PrinterAction, P extends PrinterKey = PrinterKey> = P & {
  readonly [may]: Readonly<Record<A, true>>
}

/** What may be asked for beside printers that are in use. */
type Beside = Pick<PrinterScope, 'withArchived' | 'withDeleted' | 'isOwn'>

/** The printers among these that the caller may do this to. */
export async function authorizePrinters<A extends PrinterAction>(
  { db }: { readonly db: Db },
  principal: Principal,
  ids: readonly number[],
  action: A,
  beside: Beside = {},
): Promise<Authorized<A, Printer>[]> {
  if (ids.length === 0) return []
  const rows = await printersVisibleTo(db, { ...beside, principal, action })
    .selectAll('printers')
    .where('printers.id', 'in', ids.map(sought<'printers'>))
    .execute()
  return rows as unknown as Authorized<A, Printer>[]
}

/** A printer that the caller may do this to; raises 404 for any other: another owner's simply is not there. */
export async function requirePrinter<A extends PrinterAction>(
  ctx: { readonly db: Db },
  principal: Principal,
  id: number,
  action: A,
  beside?: Beside,
): Promise<Authorized<A, Printer>> {
  const [printer] = await authorizePrinters(ctx, principal, [id], action, beside)
  if (printer === undefined) throw notFound()
  return printer
}

/** The printer of an agent, which its token names. */
export const ofAgent = ({ printerId }: Pick<PrinterPrincipal, 'printerId'>): Authorized<PrinterAction> =>
  authorized(printerId)

/** A printer to which the server does something by itself: the detector pauses it, a new one is linked. */
export const byServer = (printerId: PrinterId): Authorized<PrinterAction> => authorized(printerId)

const authorized = (id: PrinterId) => ({ id }) as Authorized<PrinterAction>
