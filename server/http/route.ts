import type { Caller, Endpoint, Parsed, Reply } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { WebSocket } from 'ws'
import { logSocket } from './access-log.ts'
import type { Space } from '../engines/files/space.ts'
import type { Edge } from './edge.ts'
import { AppError, diskFull, fieldErrors, forbidden, notFound, upgradeRequired } from './errors.ts'
import type { Intake } from './intake.ts'
import { pickLanguage } from './language.ts'
import { limitIncoming } from './outbox.ts'
import { callerKey, callerOf, type Principal } from './principal.ts'
import type { Language } from './texts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Room on the data folder's disk. */
    space: Space
    /** Who is calling, where no route has asked: nobody when that cannot be found out at once. */
    whoIs(request: FastifyRequest): Promise<Principal>
    /** What unfinished bodies and messages hold. */
    intake: Intake
    /** Every route and socket with its callers: the permission matrix test walks it. */
    routeTable: RouteRow[]
  }
  interface FastifyRequest {
    edge: Edge
    principal: Principal
  }
  interface FastifyContextConfig {
    /** The contract's endpoint. */
    endpoint?: Endpoint
    /** True for a websocket's route: an upgrade to any other is refused. */
    socket?: boolean
    /** True where nobody asks who is calling: health, pages, documents. Works without a database. */
    open?: boolean
  }
}

/** One line of the permission matrix. */
export interface RouteRow {
  readonly kind: 'rest' | 'socket' | 'page'
  readonly method: string
  readonly path: string
  readonly callers: readonly (Caller | 'share')[]
  /** The contract's words, for the OpenAPI document. */
  readonly endpoint?: Endpoint
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

/** A `T` that a handler has written as JSON by itself: what is asked for all the time is not made of objects each time. */
export class Json<T> {
  declare readonly means: T
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Answer<E extends Endpoint> = Reply<E> | Json<Reply<E>>

type PrincipalFor<E extends Endpoint> = 'anyone' extends E['callers'][number]
  ? Principal
  : Extract<Principal, { kind: KindOf<E['callers'][number]> }>
type KindOf<C extends Caller> = C extends 'printer' ? 'printer' : 'user'

const DEFAULT_BODY_LIMIT = 1_048_576

/** The language to answer a request in. */
export function languageOf(request: FastifyRequest): Language {
  const { principal } = request
  const asked = (request.query as Record<string, unknown> | undefined)?.lang
  return pickLanguage({
    asked: typeof asked === 'string' ? asked : undefined,
    own: principal?.kind === 'user' ? principal.language : null,
    accepted: request.headers['accept-language'],
  })
}

/** Refuses a caller that the route does not name, in the shape its clients know (docs/wire/rest.md 3). */
function authorize(principal: Principal, callers: readonly (Caller | 'share')[]): void {
  if (callers.includes('anyone')) return
  if (callers.includes(callerOf(principal))) return
  if (callers.includes('printer')) {
    throw new AppError(
      401,
      { detail: 'Authentication credentials were not provided.' },
      { 'www-authenticate': 'Token' },
    )
  }
  throw forbidden()
}

/** Fields that are lists: one value of a query or form stands for a list of one (docs/wire/rest.md 1). */
function listFields(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return []
  const isList = (field: unknown): boolean => {
    if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable) {
      return isList(field.unwrap())
    }
    return field instanceof z.ZodArray
  }
  return Object.entries(schema.shape).flatMap(([name, field]) => (isList(field) ? [name] : []))
}

type Check = (value: unknown) => Promise<unknown>

/** Makes the check of one part of a request; a bad path is a 404, anything else a field map. */
function checkOf(schema: z.ZodType | undefined, part: 'params' | 'query' | 'body'): Check | undefined {
  if (schema === undefined) return undefined
  const lists = part === 'params' ? [] : listFields(schema)
  return async (value) => {
    const fields = value as Record<string, unknown>
    for (const name of lists) if (typeof fields?.[name] === 'string') fields[name] = [fields[name]]
    const result = await schema.safeParseAsync(value, { reportInput: true })
    if (result.success) return result.data
    if (part === 'params') throw notFound()
    throw new AppError(400, fieldErrors(result.error))
  }
}

/**
 * Serves an endpoint of the contract: both slash forms, three body formats, credentials, validation and error
 * shapes are the same for all (docs/wire/rest.md 1, 3).
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  definition: E,
  handler: (call: Call<E, PrincipalFor<E>>) => Promise<Answer<E>> | Answer<E>,
): void {
  const { method, path, callers } = definition
  const bodyLimit = definition.bodyLimit ?? DEFAULT_BODY_LIMIT
  app.routeTable.push({ kind: 'rest', method, path, callers, endpoint: definition })
  const params = checkOf(definition.params, 'params')
  const query = checkOf(definition.query, 'query')
  const body = checkOf(definition.body, 'body')
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { principal, edge } = request
    const call = {
      principal,
      params: await params?.(request.params),
      query: await query?.(request.query),
      body: await body?.(request.body ?? {}),
      edge,
      request,
      reply,
    } as Call<E, PrincipalFor<E>>
    reply.status(definition.status ?? 200)
    const answer = await handler(call)
    if (reply.sent) return reply
    if (definition.response === null) return reply.send()
    const text = answer instanceof Json ? answer.text : JSON.stringify(answer)
    return reply.type('application/json; charset=utf-8').send(text)
  }
  // Refused before the body is read: a stranger fills no memory.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    // `things/` matches `things/:id` with nothing in its place, but is the list.
    if (Object.values(request.params as object).includes('')) return reply.callNotFound()
    authorize(request.principal, callers)
    if (method !== 'GET' && app.space.isFull && !definition.evenWhenDiskIsFull)
      throw diskFull(app.space.folder)
    reply.header('cache-control', 'no-store')
  }
  const config = { endpoint: definition }
  app.route({ method, url: path, bodyLimit, config, onRequest, handler: serve })
  const bare = path.slice(0, -1)
  if (bare === '') return
  if (method === 'GET') app.route({ method, url: bare, config: { open: true }, handler: redirectToSlash })
  else app.route({ method, url: bare, bodyLimit, config, onRequest, handler: serve })
}

/** 301 to the slashed form, query kept, prefix kept. */
function redirectToSlash(request: FastifyRequest, reply: FastifyReply) {
  const { url } = request
  const end = url.includes('?') ? url.indexOf('?') : url.length
  // An empty parameter matches too: that is another path.
  if (url[end - 1] === '/') return reply.callNotFound()
  return reply.redirect(`${request.edge.prefix}${url.slice(0, end)}/${url.slice(end)}`, 301)
}

/** What a websocket handler gets beside the socket. */
export interface SocketCall {
  readonly principal: Principal
  readonly params: Record<string, string>
  readonly edge: Edge
  readonly request: FastifyRequest
}

/** Largest message from a browser; an agent's carries tunnel bodies and pictures (docs/wire/agents.md 4.2). */
const MAX_BROWSER_MESSAGE = 1_048_576

/** A websocket endpoint. Refused before the upgrade, never after it (docs/wire/browsers.md 1). */
export function socket(
  app: FastifyInstance,
  definition: {
    path: `/${string}/`
    callers: readonly (Caller | 'share')[]
    /** Largest message taken, in bytes; 1 MB unless agents call here. */
    maxMessage?: number
  },
  handlers: { before?: (call: SocketCall) => Promise<void>; open: (ws: WebSocket, call: SocketCall) => void },
): void {
  const { path, callers } = definition
  const maxMessage = definition.maxMessage ?? (callers.includes('printer') ? undefined : MAX_BROWSER_MESSAGE)
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
    config: { socket: true },
    preValidation: async (request) => {
      if (!callers.includes(callerOf(request.principal)) && !callers.includes('anyone')) throw forbidden()
      await handlers.before?.(call(request))
    },
    handler: () => Promise.reject(upgradeRequired()),
    wsHandler: (ws, request) => {
      if (maxMessage !== undefined) limitIncoming(ws, maxMessage)
      countIncoming(ws, request)
      logSocket(ws, request)
      handlers.open(ws, call(request))
    },
  })
}

/** Counts what a socket has sent of a message that has not ended: no ping, and no part of one, ends it. */
function countIncoming(ws: WebSocket, request: FastifyRequest): void {
  const { log, server, raw, principal, edge } = request
  const who = callerKey(principal, edge)
  const holding = server.intake.open(who, () => {
    log.warn({ who }, 'a socket held too much of a message that did not end: it is cut')
    ws.terminate()
  })
  // Before the websocket itself hears of it and tells of a message that is whole.
  raw.socket.prependListener('data', (chunk: Buffer) => holding.add(chunk.length))
  ws.on('message', holding.release)
  ws.on('close', holding.release)
}
