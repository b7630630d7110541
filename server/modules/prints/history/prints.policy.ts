import type { Db } from '../../../engines/db/port.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { PrinterAction } from '../../core/access/index.ts'
import { findOnePrint } from './list.queries.ts'
import type { PrintRow } from '../lifecycle/prints.queries.ts'

const WHATEVER = {
  printerIds: [],
  filter: 'none',
  feedbackNeeded: 'none',
  days: null,
  uploaded: undefined,
  failed: undefined,
} as const

/** A print that is not deleted and to whose printer the caller may do this; raises 404 for any other. */
export async function requirePrint(
  { db }: { readonly db: Db },
  principal: UserPrincipal,
  printId: number,
  action: PrinterAction,
): Promise<PrintRow> {
  const print = await findOnePrint(db, { principal, action, withDeleted: false }, WHATEVER, printId)
  if (print === null) throw notFound()
  return print
}
