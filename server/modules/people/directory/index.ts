import * as contract from '@vigil/contract/people/directory.ts'
import * as payments from '@vigil/contract/shop/payments.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { requireAdmin } from '../accounts/index.ts'
import { actAs, noteActed, stopActing } from './acting.service.ts'
import { personPayments, refundPerson } from './refunds.service.ts'
import { changePerson, listPeople, resetFactors, showPerson } from './directory.service.ts'

/** People who have an account, as administrators look after them, and acting as one of them (docs/rules/people.md 17). */
export function registerDirectory(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listPeople, async (call) => listPeople(ctx, await requireAdmin(ctx, call), call.query))
  route(app, contract.getPerson, async (call) =>
    showPerson(ctx, await requireAdmin(ctx, call), call.params.id),
  )
  route(app, contract.changePerson, async (call) => {
    const admin = await requireAdmin(ctx, call)
    const wish = { id: call.params.id, change: call.body }
    return await changePerson(ctx, { admin, principal: call.principal }, wish)
  })
  route(app, contract.resetPersonFactors, async (call) => {
    const admin = await requireAdmin(ctx, call)
    return await resetFactors(ctx, { admin, principal: call.principal }, call.params.id)
  })
  route(app, payments.listPersonPayments, async (call) => {
    const admin = await requireAdmin(ctx, call)
    return await personPayments(ctx, admin, call.params.id)
  })
  route(app, payments.refundPayment, async (call) => {
    const admin = await requireAdmin(ctx, call)
    const wish = { ...call.params, endPlan: call.body.end_plan }
    return await refundPerson(ctx, { admin, principal: call.principal }, wish)
  })
  route(app, contract.actAs, async (call) => {
    const admin = await requireAdmin(ctx, call)
    const wish = { id: call.params.id, reason: call.body.reason }
    return await actAs(ctx, { admin, principal: call.principal }, wish)
  })
  route(app, contract.stopActing, async ({ principal }) => {
    await stopActing(ctx, principal)
    return null
  })
  app.addHook('onResponse', async (request, reply) => {
    await noteActed(ctx, request, reply.statusCode).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'what an administrator did as somebody else was not written down'),
    )
  })
}
