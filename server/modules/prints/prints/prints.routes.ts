import * as api from '@vigil/contract/prints/prints.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { movedPage } from '../../../http/pages.ts'
import { route } from '../../../http/route.ts'
import * as service from '../history/list.service.ts'

/** Prints of their owner (docs/wire/rest.md 4). */
export function printRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listPrints, (call) => service.listOwnPrints(ctx, call, call.query))
  route(app, api.getPrintTotals, (call) => service.totalsOf(ctx, call, call.query))
  route(app, api.getPrint, (call) => service.getOwnPrint(ctx, call, call.params.id, call.query))
  for (const endpoint of [api.updatePrint, api.replacePrint])
    route(app, endpoint, (call) => service.changeOwnPrint(ctx, call, call.params.id, call.body))
  route(app, api.deletePrint, async (call) => {
    await service.deleteOwnPrint(ctx, call, call.params.id, call.query)
    return null
  })
  route(app, api.deletePrints, async (call) => {
    await service.deleteOwnPrints(ctx, call, call.body.print_ids)
    return null
  })
  movedPage(app, '/prints/', '/print_history/')
}
