import { deletePrinterFile } from '@vigil/contract/remote/printer-files.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { deleteFile } from './delete.service.ts'

/** Files that lie on printers: read by browsers through `passthru`, deleted by the server alone, which looks first. */
export function registerPrinterFiles(app: FastifyInstance, ctx: Ctx): void {
  route(app, deletePrinterFile, async ({ principal, params, body }) => {
    const printer = await requirePrinter(ctx, principal, params.id, 'edit')
    const actor = principal.via === 'session' ? 'web' : 'api'
    const refused = await deleteFile(ctx, {
      printer,
      path: body.path,
      by: { actor, userId: actorOf(principal) },
    })
    if (refused === null) return null
    const { reason, words } = refused
    throw new AppError(409, { detail: text('printer-files-server', reason, { words: words ?? '' }), reason })
  })
}
