import * as api from '@vigil/contract/files/queue.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { languageOf, route } from '../../../http/route.ts'
import { confirmBed, enableQueue, withdrawBed } from './beds.service.ts'
import { addEntry, changeEntry, moveEntry, removeEntry } from './entries.service.ts'
import { readQueue } from './queue.present.ts'

interface Asked {
  readonly principal: UserPrincipal
  readonly edge: Edge
  readonly request: FastifyRequest
}

/** The print queue of an account (docs/rules/files.md). Whatever changes it answers how it stands then. */
export function queueRoutes(app: FastifyInstance, ctx: Ctx): void {
  const queueOf = ({ principal, edge, request }: Asked) =>
    readQueue(ctx, principal.userId, { edge, language: languageOf(request) })

  route(app, api.getQueue, queueOf)
  route(app, api.addToQueue, async (call) => {
    await addEntry(ctx, call.principal, call.body)
    return await queueOf(call)
  })
  route(app, api.changeQueueEntry, async (call) => {
    await changeEntry(ctx, call.principal, call.params.id, call.body)
    return await queueOf(call)
  })
  route(app, api.removeFromQueue, async (call) => {
    await removeEntry(ctx, call.principal.userId, call.params.id)
    return await queueOf(call)
  })
  route(app, api.moveInQueue, async (call) => {
    await moveEntry(ctx, call.principal.userId, call.params.id, call.body)
    return await queueOf(call)
  })
  route(app, api.changeQueuePrinter, async (call) => {
    await enableQueue(ctx, call.principal, call.params.id, call.body.enabled)
    return await queueOf(call)
  })
  route(app, api.clearBed, async (call) => {
    await confirmBed(ctx, call.principal, call.params.id, call.body.bed)
    return await queueOf(call)
  })
  route(app, api.unclearBed, async (call) => {
    await withdrawBed(ctx, call.principal, call.params.id)
    return await queueOf(call)
  })
}
