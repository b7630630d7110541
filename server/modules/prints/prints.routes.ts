import { getPrint, listPrints, type Print } from '@vigil/contract/prints.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import type { Edge } from '../../http/edge.ts'
import { notFound } from '../../http/errors.ts'
import type { UserPrincipal } from '../../http/principal.ts'
import { route } from '../../http/route.ts'
import { layersOfPrints } from '../firstlayer/index.ts'
import { printerBasesOf } from '../printerbase/index.ts'
import { presentFullPrint } from './prints.present.ts'
import {
  findFilesOf,
  findOnePrint,
  findPrints,
  type PrintFilter,
  type PrintRow,
  type PrintScope,
} from './prints.queries.ts'

type Query = Parsed<typeof getPrint, 'query'>

/** The mere presence of `with_deleted` counts, whatever its value. */
const scopeOf = (principal: UserPrincipal, { with_deleted }: Query): PrintScope => ({
  principal,
  withDeleted: with_deleted !== undefined,
})

function filterOf({ from_date: from, to_date: to, timezone: timeZone, ...query }: Query): PrintFilter {
  return {
    printerIds: query.filter_by_printer_ids,
    filter: query.filter,
    feedbackNeeded: query.feedback_needed,
    days: from && to && timeZone ? { from, to, timeZone } : null,
  }
}

/** Prints of their owner (docs/wire/rest.md 4). */
export function printRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, listPrints, async ({ principal, query, edge }) => {
    const rows = await findPrints(ctx.db, scopeOf(principal, query), filterOf(query), query)
    return await presentAll(ctx, principal, rows, edge)
  })

  route(app, getPrint, async ({ principal, params, query, edge }) => {
    const row = await findOnePrint(ctx.db, scopeOf(principal, query), filterOf(query), params.id)
    if (row === null) throw notFound()
    const [print] = await presentAll(ctx, principal, [row], edge)
    return print!
  })
}

/** Prints with all that they name: a constant number of statements, however many prints. */
async function presentAll(
  ctx: Ctx,
  principal: UserPrincipal,
  rows: readonly PrintRow[],
  edge: Edge,
): Promise<Print[]> {
  const [files, printers, layers] = await Promise.all([
    findFilesOf(ctx.db, rows),
    printerBasesOf(
      ctx,
      principal,
      rows.flatMap(({ printerId }) => printerId ?? []),
    ),
    layersOfPrints(
      ctx,
      principal,
      rows.map(({ id }) => id),
      edge,
    ),
  ])
  return rows.map((row) => {
    const printer = printers.get(row.printerId ?? -1) ?? null
    const file = files.get(row.gCodeFileId ?? -1) ?? null
    return presentFullPrint(ctx, row, { printer, file, layers: layers.get(row.id) ?? [] }, edge)
  })
}
