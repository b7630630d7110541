import type { Caller, Endpoint, Parsed, Reply } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { WebSocket } from 'ws'
import { readBody } from './bodies.ts'
import type { Edge } from './edge.ts'
import { AppError, fieldErrors, forbidden, notFound } from './errors.ts'
import { callerOf, type Principal } from './principal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route and socket with its callers: the permission matrix test walks it. */
    routeTable: RouteRow[]
  }
  interface FastifyRequest {
    edge: Edge
    principal: Principal
  }
  interface FastifyContextConfig {
    /** The contract's endpoint, for the OpenAPI document. */
    endpoint?: Endpoint
  }
}

/** One line of the permission matrix. */
export interface RouteRow {
  readonly kind: 'rest' | 'socket' | 'page'
  readonly method: string
  readonly path: string
  readonly callers: readonly (Caller | 'share')[]
}

/** What a handler of an endpoint gets: everything checked, nothing of Fastify's needed in most. */
export interface Call<E extends Endpoint, P extends Principal = Principal> {
  readonly principal: P
  readonly params: Parsed<E, 'params'>
  readonly query: Parsed<E, 'query'>
  readonly body: Parsed<E, 'body'>
  readonly edge: Edge
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type PrincipalFor<E extends Endpoint> = 'anyone' extends E['callers'][number]
  ? Principal
  : 'printer' extends E['callers'][number]
    ? Extract<Principal, { kind: 'printer' }>
    : Extract<Principal, { kind: 'user' }>

const DEFAULT_BODY_LIMIT = 1_048_576

/** Refuses a caller that the route does not name, in the shape its clients know (api-contract 1.3). */
function authorize(principal: Principal, callers: readonly (Caller | 'share')[]): void {
  if (callers.includes('anyone')) return
  if (callers.includes(callerOf(principal))) return
  if (callers.includes('printer')) {
    throw new AppError(401, { detail: 'Authentication credentials were not provided.' }, { 'www-authenticate': 'Token' })
  }
  throw forbidden()
}

/** Checks one part of a request; a bad path is a 404, anything else a field map. */
async function check(schema: z.ZodType | undefined, value: unknown, part: 'params' | 'query' | 'body') {
  if (schema === undefined) return undefined
  const result = await schema.safeParseAsync(value)
  if (result.success) return result.data
  if (part === 'params') throw notFound()
  throw new AppError(400, fieldErrors(result.error))
}

/**
 * Serves an endpoint of the contract: both slash forms, three body formats, credentials, validation and error
 * shapes are the same for all (api-contract 1.1 to 1.3).
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  definition: E,
  handler: (call: Call<E, PrincipalFor<E>>) => Promise<Reply<E>> | Reply<E>,
): void {
  const { method, path, callers } = definition
  const bodyLimit = definition.bodyLimit ?? DEFAULT_BODY_LIMIT
  app.routeTable.push({ kind: 'rest', method, path, callers })
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    authorize(request.principal, callers)
    const params = await check(definition.params, request.params, 'params')
    const query = await check(definition.query, request.query, 'query')
    const body = definition.body ? await check(definition.body, await readBody(request, bodyLimit), 'body') : undefined
    const { principal, edge } = request
    const call = { principal, params, query, body, edge, request, reply } as Call<E, PrincipalFor<E>>
    const answer = await handler(call)
    if (reply.sent) return reply
    reply.status(definition.status ?? 200)
    if (definition.response === null || answer === null) return reply.send()
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
  }
  const config = { endpoint: definition }
  app.route({ method, url: path, bodyLimit, config, handler: serve })
  const bare = path.slice(0, -1)
  if (bare === '') return
  if (method === 'GET') app.route({ method, url: bare, handler: redirectToSlash, exposeHeadRoute: false })
  else app.route({ method, url: bare, bodyLimit, config, handler: serve })
}

/** 301 to the slashed form, query kept, prefix kept. */
function redirectToSlash(request: FastifyRequest, reply: FastifyReply) {
  const [path, query] = request.url.split('?', 2)
  return reply.redirect(`${request.edge.prefix}${path}/${query === undefined ? '' : `?${query}`}`, 301)
}

/** What a websocket handler gets beside the socket. */
export interface SocketCall {
  readonly principal: Principal
  readonly params: Record<string, string>
  readonly edge: Edge
  readonly request: FastifyRequest
}

/** A websocket endpoint. Refused before the upgrade, never after it (api-contract 1.15). */
export function socket(
  app: FastifyInstance,
  definition: { path: `/${string}/`; callers: readonly (Caller | 'share')[] },
  handlers: { before?: (call: SocketCall) => Promise<void>; open: (ws: WebSocket, call: SocketCall) => void },
): void {
  const { path, callers } = definition
  app.routeTable.push({ kind: 'socket', method: 'GET', path, callers })
  const call = (request: FastifyRequest): SocketCall => ({
    principal: request.principal,
    params: request.params as Record<string, string>,
    edge: request.edge,
    request,
  })
  app.route({
    method: 'GET',
    url: path,
    exposeHeadRoute: false,
    preValidation: async (request) => {
      if (!callers.includes(callerOf(request.principal)) && !callers.includes('anyone')) throw forbidden()
      await handlers.before?.(call(request))
    },
    handler: async (_request, reply) => reply.status(426).header('upgrade', 'websocket').send({ detail: 'Upgrade required.' }),
    wsHandler: (ws, request) => handlers.open(ws, call(request)),
  })
}
