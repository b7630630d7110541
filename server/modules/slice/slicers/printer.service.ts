import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { inNameOf, type SlicerPrincipal, type UserPrincipal } from '../../../http/principal.ts'
import { type Text, text } from '../../../http/texts.ts'
import { type Authorized, authorizePrinters, printersVisibleTo } from '../../core/access/index.ts'

export type Slicer = SlicerPrincipal | UserPrincipal

/** A printer that a slicer's file may be printed on, or why there is none. */
type Choice = { readonly printer: Authorized<'control'> & { readonly name: string } } | { readonly why: Text }

const why = (key: string): Choice => ({ why: text('slicers-server', key) })

/** The printer that a key names; for one that names none the only printer of its user. Archived ones do not count. */
export async function printerOf(ctx: Ctx, slicer: Slicer): Promise<Choice> {
  const person = inNameOf(slicer)
  const bound = slicer.kind === 'slicer' ? slicer.printerId : null
  const ids = bound === null ? await firstTwo(ctx, person) : [bound]
  const printers = await authorizePrinters(ctx, person, ids, 'control', { isOwn: true })
  const [printer] = printers
  if (printer === undefined) return why(bound === null ? 'noPrinter' : 'printerGone')
  return printers.length === 1 ? { printer } : why('whichPrinter')
}

async function firstTwo({ db }: Ctx, principal: UserPrincipal): Promise<number[]> {
  const rows = await printersVisibleTo(db, { principal, action: 'control', isOwn: true })
    .select('printers.id')
    .orderBy('printers.id')
    .limit(2)
    .execute()
  return rows.map(({ id }) => id)
}

/** As OctoPrint refuses what needs a printer that can print. */
export const notOperational = (reason: Text) => new AppError(409, { error: reason })
