import * as contract from '@vigil/contract/people/passwords.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { accountBrandOf } from '../../../http/brands.ts'
import { route } from '../../../http/route.ts'
import { browserOf } from '../../../http/session-cookie.ts'
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
  route(app, contract.changePassword, async ({ principal, body, request }) => {
    const { userId, sessionId } = principal
    await requireProof(ctx, principal, { gavePassword: true })
    const browser = browserOf(request)
    await changePassword(ctx, { userId, sessionId, browser, old: body.old, password: body.new })
    return null
  })
  route(app, contract.setFirstPassword, async ({ principal, body, request }) => {
    const { userId, sessionId } = principal
    await requireProof(ctx, principal)
    await setFirstPassword(ctx, { userId, sessionId, browser: browserOf(request), password: body.new })
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
  route(app, contract.confirmReset, async ({ body, edge, request }) => {
    await confirmReset(ctx, { ...body, edge, browser: browserOf(request) })
    return null
  })
  handleResets(ctx)
}
