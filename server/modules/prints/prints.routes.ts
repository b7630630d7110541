import { getPrint, listPrints } from '@vigil/contract/prints.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { presentFullPrint } from './prints.present.ts'
import { findFilesOf, findOnePrint, findPrints } from './prints.queries.ts'

/** Prints of their owner (api-contract 1.9). */
export function printRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, listPrints, async ({ principal, query, edge }) => {
    const scope = { principal, withDeleted: query.with_deleted !== undefined }
    const rows = await findPrints(ctx.db, scope, { ...query, printerIds: query.filter_by_printer_ids })
    const files = await findFilesOf(ctx.db, rows)
    return rows.map((row) => presentFullPrint(ctx, row, files, edge))
  })

  route(app, getPrint, async ({ principal, params, query, edge }) => {
    const scope = { principal, withDeleted: query.with_deleted !== undefined }
    const row = await findOnePrint(ctx.db, scope, params.id)
    if (row === null) throw notFound()
    return presentFullPrint(ctx, row, await findFilesOf(ctx.db, [row]), edge)
  })
}
