import type { getPrint, listPrints, Print, PrintTotals, PrintWrite } from '@vigil/contract/prints/prints.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { PrinterAction } from '../../core/access/index.ts'
import { sharesOf } from '../../watch/detection/index.ts'
import { shotsOfPrints } from '../../watch/feedback/index.ts'
import { layersOfPrints } from '../../watch/first-layer/index.ts'
import { tell } from '../../core/presence/index.ts'
import { printerBasesOf } from '../../watch/printer-base/index.ts'
import * as list from './list.queries.ts'
import { requirePrint } from './prints.policy.ts'
import { presentFullPrint } from './prints.present.ts'
import { findFilesOf, type PrintRow } from '../lifecycle/prints.queries.ts'

type Query = Parsed<typeof getPrint, 'query'>
type ListQuery = Parsed<typeof listPrints, 'query'>

/** Who asks, and how addresses are to be written. */
export interface Asker {
  readonly principal: UserPrincipal
  readonly edge: Edge
}

/** Whose prints a query means. The mere presence of `with_deleted` counts, whatever its value. */
export const scopeOf = (
  { principal }: Pick<Asker, 'principal'>,
  action: PrinterAction,
  query?: Pick<Query, 'with_deleted'>,
): list.PrintScope => ({
  principal,
  action,
  withDeleted: query?.with_deleted !== undefined,
})

/** Which of them it means (docs/wire/rest.md 4). */
export function filterOf({
  from_date: from,
  to_date: to,
  timezone: timeZone,
  ...query
}: Query): list.PrintFilter {
  return {
    printerIds: query.filter_by_printer_ids,
    filter: query.filter,
    failed: query.failed,
    feedbackNeeded: query.feedback_needed,
    days: from && to && timeZone ? { from, to, timeZone } : null,
    uploaded: query.uploaded,
    q: query.q,
  }
}

/** Prints of their owner, a page of them (docs/wire/rest.md 4). */
export async function listOwnPrints(ctx: Ctx, asker: Asker, query: ListQuery): Promise<Print[]> {
  const rows = await list.findPrints(ctx.db, scopeOf(asker, 'see', query), filterOf(query), query)
  return await presentAll(ctx, asker, rows)
}

/** One of them; raises 404 for any other. */
export async function getOwnPrint(ctx: Ctx, asker: Asker, id: number, query: Query): Promise<Print> {
  const row = await list.findOnePrint(ctx.db, scopeOf(asker, 'see', query), filterOf(query), id)
  return await presentOne(ctx, asker, row)
}

/** What they come to. */
export async function totalsOf(ctx: Ctx, asker: Asker, query: Query): Promise<PrintTotals> {
  const zone = query.timezone ?? 'UTC'
  const rows = await list.sumPrints(ctx.db, scopeOf(asker, 'see', query), filterOf(query), zone)
  const sumsOf = (row: (typeof rows)[number] | undefined) => ({
    count: Number(row?.count ?? 0),
    print_time: row?.printTime ?? 0,
    filament_used: row?.filamentUsed ?? 0,
  })
  const all = rows.find(({ month }) => month === null)
  return {
    ...sumsOf(all),
    succeeded: Number(all?.succeeded ?? 0),
    cancelled: Number(all?.cancelled ?? 0),
    failed: Number(all?.failed ?? 0),
    failed_cancelled: Number(all?.failedCancelled ?? 0),
    running: Number(all?.running ?? 0),
    need_alert_overwrite: Number(all?.needAlertOverwrite ?? 0),
    months: rows
      .filter(({ month, count }) => month !== null && Number(count) > 0)
      .map((row) => ({ month: row.month, ...sumsOf(row) })),
  }
}

/** An owner's words about a print; raises 404 for one that is deleted or another's. */
export async function changeOwnPrint(
  ctx: Ctx,
  asker: Asker,
  id: number,
  { alert_overwrite, access_consented_at }: PrintWrite,
): Promise<Print> {
  const row = await list.writePrint(ctx.db, scopeOf(asker, 'edit'), id, {
    ...(alert_overwrite !== undefined && { alertOverwrite: alert_overwrite }),
    ...(access_consented_at !== undefined && {
      accessConsentedAt: access_consented_at && new Date(access_consented_at),
    }),
  })
  const print = await presentOne(ctx, asker, row)
  if (row?.printerId) tell(ctx, row.printerId, 'changed')
  return print
}

/** Deletes one; raises 404 where it is not there for the caller, as `query` has it. */
export async function deleteOwnPrint(ctx: Ctx, asker: Asker, id: number, query: Query): Promise<void> {
  const scope = scopeOf(asker, 'edit', query)
  if ((await list.findOnePrint(ctx.db, scope, filterOf(query), id)) === null) throw notFound()
  await deleteOwnPrints(ctx, asker, [id])
}

/** Deletes those among these that are the caller's. */
export async function deleteOwnPrints(ctx: Ctx, asker: Asker, ids: readonly number[]): Promise<void> {
  const at = new Date(ctx.clock.now())
  const gone = await list.markDeleted(ctx.db, scopeOf(asker, 'edit'), ids, at)
  ctx.log.info({ userId: asker.principal.userId, prints: gone.length }, 'prints were deleted')
  for (const printerId of new Set(gone.map((print) => print.printerId)))
    if (printerId !== null) tell(ctx, printerId, 'changed')
}

/** One of the caller's, whatever it is of; raises 404 for any other. */
export async function presentOwnPrint(ctx: Ctx, asker: Asker, id: number): Promise<Print> {
  const row = await requirePrint(ctx, asker.principal, id, 'see')
  return await presentOne(ctx, asker, row)
}

async function presentOne(ctx: Ctx, asker: Asker, row: PrintRow | null): Promise<Print> {
  const [print] = row === null ? [] : await presentAll(ctx, asker, [row])
  if (print === undefined) throw notFound()
  return print
}

/** Prints with all that they name: a constant number of statements, however many prints. */
async function presentAll(ctx: Ctx, { principal, edge }: Asker, rows: readonly PrintRow[]): Promise<Print[]> {
  const ids = rows.map(({ id }) => id)
  const [files, printers, layers, shots, shares] = await Promise.all([
    findFilesOf(ctx.db, rows),
    printerBasesOf(
      ctx,
      principal,
      rows.flatMap(({ printerId }) => printerId ?? []),
    ),
    layersOfPrints(ctx, principal, ids, edge),
    shotsOfPrints(ctx, ids, edge),
    sharesOf(ctx.db, rows),
  ])
  return rows.map((row) => {
    const printer = printers.get(row.printerId ?? -1) ?? null
    const file = files.get(row.gCodeFileId ?? -1) ?? null
    const watched = shares.get(row.id) ?? null
    const beside = { layers: layers.get(row.id) ?? [], shots: shots.get(row.id) ?? [], watched }
    return presentFullPrint(ctx, row, { printer, file, ...beside }, edge)
  })
}
