import * as contract from '@vigil/contract/people/identities.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { accountBrandOf } from '../../../http/brands.ts'
import { giveCookie } from '../../../http/cookies.ts'
import { badRequest, forbidden, notFound } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf, route } from '../../../http/route.ts'
import { browserOf } from '../../../http/session-cookie.ts'
import { text } from '../../../http/texts.ts'
import { wordIn } from '../../../http/words.ts'
import type { Provider } from '../../../lib/providers.ts'
import { findIdentities } from '../identities/identities.queries.ts'
import { beginFlow, connect, disconnect, type Flow, takeFlow } from '../identities/identities.service.ts'
import { identify, providerNamed, ProviderTrouble } from '../identities/providers.service.ts'
import { requireProof } from '../proof/proof.service.ts'
import type { Opened } from '../sessions/opening.service.ts'
import { findUser } from '../users/users.queries.ts'
import { newToken } from '../../../lib/signing.ts'
import { LIMITS } from '../users/users.rules.ts'
import { type Entered, enterByProvider } from './provider.service.ts'

const START = '/accounts/:provider/login/'
const BACK = '/accounts/:provider/login/callback/'
const LOGIN = '/accounts/login/'
const SECURITY = '/user_preferences/security/'

/** Of what comes with an address; a code of a provider may be long. */
const LONGEST = 2_000

/** Known to the browser alone that has begun: what comes back counts in no other. */
const COOKIE = 'tsd_provider'
const COOKIE_SECONDS = 3600

/** The word of this browser; '' when it has none. */
export function browserWord({ cookies }: FastifyRequest): string {
  const word = cookies[COOKIE] ?? ''
  return /^[\w-]{43}$/.test(word) ? word : ''
}

/** The same, given where it has none; tabs share it. */
function giveWord(request: FastifyRequest, reply: FastifyReply): string {
  const word = browserWord(request) || newToken()
  giveCookie(reply, request.edge, { name: COOKIE, value: word, maxAgeSeconds: COOKIE_SECONDS })
  return word
}

/** A path of ours to go on to; '' for any other address. */
const nextOf = (word: string) => (/^\/(?![/\\])[^\0-\x20\\]{0,1000}$/.test(word) ? word : '')

const redirectUriOf = ({ edge }: FastifyRequest, { id }: Provider) =>
  `${edge.origin}${edge.prefix}${BACK.replace(':provider', id)}`

function providerOf(ctx: Ctx, { params }: FastifyRequest): Provider {
  const found = providerNamed(ctx, wordIn(params, 'provider', LONGEST))
  if (found === null) throw notFound()
  return found
}

type Open = (opened: Opened, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Ways in by somebody else's server: there, and back (docs/rules/people.md 11). */
export function providerPages(app: FastifyInstance, ctx: Ctx, open: Open): void {
  serverPage(app, { path: START, callers: ['anyone'] }, async (request, reply) => {
    const provider = providerOf(ctx, request)
    await spend(ctx, ...byAddress(LIMITS.login, request.edge.address))
    const next = nextOf(wordIn(request.query, 'next', LONGEST))
    const args = {
      redirectUri: redirectUriOf(request, provider),
      browser: giveWord(request, reply),
      next,
      link: null,
    }
    return await orTrouble(request, reply, { provider, flow: { next, link: null } }, async () =>
      reply.redirect(await beginFlow(ctx, provider, args), 302),
    )
  })
  serverPage(app, { path: BACK, callers: ['anyone'] }, async (request, reply) => {
    const provider = providerOf(ctx, request)
    await spend(ctx, ...byAddress(LIMITS.login, request.edge.address))
    reply.header('referrer-policy', 'no-referrer')
    const state = wordIn(request.query, 'state', LONGEST)
    const flow = await takeFlow(ctx, { provider: provider.id, state, browser: browserWord(request) })
    return await orTrouble(request, reply, { provider, flow }, async () => {
      if (flow === null) throw new ProviderTrouble('over')
      return await comeBack(ctx, { request, reply, provider, flow, open })
    })
  })
  bounce(app)
  identityRoutes(app, ctx)
}

/**
 * Apple sends people back by a form of its own page, to which browsers give no cookie of ours: what it says is led on as a way of ours.
 * Nobody is asked who they are here, and nothing is done.
 */
function bounce(app: FastifyInstance): void {
  app.routeTable.push({ kind: 'page', method: 'POST', path: BACK, callers: ['anyone'] })
  app.post(BACK, { config: { open: true, form: true }, bodyLimit: 16_384 }, async (request, reply) => {
    const told = new URLSearchParams()
    for (const name of ['state', 'code', 'error', 'iss']) {
      const value = wordIn(request.body, name, LONGEST)
      if (value !== '') told.set(name, value)
    }
    const path = BACK.replace(':provider', encodeURIComponent(wordIn(request.params, 'provider', LONGEST)))
    return reply.redirect(`${request.edge.prefix}${path}?${told.toString()}`, 303)
  })
}

interface Back {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly provider: Provider
  readonly flow: Flow
  readonly open: Open
}

async function comeBack(ctx: Ctx, { request, reply, provider, flow, open }: Back): Promise<FastifyReply> {
  const { edge, principal } = request
  const { search } = new URL(request.url, edge.origin)
  const url = new URL(redirectUriOf(request, provider) + search)
  const identity = await identify(ctx, provider, { secrets: flow.secrets, url })
  if (flow.link !== null) {
    const isSame = principal.kind === 'user' && principal.sessionId === flow.link.sessionId
    const user = isSame ? await findUser(ctx.db, flow.link.userId) : undefined
    if (user === undefined) throw new ProviderTrouble('over')
    await connect(ctx, { user, provider: provider.id, identity })
    return reply.redirect(`${edge.prefix}${SECURITY}`, 302)
  }
  const entered = await enterByProvider(ctx, {
    provider,
    identity,
    brand: accountBrandOf(request, ctx).name,
    language: languageOf(request),
    edge,
    browser: browserOf(request),
    word: browserWord(request),
  })
  if (entered.kind !== 'in') return reply.redirect(`${edge.prefix}${goOn(entered, provider, flow)}`, 302)
  await open(entered.opened, request, reply)
  return reply.redirect(pageAt(edge.prefix, flow.next), 302)
}

/** Where somebody wanted to go, with the prefix or without; else to their printers. */
const pageAt = (prefix: string, next: string) =>
  next.startsWith(`${prefix}/`) ? next : prefix + (next || '/printers/')

/** The sign-in page goes on; what it needs stands behind `#`, which no server and no log is told. */
function goOn(entered: Exclude<Entered, { kind: 'in' }>, { id }: Provider, { next }: Flow): string {
  const told = new URLSearchParams({ provider: id })
  if (entered.link !== null) told.set('link', entered.link)
  if (entered.kind === 'step') {
    told.set('ticket', entered.ticket)
    told.set('factors', entered.factors.join(','))
  }
  return `${LOGIN}${next === '' ? '' : `?${new URLSearchParams({ next }).toString()}`}#${told.toString()}`
}

/** Leads back to where it was begun, with a word for what went wrong. */
async function orTrouble(
  { edge }: FastifyRequest,
  reply: FastifyReply,
  { provider, flow }: { provider: Provider; flow: Pick<Flow, 'next' | 'link'> | null },
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    if (error.word === 'inactive') return reply.redirect(`${edge.prefix}/accounts/inactive/`, 302)
    const query = new URLSearchParams({ trouble: error.word, provider: provider.id })
    if (flow !== null && flow.next !== '') query.set('next', flow.next)
    const page = flow !== null && flow.link !== null ? SECURITY : LOGIN
    return reply.redirect(`${edge.prefix}${page}?${query.toString()}`, 302)
  }
}

function identityRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listIdentities, async ({ principal: { userId } }) =>
    (await findIdentities(ctx.db, userId)).map((row) => ({
      id: row.id,
      provider: row.provider,
      name: providerNamed(ctx, row.provider)?.name ?? row.provider,
      email: row.email,
      created_at: row.createdAt.toISOString(),
      last_used_at: row.lastUsedAt?.toISOString() ?? null,
    })),
  )
  route(app, contract.connectIdentity, async ({ principal, body, request, reply }) => {
    const provider = providerNamed(ctx, body.provider)
    if (provider === null) throw notFound()
    const { userId, sessionId } = principal
    if (sessionId === null) throw forbidden()
    await requireProof(ctx, principal)
    await spend(ctx, ...byAddress(LIMITS.login, request.edge.address))
    const link = { userId, sessionId }
    const args = {
      redirectUri: redirectUriOf(request, provider),
      browser: giveWord(request, reply),
      next: '',
      link,
    }
    try {
      return { url: await beginFlow(ctx, provider, args) }
    } catch (error) {
      if (!(error instanceof ProviderTrouble)) throw error
      throw badRequest(text('security-server', 'providerAway', { name: provider.name }))
    }
  })
  route(app, contract.disconnectIdentity, async ({ principal, params }) => {
    await requireProof(ctx, principal)
    await disconnect(ctx, principal.userId, params.id)
    return null
  })
}
