import {
  getCloudPrint,
  listCloudPrints,
  startCloudPrint as start,
} from '@vigil/contract/files/cloud-prints.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { languageOf, route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { findOwnFile } from '../gcode-files/index.ts'
import * as queries from './cloud-prints.queries.ts'
import { presentCloudPrint } from './cloud-prints.present.ts'
import { startCloudPrint } from './cloud-prints.service.ts'

/** Printing files of the cloud (docs/wire/rest.md 9). */
export function cloudPrintRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, start, async ({ principal, body, request, reply }) => {
    const printer = await requirePrinter(ctx, principal, body.printer, 'control', { isOwn: true })
    const file = await findOwnFile(ctx.db, principal.userId, body.g_code_file)
    if (file === null) throw notFound()
    const actor = principal.via === 'session' ? 'web' : 'api'
    const answer = await startCloudPrint(ctx, {
      printer,
      fileId: file.id,
      by: { actor, userId: actorOf(principal) },
    })
    if (!answer.ok) throw new AppError(409, { detail: answer.text, reason: answer.reason })
    if (!answer.isNew) reply.status(200)
    return presentCloudPrint(answer.cloudPrint, languageOf(request))
  })
  route(app, getCloudPrint, async ({ principal, params, request }) => {
    const row = await queries.findCloudPrint(ctx.db, params.id, principal.userId)
    if (row === null) throw notFound()
    return presentCloudPrint(row, languageOf(request))
  })
  route(app, listCloudPrints, async ({ principal, query, request }) => {
    const rows = await queries.listCloudPrints(ctx.db, principal.userId, {
      printer: query.printer,
      fileId: query.g_code_file,
      isUnderWay: query.under_way === 'true',
    })
    return rows.map((row) => presentCloudPrint(row, languageOf(request)))
  })
}
