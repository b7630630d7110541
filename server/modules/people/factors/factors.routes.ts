import type { User } from '@vigil/contract/people/accounts.ts'
import * as contract from '@vigil/contract/people/factors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { badRequest, forbidden, invalid, notFound } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { route } from '../../../http/route.ts'
import { browserOf } from '../../../http/session-cookie.ts'
import { text } from '../../../http/texts.ts'
import { meansOf, requireProof } from '../proof/proof.service.ts'
import type { Opened } from '../sessions/opening.service.ts'
import { findUser } from '../users/users.queries.ts'
import { LIMITS } from '../users/users.rules.ts'
import { totpUri } from './codes.rules.ts'
import { enterByFactor, enterByPasskey, holderOf } from './entering.service.ts'
import { deletePasskey, deleteTotp, findPasskeys, findReset, type PasskeyRow } from './factors.queries.ts'
import { beginTotp, confirmTotp, makeCodes, prove, removed } from './factors.service.ts'
import { tellOfFactors } from './news.service.ts'
import { askForNew, askForPasskey, keepPasskey } from './passkeys.service.ts'
import { lookAfterResets, object, objectByLink } from './resets.service.ts'

const MOST_PASSKEYS = 20

const present = (row: PasskeyRow): contract.Passkey => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
})

/** Gives a browser its session. */
type Answer = (opened: Opened, request: FastifyRequest, reply: FastifyReply, link?: string) => Promise<User>

/** The second factor: shown at sign-in and before what is dangerous, set up and removed (docs/rules/people.md 10). */
export function factorRoutes(app: FastifyInstance, ctx: Ctx, answer: Answer): void {
  enteringRoutes(app, ctx, answer)
  totpRoutes(app, ctx)
  passkeyRoutes(app, ctx)
  route(app, contract.prove, async ({ principal, body, edge }) => {
    await prove(ctx, principal, { ...body, edge })
    return null
  })
  route(app, contract.showFactors, async ({ principal: { userId } }) => {
    const { factors, codesLeft, hasPassword } = await meansOf(ctx, userId)
    return {
      totp: factors.includes('totp'),
      passkeys: (await findPasskeys(ctx.db, userId)).map(present),
      recovery_codes_left: codesLeft,
      has_password: hasPassword,
      reset_at: (await findReset(ctx.db, userId))?.dueAt?.toISOString() ?? null,
    }
  })
  route(app, contract.renewRecoveryCodes, async ({ principal }) => {
    await requireProof(ctx, principal)
    const { userId } = principal
    if ((await meansOf(ctx, userId)).factors.length === 0)
      throw badRequest(text('security-server', 'noFactor'))
    return await ctx.db.transaction().execute(async (db) => {
      const codes = await makeCodes({ ...ctx, db }, userId)
      await tellOfFactors({ ...ctx, db }, { userId, kind: 'codesRenewed' })
      return { recovery_codes: codes }
    })
  })
  route(app, contract.keepFactors, async ({ principal, body, edge }) => {
    if (body.link !== undefined) await objectByLink(ctx, body.link, edge)
    else if (principal.kind === 'user' && principal.sessionId !== null)
      await object(ctx, principal.userId, `user:${principal.userId}`)
    else throw forbidden()
    return null
  })
  ctx.jobs.schedule('factor-resets', '* * * * *', () => lookAfterResets(ctx))
}

function enteringRoutes(app: FastifyInstance, ctx: Ctx, answer: Answer): void {
  route(app, contract.loginFactor, async ({ body, edge, request, reply }) => {
    const from = { edge, browser: browserOf(request) }
    return await answer(
      await enterByFactor(ctx, { ...from, ticket: body.ticket, shown: body }),
      request,
      reply,
      body.link,
    )
  })
  route(app, contract.askPasskey, async ({ principal, body, edge }) => {
    await spend(ctx, ...byAddress(LIMITS.login, edge.address))
    const userId =
      body.ticket !== undefined
        ? await holderOf(ctx, body.ticket)
        : principal.kind === 'user' && principal.sessionId !== null
          ? principal.userId
          : null
    if (body.ticket !== undefined && userId === null)
      throw invalid({ ticket: text('security-server', 'ticketOver') })
    return await askForPasskey(ctx, { edge, userId })
  })
  route(app, contract.loginPasskey, async ({ body, edge, request, reply }) => {
    const from = { edge, browser: browserOf(request) }
    const opened = await enterByPasskey(ctx, { ...from, answer: body, remember: body.remember })
    return await answer(opened, request, reply)
  })
}

function totpRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.beginTotp, async ({ principal, request }) => {
    await requireProof(ctx, principal)
    const user = await findUser(ctx.db, principal.userId)
    if (user === undefined) throw forbidden()
    const secret = await beginTotp(ctx, user.id)
    const issuer = brandOf(request, ctx).display_name
    return { secret, uri: totpUri(secret, { issuer, label: user.email }) }
  })
  route(app, contract.confirmTotp, async ({ principal, body, edge }) => {
    await requireProof(ctx, principal)
    const { userId } = principal
    return { recovery_codes: await confirmTotp(ctx, { userId, edge, code: body.code }) }
  })
  route(app, contract.removeTotp, async ({ principal }) => {
    await requireProof(ctx, principal)
    const { userId } = principal
    await ctx.db.transaction().execute(async (db) => {
      if (!(await deleteTotp(db, userId))) throw notFound()
      await removed({ ...ctx, db }, { userId, kind: 'totpRemoved' })
    })
    return null
  })
}

function passkeyRoutes(app: FastifyInstance, ctx: Ctx): void {
  const few = async (userId: UserId) => {
    if ((await findPasskeys(ctx.db, userId)).length >= MOST_PASSKEYS)
      throw invalid({ non_field_errors: text('security-server', 'tooMany') })
  }
  route(app, contract.beginPasskey, async ({ principal, request, edge }) => {
    await requireProof(ctx, principal)
    await few(principal.userId)
    const user = await findUser(ctx.db, principal.userId)
    if (user === undefined) throw forbidden()
    return await askForNew(ctx, user, edge, brandOf(request, ctx).display_name)
  })
  route(app, contract.addPasskey, async ({ principal, body, edge }) => {
    await requireProof(ctx, principal)
    const { userId } = principal
    await few(userId)
    const isFirst = (await meansOf(ctx, userId)).factors.length === 0
    const row = await keepPasskey(ctx, { ...body, userId, edge })
    if (row === null) throw invalid({ non_field_errors: text('security-server', 'wrongPasskey') })
    const codes = await ctx.db.transaction().execute(async (db) => {
      await tellOfFactors({ ...ctx, db }, { userId, kind: 'passkeyAdded', name: row.name })
      return isFirst ? await makeCodes({ ...ctx, db }, userId) : []
    })
    return { passkey: present(row), recovery_codes: codes }
  })
  route(app, contract.removePasskey, async ({ principal, params }) => {
    await requireProof(ctx, principal)
    const { userId } = principal
    await ctx.db.transaction().execute(async (db) => {
      const name = await deletePasskey(db, userId, params.id)
      if (name === undefined) throw notFound()
      await removed({ ...ctx, db }, { userId, kind: 'passkeyRemoved', name })
    })
    return null
  })
}
