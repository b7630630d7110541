import * as contract from '@vigil/contract/people/household.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { findAudit } from './audit.queries.ts'
import { presentAudit } from './household.present.ts'
import { changeMember, invite, listMembers, orderMembers, requireRule } from './household.service.ts'
import { accept, listHouseholds, removeMember, showInvitation } from './joining.service.ts'

export { onShared, requireRule, ruledBy } from './household.service.ts'

/** Whom an account lets in to its printers, and what they did there (docs/rules/people.md 16). */
export function registerHousehold(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listHouseholds, ({ principal }) => listHouseholds(ctx, principal))
  route(app, contract.listMembers, ({ principal, params }) => listMembers(ctx, principal, params.account))
  route(app, contract.inviteMember, ({ principal, params, body }) =>
    invite(ctx, principal, params.account, body),
  )
  route(app, contract.changeMember, ({ principal, params, body }) =>
    changeMember(ctx, principal, params, body),
  )
  route(app, contract.removeMember, async ({ principal, params }) => {
    await removeMember(ctx, principal, params)
    return null
  })
  route(app, contract.orderMembers, ({ principal, params, body }) =>
    orderMembers(ctx, principal, params.account, body.member_ids),
  )
  route(app, contract.showInvitation, ({ query, edge }) => showInvitation(ctx, query.key, edge.address))
  route(app, contract.acceptInvitation, ({ principal, body, edge }) =>
    accept(ctx, principal, body.key, edge.address),
  )
  route(app, contract.listAudit, async ({ principal, params, query }) => {
    const { id } = await requireRule(ctx, principal, params.account)
    return (await findAudit(ctx.db, id, query)).map(presentAudit)
  })
}
