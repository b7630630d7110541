import * as contract from '@vigil/contract/people/oauth.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { route } from '../../../http/route.ts'
import { idOf, type UserId } from '../../../lib/id.ts'
import { digestOf, isSame, newToken } from '../../../lib/signing.ts'
import { ACCESS_S, endGrant, type Grant, makeGrant, renewGrant, showToken } from '../accounts/index.ts'
import { clientById } from './clients.ts'

export const SCOPE = 'slicer'
/** A program fetches its token at once. */
const CODE_MS = 60_000
/** A code that was used is known as such for so long. */
const USED_MS = 10 * 60_000
const LIMIT = { name: 'oauth-token', tries: 120, windowMs: 60_000 }

const asked = z.object({
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  userId: idOf<'users'>(),
})
const codeKey = (code: string) => `oauth-code:${digestOf(code)}`
const usedKey = (code: string) => `oauth-code-used:${digestOf(code)}`

/** A code for a program to fetch its token with, once, within a minute, if it knows what `challenge` was made of (RFC 7636). */
export async function makeCode(
  ctx: Ctx,
  given: { client: string; redirect: string; challenge: string; userId: UserId },
): Promise<string> {
  const code = newToken()
  await ctx.live.put(codeKey(code), JSON.stringify(given), CODE_MS)
  return code
}

/** Refused as programs know it (RFC 6749, 5.2). */
const refused = (error: string) => new AppError(400, { error })

/** Where programs fetch tokens, and ask what one is worth (docs/rules/slice.md). */
export function tokenRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.fetchToken, async ({ body, edge, reply }) => {
    await spend(ctx, ...byAddress(LIMIT, edge.address))
    const client = clientById(body.client_id)
    if (client === null) throw refused('invalid_client')
    if (body.grant_type === 'authorization_code') return handed(reply, await byCode(ctx, client.name, body))
    if (body.grant_type !== 'refresh_token') throw refused('unsupported_grant_type')
    const word = body.refresh_token ?? ''
    const grant = await renewGrant(ctx, { word, application: client.name, address: edge.address })
    if (grant === null) throw refused('invalid_grant')
    return handed(reply, grant)
  })
  route(app, contract.introspect, async ({ principal, body, reply }) => {
    reply.header('cache-control', 'no-store')
    const found = await showToken(ctx, principal.userId, body.token)
    if (found === null) return { active: false as const }
    const { application, scope, ends } = found
    return {
      active: true as const,
      scope,
      client_id: application,
      token_type: 'Bearer' as const,
      sub: String(principal.userId),
      ...(ends === null ? {} : { exp: Math.floor(ends.getTime() / 1000) }),
    }
  })
}

function handed(reply: FastifyReply, { access, refresh }: Grant) {
  reply.header('cache-control', 'no-store')
  return {
    access_token: access,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_S,
    scope: SCOPE,
    refresh_token: refresh,
  }
}

interface Given {
  readonly client_id: string
  readonly code?: string | undefined
  readonly redirect_uri?: string | undefined
  readonly code_verifier?: string | undefined
}

async function byCode(ctx: Ctx, application: string, given: Given): Promise<Grant> {
  const { code = '', code_verifier: verifier = '' } = given
  const held = await ctx.live.take(codeKey(code))
  if (held === null) {
    // Brought twice: in two hands, and one of them is not the program's.
    const used = await ctx.live.take(usedKey(code))
    if (used !== null) await endGrant(ctx, idOf<'accessTokens'>().parse(Number(used.toString())))
    throw refused('invalid_grant')
  }
  const { client, redirect, challenge, userId } = asked.parse(JSON.parse(held.toString()))
  const isIt =
    client === given.client_id && redirect === given.redirect_uri && isSame(digestOf(verifier), challenge)
  if (!isIt || !/^[\w.~-]{43,128}$/.test(verifier)) throw refused('invalid_grant')
  const grant = await makeGrant(ctx, { userId, application })
  await ctx.live.put(usedKey(code), String(grant.id), USED_MS)
  return grant
}
