import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { refuseActing } from '../../../http/acting.ts'
import { brandOf } from '../../../http/brands.ts'
import { doorPage } from '../../../http/door-page.ts'
import { contentPolicy } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf } from '../../../http/route.ts'
import { wordIn } from '../../../http/words.ts'
import { text } from '../../../http/texts.ts'
import { html, type Html } from '../../../lib/html.ts'
import type { UserId } from '../../../lib/id.ts'
import { byKnownKey, currentKey } from '../../../lib/keyring.ts'
import { isSame } from '../../../lib/signing.ts'
import { createAccessToken, userById } from '../accounts/index.ts'
import { answered, type Client, clientById, redirectOf } from './clients.ts'
import { makeCode, SCOPE } from './token.routes.ts'

const AUTHORIZE = '/o/authorize/'
/** What an app is told of how long its token lives: a year, which begins anew with each use. */
const YEAR_S = 365 * 24 * 3600

/** What is asked, by whom: all of it checked. */
interface Asked {
  readonly client: Client
  readonly redirect: string
  readonly responseType: string
  readonly state: string | undefined
  /** What a code is bound to (RFC 7636). */
  readonly challenge: string | undefined
}

const LONGEST = 1_000
const saidIn = (fields: Fields, name: string) => wordIn(fields, name, LONGEST) || undefined

function askedIn(fields: Fields, { edge }: FastifyRequest): Asked | null {
  const client = clientById(fields['client_id'])
  const redirect = client && redirectOf(client, fields['redirect_uri'], edge.origin + edge.prefix)
  if (client === null || redirect === null) return null
  return {
    client,
    redirect,
    responseType: wordIn(fields, 'response_type', LONGEST),
    state: saidIn(fields, 'state'),
    challenge:
      saidIn(fields, 'code_challenge_method') === 'S256' ? saidIn(fields, 'code_challenge') : undefined,
  }
}

const sayTo = (request: FastifyRequest) => {
  const language = languageOf(request)
  return (key: string, params?: Record<string, string>) => text('oauth-server', key, params).in(language)
}

/** Asks whoever is signed in whether a program may be let in, and hands it a token of its own (RFC 6749, 4.2). */
export function authorizePages(app: FastifyInstance, ctx: Ctx): void {
  serverPage(app, { path: AUTHORIZE, callers: ['anyone'] }, async (request, reply) => {
    refuseActing(request.principal)
    const asked = guarded(ctx, request, reply, askedIn(fieldsOf(request.query), request))
    if (asked === null) return unknownPage(ctx, request, reply)
    const { redirect, state } = asked
    const error = wrongIn(asked, request)
    if (error !== null) return reply.redirect(answered(redirect, { error, state }), 302)
    const session = sessionOf(request)
    if (session === null) return toSignIn(request, reply)
    if (asked.client.isTrusted && asked.responseType === 'token' && isOwnStep(request))
      return reply.redirect(await letIn(ctx, asked, session.userId), 302)
    return await consentPage(ctx, request, asked, session)
  })
  serverPage(app, { method: 'POST', path: AUTHORIZE, callers: ['anyone'] }, async (request, reply) => {
    refuseActing(request.principal)
    const fields = fieldsOf(request.body)
    const asked = guarded(ctx, request, reply, askedIn(fields, request))
    if (asked === null) return unknownPage(ctx, request, reply)
    const session = sessionOf(request)
    const proof = wordIn(fields, 'csrfmiddlewaretoken', LONGEST)
    // Signed out meanwhile, or sent by something else than our page: asked once more.
    const isOurs = (secret: string) => session !== null && isSame(proof, proofOf(secret, session.id, asked))
    if (session === null || !byKnownKey(ctx.config, isOurs))
      return reply.redirect(`${request.edge.prefix}${AUTHORIZE}?${queryOf(asked).toString()}`, 303)
    const { redirect, state } = asked
    const error = wrongIn(asked, request)
    if (error !== null) return reply.redirect(answered(redirect, { error, state }), 303)
    if (fields['allow'] === undefined)
      return reply.redirect(answered(redirect, { error: 'access_denied', state }), 303)
    return reply.redirect(await letIn(ctx, asked, session.userId), 303)
  })
}

/** Why nothing can be handed over, in a word of RFC 6749; null: it can. A code goes to a program that listens, and with PKCE alone. */
function wrongIn({ responseType, redirect, challenge }: Asked, request: FastifyRequest): string | null {
  if (responseType === 'token') return null
  if (responseType !== 'code') return 'unsupported_response_type'
  return isHere(redirect, request) || !/^[\w-]{43}$/.test(challenge ?? '') ? 'invalid_request' : null
}

/** Whether it ends on a page of ours. */
const isHere = (redirect: string, { edge }: FastifyRequest) =>
  redirect.startsWith(`${edge.origin}${edge.prefix}/`)

/** Makes the token, or a code for it; where it is handed over. */
async function letIn(ctx: Ctx, asked: Asked, userId: UserId): Promise<string> {
  const { client, redirect, state, challenge } = asked
  if (asked.responseType === 'code' && challenge !== undefined)
    return answered(redirect, {
      code: await makeCode(ctx, { client: client.id, redirect, challenge, userId }),
      state,
    })
  const token = await createAccessToken(ctx, { userId, application: client.name, scope: SCOPE })
  const answer = { access_token: token, expires_in: `${YEAR_S}`, token_type: 'Bearer', scope: SCOPE, state }
  return answered(redirect, answer)
}

/** Whether nobody else's page has led here: opened by the program's own window, or a step from our sign-in. */
function isOwnStep({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'none' || site === 'same-origin'
}

/** No other page shows this one in a frame, and its form may lead to where the answer goes. */
function guarded(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, asked: Asked | null): Asked | null {
  const target = asked === null ? request.edge.origin : new URL(asked.redirect).origin
  const formsTo = target === request.edge.origin ? [] : [target]
  reply
    .header('content-security-policy', contentPolicy(ctx.config, { isNeverFramed: true, formsTo }))
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
  return asked
}

function sessionOf({ principal }: FastifyRequest): { id: number; userId: UserId } | null {
  if (principal.kind !== 'user' || principal.sessionId === null) return null
  return { id: principal.sessionId, userId: principal.userId }
}

function toSignIn({ edge, url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next = `${edge.prefix}${url}`
  const query = new URLSearchParams({ hide_navbar: 'true', next }).toString()
  return reply.redirect(`${edge.prefix}/accounts/login/?${query}`, 302)
}

function queryOf({ client, redirect, state, responseType, challenge }: Asked): URLSearchParams {
  const words = new URLSearchParams({
    response_type: responseType,
    client_id: client.id,
    redirect_uri: redirect,
  })
  if (challenge !== undefined) {
    words.set('code_challenge', challenge)
    words.set('code_challenge_method', 'S256')
  }
  if (state !== undefined) words.set('state', state)
  return words
}

/** What our form alone knows: made of the server's secret, the session and all that is asked. */
const proofOf = (secret: string, sessionId: number, asked: Asked): string =>
  createHmac('sha256', secret)
    .update(`authorize\n${sessionId}\n${queryOf(asked).toString()}`)
    .digest('base64url')

function unknownPage(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): Html {
  const say = sayTo(request)
  reply.status(400)
  return doorPage(request, ctx, { title: say('unknownTitle'), body: html`<p>${say('unknown')}</p>` })
}

async function consentPage(
  ctx: Ctx,
  request: FastifyRequest,
  asked: Asked,
  session: { id: number; userId: UserId },
): Promise<Html> {
  const say = sayTo(request)
  const { prefix } = request.edge
  const app = asked.client.name
  const brand = brandOf(request, ctx).display_name
  const email = (await userById(ctx, session.userId))?.email ?? ''
  const proof = proofOf(currentKey(ctx.config).secret, session.id, asked)
  const hidden = [...queryOf(asked), ['csrfmiddlewaretoken', proof] as const]
  return doorPage(request, ctx, {
    title: say('title', { app }),
    body: html`<p>${say('lead', { app, email, brand })}</p>
      <ul>
        ${['mayList', 'mayUpload', 'mayOpen'].map((key) => html`<li>${say(key)}</li>`)}
      </ul>
      <p>${say('mayNot')}</p>
      ${!isHere(asked.redirect, request) && html`<p>${say('goesTo', { address: asked.redirect })}</p>`}
      <form method="post" action="${prefix}${AUTHORIZE}" class="pair">
        ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button class="quiet" name="cancel" value="1">${say('cancel')}</button>
        <button name="allow" value="1">${say('allow')}</button>
      </form>
      <p class="foot">${say('takeBack')}</p>`,
  })
}
