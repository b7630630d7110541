import * as api from '@vigil/contract/printers/printers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { languageOf, route } from '../../../http/route.ts'
import { findHeat } from '../../watch/detection/index.ts'
import { listNames, listPrinters } from './list.service.ts'
import * as service from './printers.service.ts'

const asker = (call: {
  principal: UserPrincipal
  edge: Edge
  request: FastifyRequest
  query?: { with_archived?: string | undefined } | undefined
}) => ({
  principal: call.principal,
  edge: call.edge,
  language: languageOf(call.request),
  // Exactly the lower-case word (docs/wire/rest.md 6).
  withArchived: call.query?.with_archived === 'true',
})

/** REST of printers for their owners (docs/wire/rest.md 6). */
export function printerRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listPrinters, ({ principal, ...call }) =>
    principal.kind === 'slicer'
      ? listNames(ctx, principal)
      : listPrinters(ctx, asker({ ...call, principal })),
  )
  route(app, api.createPrinter, (call) =>
    service.createPrinter(ctx, asker({ ...call, query: undefined }), call.body),
  )
  route(app, api.getPrinter, (call) => service.getPrinter(ctx, asker(call), call.params.id))
  route(app, api.replacePrinter, (call) => service.updatePrinter(ctx, asker(call), call.params.id, call.body))
  route(app, api.updatePrinter, async (call) => ({
    succeeded: true,
    printer: await service.updatePrinter(ctx, asker(call), call.params.id, call.body),
  }))
  route(app, api.deletePrinter, async (call) => {
    await service.removePrinter(ctx, asker(call), call.params.id, 'deleted')
    return null
  })
  for (const endpoint of [api.unarchivePrinter, api.unarchivePrinterEnt])
    route(app, endpoint, async (call) => {
      await service.unarchivePrinter(ctx, asker({ ...call, query: undefined }), call.params.id)
      return null
    })
  route(app, api.archivePrinter, async (call) => {
    await service.removePrinter(ctx, asker({ ...call, query: undefined }), call.params.id, 'archived')
    return null
  })
  route(app, api.getHeat, ({ principal, params, query }) =>
    heatOf(ctx, { principal, printerId: params.id, ofAlert: query.alert === 'true' }),
  )
  printRoutes(app, ctx)
}

/** What is asked of the print that runs. */
function printRoutes(app: FastifyInstance, ctx: Ctx): void {
  for (const [endpoint, cmd] of [
    [api.pausePrint, 'pause'],
    [api.resumePrint, 'resume'],
    [api.cancelPrint, 'cancel'],
  ] as const) {
    route(app, endpoint, (call) =>
      service.command(ctx, asker({ ...call, query: undefined }), { ...call.query, id: call.params.id }, cmd),
    )
  }
  route(app, api.muteCurrentPrint, (call) =>
    service.muteCurrentPrint(
      ctx,
      asker({ ...call, query: undefined }),
      { ...call.query, id: call.params.id },
      call.query.mute_alert === 'true',
    ),
  )
  route(app, api.acknowledgeAlert, (call) =>
    service.acknowledgeAlert(
      ctx,
      asker({ ...call, query: undefined }),
      { ...call.query, id: call.params.id },
      call.query.alert_overwrite ?? null,
    ),
  )
}

/**
 * The heat map of the last look at the current print, or of the look that its alert's picture shows; null when
 * there is none, or the detector draws none (docs/detector.md). Raises 404 for a printer that is not the caller's.
 */
async function heatOf(
  ctx: Ctx,
  { principal, printerId, ofAlert }: { principal: UserPrincipal; printerId: number; ofAlert: boolean },
): Promise<api.Heat | null> {
  const { print, alertSight } = await service.viewFor(ctx, { principal, action: 'see' }, printerId)
  if (print === null || (ofAlert && alertSight === null)) return null
  const found = await findHeat(ctx.db, print.id, ofAlert ? alertSight?.at : undefined)
  if (!found?.heat) return null
  const { width, height, values } = found.heat
  return { taken_at: found.at.toISOString(), width, height, values }
}
