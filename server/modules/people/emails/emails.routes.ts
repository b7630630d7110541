import * as contract from '@vigil/contract/people/emails.ts'
import type { FastifyInstance } from 'fastify'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { route } from '../../../http/route.ts'
import { requireProof } from '../proof/proof.service.ts'
import { type AddressRow, findAddresses } from './emails.queries.ts'
import {
  LIMITS,
  addAddress,
  confirmLinked,
  makePrimary,
  removeAddress,
  resendLink,
  shownAddress,
} from './emails.service.ts'

const present = ({ id, email, verified, isPrimary }: AddressRow): contract.EmailAddress => ({
  id,
  email,
  verified,
  primary: isPrimary,
})

/** Addresses of a user, and the links that confirm them (docs/rules/people.md 5). */
export function emailRoutes(app: FastifyInstance, ctx: Ctx): void {
  const counted = ({ userId }: { userId: UserId }) =>
    spend(ctx, { limit: LIMITS.manage, who: String(userId) })

  route(app, contract.listEmails, async ({ principal }) =>
    (await findAddresses(ctx.db, principal.userId)).map(present),
  )
  route(app, contract.addEmail, async ({ principal, body }) => {
    await requireProof(ctx, principal)
    await counted(principal)
    return present(await addAddress(ctx, principal, body.email))
  })
  route(app, contract.makePrimaryEmail, async ({ principal, params }) => {
    await requireProof(ctx, principal)
    await counted(principal)
    return present(await makePrimary(ctx, principal, params.id))
  })
  route(app, contract.resendEmail, async ({ principal, params }) => {
    await counted(principal)
    return present(await resendLink(ctx, principal, params.id))
  })
  route(app, contract.removeEmail, async ({ principal, params }) => {
    await requireProof(ctx, principal)
    await counted(principal)
    await removeAddress(ctx, principal, params.id)
    return null
  })
  route(app, contract.showConfirmation, async ({ query, edge }) => {
    await spend(ctx, ...byAddress(LIMITS.confirm, edge.address))
    const { email, verified } = await shownAddress(ctx, query.key)
    return { email, verified }
  })
  route(app, contract.confirmEmail, async ({ body, edge }) => {
    await spend(ctx, ...byAddress(LIMITS.confirm, edge.address))
    const { email, verified } = await confirmLinked(ctx, body.key)
    return { email, verified }
  })
}
