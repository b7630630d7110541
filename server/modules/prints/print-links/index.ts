import * as api from '@vigil/contract/prints/print-links.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { stream } from '../../../http/stream.ts'
import { makeLink, openShared, readLink, readShared, revokeLink } from './print-links.service.ts'

/** Links that show the time-lapse of one print to whoever has them: off until the owner makes one. */
export function registerPrintLinks(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getPrintLink, (call) => readLink(ctx, call, call.params.id))
  route(app, api.makePrintLink, (call) => makeLink(ctx, call, call.params.id))
  route(app, api.revokePrintLink, (call) => revokeLink(ctx, call, call.params.id))
  route(app, api.getSharedTimelapse, ({ query, edge }) => readShared(ctx, query.share_token, edge))
  stream(app, { path: '/api/v1p/timelapse/:token/:file', callers: ['anyone'] }, ({ params }) =>
    openShared(ctx, params['token'], params['file']),
  )
}
