import * as contract from '@vigil/contract/people/passwords.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { accountBrandOf } from '../../../http/brands.ts'
import { route } from '../../../http/route.ts'
import { requireProof } from '../proof/proof.service.ts'
import {
  askReset,
  changePassword,
  checkReset,
  confirmReset,
  handleResets,
  setFirstPassword,
} from './passwords.service.ts'

/** A new password: with the old one, by a link in a letter, or for the first time (docs/rules/people.md 6). */
export function passwordRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.changePassword, async ({ principal, body }) => {
    const { userId, sessionId } = principal
    await requireProof(ctx, principal, { gavePassword: true })
    await changePassword(ctx, { userId, sessionId, old: body.old, password: body.new })
    return null
  })
  route(app, contract.setFirstPassword, async ({ principal, body }) => {
    const { userId, sessionId } = principal
    await requireProof(ctx, principal)
    await setFirstPassword(ctx, { userId, sessionId, password: body.new })
    return null
  })
  route(app, contract.askReset, async ({ body, edge, request }) => {
    await askReset(ctx, { brand: accountBrandOf(request, ctx).name, email: body.email, edge })
    return null
  })
  route(app, contract.checkReset, async ({ query, edge }) => {
    await checkReset(ctx, { ...query, edge })
    return null
  })
  route(app, contract.confirmReset, async ({ body, edge }) => {
    await confirmReset(ctx, { ...body, edge })
    return null
  })
  handleResets(ctx)
}
