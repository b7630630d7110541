import { getPrint, listPrints } from '@vigil/contract/prints.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { notFound } from '../../http/errors.ts'
import type { UserPrincipal } from '../../http/principal.ts'
import { route } from '../../http/route.ts'
import { presentFullPrint } from './prints.present.ts'
import { findFilesOf, findOnePrint, findPrints, type PrintFilter, type PrintScope } from './prints.queries.ts'

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

/** Prints of their owner (api-contract 1.9). */
export function printRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, listPrints, async ({ principal, query, edge }) => {
    const rows = await findPrints(ctx.db, scopeOf(principal, query), filterOf(query), query)
    const files = await findFilesOf(ctx.db, rows)
    return rows.map((row) => presentFullPrint(ctx, row, files, edge))
  })

  route(app, getPrint, async ({ principal, params, query, edge }) => {
    const row = await findOnePrint(ctx.db, scopeOf(principal, query), filterOf(query), params.id)
    if (row === null) throw notFound()
    return presentFullPrint(ctx, row, await findFilesOf(ctx.db, [row]), edge)
  })
}
