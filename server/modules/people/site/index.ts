import * as contract from '@vigil/contract/people/site.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { requireAdmin } from '../accounts/index.ts'
import { changeBrand, followSite, showSite, turnFlag } from './site.service.ts'

/** Brands and settings that administrators may change while the server runs (docs/rules/people.md 19). */
export function registerSite(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.getSite, async (call) => {
    await requireAdmin(ctx, call)
    return await showSite(ctx)
  })
  route(app, contract.changeBrand, async (call) => {
    const admin = await requireAdmin(ctx, call)
    return await changeBrand(ctx, { admin, principal: call.principal }, call.params.name, call.body)
  })
  route(app, contract.resetBrand, async (call) => {
    const admin = await requireAdmin(ctx, call)
    return await changeBrand(ctx, { admin, principal: call.principal }, call.params.name, null)
  })
  route(app, contract.turnFlag, async (call) => {
    const admin = await requireAdmin(ctx, call)
    return await turnFlag(ctx, { admin, principal: call.principal }, call.params.name, call.body.value)
  })
  let stopFollowing: (() => void) | undefined
  app.addHook('onReady', async () => {
    stopFollowing = await followSite(ctx)
  })
  app.addHook('onClose', () => stopFollowing?.())
}
