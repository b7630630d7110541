import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Principal } from './principal.ts'

/** Parameters of routes by their names: whether what stands there may be written down. A route with another name does not start. */
const PARAMETERS: Readonly<Record<string, 'open' | 'secret'>> = {
  id: 'open',
  account: 'open',
  provider: 'open',
  upload: 'secret',
  folder: 'open',
  name: 'open',
  sample: 'open',
  offer: 'open',
  partner: 'open',
  payment: 'open',
  file: 'open',
  act: 'open',
  key: 'secret',
  token: 'secret',
}
const NAMES = /:(\w{1,40})/g
/** What a page of ours, or nothing of ours, is asked for by: words and numbers are no secrets. */
const PLAIN = /^(?:v1p?|[a-z][a-z_-]{0,40}(?:\.[a-z]{2,5})?|\d{1,9}|)$/
/** In addresses of pages. */
const SECRETS_FOLLOW = new Set(['share_token', 'token', 'confirm-email', 'key'])
const LONGEST = 300
const MASK = '***'

/** Refuses a route one of whose parameters is not known to be secret or not. */
export function requireKnownParameters(path: string): void {
  for (const [, name = ''] of path.matchAll(NAMES))
    if (!Object.hasOwn(PARAMETERS, name))
      throw new Error(`${path}: may ${name} stand in a log? Say so in server/http/access-log.ts`)
}

/** A request as far as its path may be logged. */
export interface Logged {
  readonly url: string
  readonly params?: unknown
  readonly routeOptions?: { readonly url?: string | undefined }
}

/**
 * A request's path as it may be logged: without its query (codes, tokens, digests), its parameters as the table above has them; of what no
 * route is for, plain words and numbers alone.
 */
export function loggedPath({ url, params, routeOptions }: Logged): string {
  const route = routeOptions?.url
  if (route === undefined || route.includes('*')) return plainOf(url)
  const given = new Map(Object.entries(params ?? {}))
  return route.replace(NAMES, (_, name: string) =>
    PARAMETERS[name] === 'open' ? String(given.get(name)).slice(0, LONGEST) : MASK,
  )
}

function plainOf(url: string): string {
  const path = url.slice(0, LONGEST).split('?', 1).join('')
  return path
    .split('/')
    .map((part, at, all) => (PLAIN.test(part) && !SECRETS_FOLLOW.has(all[at - 1] ?? '') ? part : MASK))
    .join('/')
}

function who(principal: Principal | undefined): string | undefined {
  if (principal?.kind === 'user' || principal?.kind === 'slicer')
    return `${principal.kind}:${principal.userId}`
  if (principal?.kind === 'printer' || principal?.kind === 'share')
    return `${principal.kind}:${principal.printerId}`
  if (principal?.kind === 'tunnel') return `tunnel:${principal.tunnelId}`
  return undefined
}

/** One line for each request, when it is answered. */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url }) => requireKnownParameters(url))
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, principal, edge } = request
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = {
      method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms,
      from: edge?.address,
      who: who(principal),
    }
    request.log.info(line, 'request')
  })
}

/** One line for each socket, when it has closed. */
export function logSocket(ws: WebSocket, request: FastifyRequest): void {
  const since = performance.now()
  ws.once('close', (code) => {
    const seconds = Math.round((performance.now() - since) / 100) / 10
    const { principal, edge } = request
    request.log.info(
      { path: loggedPath(request), code, seconds, from: edge.address, who: who(principal) },
      'socket',
    )
  })
}
