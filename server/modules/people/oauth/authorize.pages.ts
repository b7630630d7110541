import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { doorPage } from '../../../http/door-page.ts'
import { contentPolicy } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { html, type Html } from '../../../lib/html.ts'
import type { UserId } from '../../../lib/id.ts'
import { createAccessToken, userById } from '../accounts/index.ts'

/** A program that may ask people to be let in; none has a secret. */
interface Client {
  readonly id: string
  readonly name: string
  /** The path of our own page that hands the token over, below our address. */
  readonly resultPath: `/${string}/`
  /** Paths on the person's own computer where the program may listen, at any port (RFC 8252, 7.3). */
  readonly loopbackPaths: readonly string[]
  /** Ours: whoever signs in from it is not asked. */
  readonly isTrusted?: true
}

const CLIENTS: readonly Client[] = [
  {
    id: 'OrcaSlicer',
    name: 'OrcaSlicer',
    resultPath: '/orca_slicer/authorized/',
    loopbackPaths: ['/', '/callback'],
  },
  {
    id: 'JusPrin',
    name: 'JusPrin',
    resultPath: '/orca_slicer/authorized/',
    loopbackPaths: [],
    isTrusted: true,
  },
]

export const clientById = (id: unknown): Client | null => CLIENTS.find((client) => client.id === id) ?? null

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Where a client's answer goes: our own page below `root`, unless another address is asked for. Null for any that
 * is not exactly the page, or the client's on the person's own computer: nobody is ever led elsewhere.
 */
export function redirectOf(client: Client, asked: unknown, root: string): string | null {
  const own = root + client.resultPath
  if (asked === undefined || asked === '' || asked === own) return own
  if (typeof asked !== 'string' || asked.length > 500 || !URL.canParse(asked)) return null
  const { protocol, hostname, username, password, pathname, search, hash, href } = new URL(asked)
  const isPlain = protocol === 'http:' && username + password + search + hash === '' && !asked.endsWith('#')
  if (!isPlain || !LOOPBACK.has(hostname) || !client.loopbackPaths.includes(pathname)) return null
  // As it was written, but for the slash of an empty path: what is shown is what is gone to.
  return href === asked || href === `${asked}/` ? href : null
}

/** The address of an answer: a token travels behind `#`, which no server is told; a refusal as a query. */
export function answered(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) words.set(name, value)
  return `${redirect}${'error' in answer ? '?' : '#'}${words.toString()}`
}

const AUTHORIZE = '/o/authorize/'
/** What an app is told of how long its token lives: a year, which begins anew with each use. */
const YEAR_S = 365 * 24 * 3600
const SCOPE = 'slicer'

type Fields = Readonly<Record<string, unknown>>

/** What is asked, by whom: all of it checked. */
interface Asked {
  readonly client: Client
  readonly redirect: string
  readonly responseType: string
  readonly state: string | undefined
}

const wordIn = (fields: Fields, name: string) => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined
}

function askedIn(fields: Fields, { edge }: FastifyRequest): Asked | null {
  const client = clientById(fields['client_id'])
  const redirect = client && redirectOf(client, fields['redirect_uri'], edge.origin + edge.prefix)
  if (client === null || redirect === null) return null
  return {
    client,
    redirect,
    responseType: wordIn(fields, 'response_type') ?? '',
    state: wordIn(fields, 'state'),
  }
}

const sayTo = (request: FastifyRequest) => {
  const language = languageOf(request)
  return (key: string, params?: Record<string, string>) => text('oauth-server', key, params).in(language)
}

/** Asks whoever is signed in whether a program may be let in, and hands it a token of its own (RFC 6749, 4.2). */
export function authorizePages(app: FastifyInstance, ctx: Ctx): void {
  serverPage(app, { path: AUTHORIZE, callers: ['anyone'] }, async (request, reply) => {
    const asked = guarded(ctx, request, reply, askedIn(request.query as Fields, request))
    if (asked === null) return unknownPage(ctx, request, reply)
    const { redirect, state, responseType } = asked
    if (responseType !== 'token')
      return reply.redirect(answered(redirect, { error: 'unsupported_response_type', state }), 302)
    const session = sessionOf(request)
    if (session === null) return toSignIn(request, reply)
    if (asked.client.isTrusted && isOwnStep(request))
      return reply.redirect(await letIn(ctx, asked, session.userId), 302)
    return await consentPage(ctx, request, asked, session)
  })
  serverPage(app, { method: 'POST', path: AUTHORIZE, callers: ['anyone'] }, async (request, reply) => {
    const fields = (request.body ?? {}) as Fields
    const asked = guarded(ctx, request, reply, askedIn(fields, request))
    if (asked === null) return unknownPage(ctx, request, reply)
    const session = sessionOf(request)
    const proof = wordIn(fields, 'csrfmiddlewaretoken') ?? ''
    // Signed out meanwhile, or sent by something else than our page: asked once more.
    if (session === null || !isSame(proof, proofOf(ctx, session.id, asked)))
      return reply.redirect(`${request.edge.prefix}${AUTHORIZE}?${queryOf(asked).toString()}`, 303)
    const { redirect, state } = asked
    if (fields['allow'] === undefined)
      return reply.redirect(answered(redirect, { error: 'access_denied', state }), 303)
    return reply.redirect(await letIn(ctx, asked, session.userId), 303)
  })
}

/** Makes the token; where it is handed over. */
async function letIn(ctx: Ctx, { client, redirect, state }: Asked, userId: UserId): Promise<string> {
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

function queryOf({ client, redirect, state, responseType }: Asked): URLSearchParams {
  const words = { response_type: responseType, client_id: client.id, redirect_uri: redirect }
  return new URLSearchParams(state === undefined ? words : { ...words, state })
}

/** What our form alone knows: made of the server's secret, the session and all that is asked. */
function proofOf({ config }: Ctx, sessionId: number, asked: Asked): string {
  const secret = config.VIGIL_SECRET
  if (secret === undefined) throw new Error('VIGIL_SECRET is missing: forms cannot be signed.')
  return createHmac('sha256', secret)
    .update(`authorize\n${sessionId}\n${queryOf(asked).toString()}`)
    .digest('base64url')
}

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

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
  const hidden = [...queryOf(asked), ['csrfmiddlewaretoken', proofOf(ctx, session.id, asked)] as const]
  const isHere = asked.redirect.startsWith(request.edge.origin + prefix)
  return doorPage(request, ctx, {
    title: say('title', { app }),
    body: html`<p>${say('lead', { app, email, brand })}</p>
      <ul>
        ${['mayList', 'mayUpload', 'mayOpen'].map((key) => html`<li>${say(key)}</li>`)}
      </ul>
      <p>${say('mayNot')}</p>
      ${!isHere && html`<p>${say('goesTo', { address: asked.redirect })}</p>`}
      <form method="post" action="${prefix}${AUTHORIZE}" class="pair">
        ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button class="quiet" name="cancel" value="1">${say('cancel')}</button>
        <button name="allow" value="1">${say('allow')}</button>
      </form>
      <p class="foot">${say('takeBack')}</p>`,
  })
}
