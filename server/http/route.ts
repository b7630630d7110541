import { fieldsOf, isFields } from '@vigil/contract/fields.ts'
import { LANGUAGE_COOKIE } from '@vigil/contract/language.ts'
import type { Endpoint, Parsed, Reply } from '@vigil/contract/endpoint.ts'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Space } from '../engines/files/space.ts'
import { refuseActing } from './acting.ts'
import type { Edge } from './edge.ts'
import { AppError, diskFull, fieldErrors, forbidden, notFound } from './errors.ts'
import type { Intake } from './memory-limit.ts'
import { pickLanguage } from './language.ts'
import { type Door, isLetIn, type Principal, type PrincipalOf } from './principal.ts'
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
    /** True where the handler reads the body itself, as it comes. */
    streams?: boolean
    /** True for a page that a form of ours is sent to. */
    form?: boolean
    /** True where nobody asks who is calling: health, pages, documents. Works without a database. */
    open?: boolean
  }
}

/** One line of the permission matrix. */
export interface RouteRow {
  readonly kind: 'rest' | 'socket' | 'page'
  readonly method: string
  readonly path: string
  readonly callers: readonly Door[]
  /** The contract's words, for the OpenAPI document. */
  readonly endpoint?: Endpoint
}

/** What a handler of an endpoint gets: everything checked, nothing of Fastify's needed in most. */
export interface Call<E extends Endpoint, P extends Principal = Principal> {
  readonly principal: P
  readonly params: Parsed<E, 'params'>
  readonly query: Parsed<E, 'query'>
  readonly body: Parsed<E, 'body'>
  /** The bytes of the body, where the endpoint asks for them. */
  readonly raw: E extends { readonly raw: true } ? Buffer : undefined
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

export type Answer<E extends Endpoint> = Reply<E> | Json<Reply<E>>

export type PrincipalFor<E extends Endpoint> = PrincipalOf<E['callers'][number]>

const DEFAULT_BODY_LIMIT = 1_048_576

/** The language to answer a request in. */
export function languageOf(request: FastifyRequest): Language {
  const { principal } = request
  const { lang: asked } = fieldsOf(request.query)
  return pickLanguage({
    asked: typeof asked === 'string' ? asked : undefined,
    chosen: request.cookies[LANGUAGE_COOKIE],
    own: principal?.kind === 'user' || principal?.kind === 'slicer' ? principal.language : null,
    accepted: request.headers['accept-language'],
  })
}

/** Refuses a caller that the route does not name, in the shape its clients know (docs/wire/rest.md 3). */
export function authorize(principal: Principal, callers: readonly Door[], ofAccount = false): void {
  const isNarrow = principal.kind === 'user' && principal.key != null && principal.key.printerIds !== null
  if (isLetIn(principal, callers) && !(ofAccount && isNarrow)) return
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
export function checkOf(schema: z.ZodType | undefined, part: 'params' | 'query' | 'body'): Check | undefined {
  if (schema === undefined) return undefined
  const lists = part === 'params' ? [] : listFields(schema)
  return async (value) => {
    if (isFields(value))
      for (const name of lists) if (typeof value[name] === 'string') value[name] = [value[name]]
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
  const body = checkOf(definition.body, 'body')
  serve(app, definition, {}, async (call) => {
    const { request, reply } = call
    const whole = {
      ...call,
      body: await body?.(request.body ?? {}),
      raw: definition.raw ? (request.body ?? Buffer.alloc(0)) : undefined,
    } as Call<E, PrincipalFor<E>>
    return answerWith(reply, definition, await handler(whole))
  })
}

/** A call of which the body has not been looked at. */
export type Bodiless<E extends Endpoint> = Omit<Call<E, PrincipalFor<E>>, 'body' | 'raw'>

/** What the kinds of routes have in common: the row, who is refused before the body, path and query, both slash forms. */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  definition: E,
  config: FastifyContextConfig,
  run: (call: Bodiless<E>) => Promise<FastifyReply>,
): void {
  const { method, path, callers } = definition
  app.routeTable.push({ kind: 'rest', method, path, callers, endpoint: definition })
  const params = checkOf(definition.params, 'params')
  const query = checkOf(definition.query, 'query')
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { principal, edge } = request
    reply.status(definition.status ?? 200)
    const checked = { params: await params?.(request.params), query: await query?.(request.query) }
    return await run({ principal, ...checked, edge, request, reply } as Bodiless<E>)
  }
  // Refused before the body is read: a stranger fills no memory.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    // `things/` matches `things/:id` with nothing in its place, but is the list.
    if (Object.values(request.params as object).includes('')) return reply.callNotFound()
    authorize(request.principal, callers, definition.ofAccount)
    if (definition.isPersonal) refuseActing(request.principal)
    if (method !== 'GET' && app.space.isFull && !definition.evenWhenDiskIsFull)
      throw diskFull(app.space.folder)
    reply.header('cache-control', 'no-store')
  }
  const bodyLimit = definition.bodyLimit ?? DEFAULT_BODY_LIMIT
  const both = { method, bodyLimit, config: { endpoint: definition, ...config }, onRequest, handler }
  app.route({ ...both, url: path })
  const bare = path.slice(0, -1)
  if (bare === '') return
  if (method === 'GET' && !definition.bothForms)
    app.route({ method, url: bare, config: { open: true }, handler: redirectToSlash })
  else app.route({ ...both, url: bare })
}

/** Sends what a handler has answered, unless it has sent something itself. */
export function answerWith<E extends Endpoint>(
  reply: FastifyReply,
  { response }: E,
  answer: Answer<E>,
): FastifyReply {
  if (reply.sent) return reply
  if (response === null) return reply.send()
  const text = answer instanceof Json ? answer.text : JSON.stringify(answer)
  return reply.type('application/json; charset=utf-8').send(text)
}

/** 301 to the slashed form, query kept, prefix kept. */
export function redirectToSlash(request: FastifyRequest, reply: FastifyReply) {
  const { url } = request
  const end = url.includes('?') ? url.indexOf('?') : url.length
  // An empty parameter matches too: that is another path.
  if (url[end - 1] === '/') return reply.callNotFound()
  return reply.redirect(`${request.edge.prefix}${url.slice(0, end)}/${url.slice(end)}`, 301)
}
