import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, badRequest, invalid, tooLarge, unavailable } from './errors.ts'
import { parseMultipart } from './multipart.ts'
import { callerKey } from './principal.ts'
import { textOf } from '../lib/thrown.ts'

/** A file of a multipart body, whole in memory (capped while it streams). */
export interface Upload {
  readonly filename: string
  readonly bytes: Buffer
}

/** True of a field that came as a file, and not as a text. */
export const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && Buffer.isBuffer(value.bytes)

const MAX_DEPTH = 64
const MAX_FIELDS = 1000

/** Nesting deeper than any product shape: refused before it is parsed, whatever stands in strings. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const c = json.charCodeAt(i)
    if (quoted) {
      if (c === 92) i++
      else if (c === 34) quoted = false
    } else if (c === 34) quoted = true
    else if (c === 91 || c === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (c === 93 || c === 125) depth--
  }
  return false
}

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
/** A text without these cannot hold a forbidden key: only the others pay for the slow way. */
const SUSPICIOUS = /__proto__|constructor|prototype|\\u/

const notAllowed = (key: string) =>
  invalid({ [key === '__proto__' ? 'non_field_errors' : key]: `The key "${key}" is not allowed.` })

/** Walks by itself: JSON.parse takes twenty times as long when it is to call somebody for each value. */
function refuseForbidden(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach(refuseForbidden)
  for (const [key, inner] of Object.entries(value)) {
    if (FORBIDDEN.has(key)) throw notAllowed(key)
    refuseForbidden(inner)
  }
}

/** JSON from a stranger: depth capped, prototype keys refused. Raises a 400 with DRF's words (docs/wire/rest.md 3). */
export function parseJson(json: string): unknown {
  if (isTooDeep(json)) throw badRequest('JSON parse error - nested too deeply')
  try {
    const value: unknown = JSON.parse(json)
    if (SUSPICIOUS.test(json)) refuseForbidden(value)
    return value
  } catch (error) {
    if (error instanceof AppError) throw error
    throw badRequest(`JSON parse error - ${textOf(error)}`)
  }
}

type Fields = Record<string, unknown>

function addField(fields: Fields, name: string, value: unknown): void {
  const isList = name.endsWith('[]')
  const key = isList ? name.slice(0, -2) : name
  const before = fields[key]
  if (before === undefined) fields[key] = isList ? [value] : value
  else if (Array.isArray(before)) before.push(value)
  else fields[key] = [before, value]
}

/**
 * `a[]=1&a[]=2` and `a=1&a=2` as lists, single values as text (docs/wire/rest.md 1). Never throws: the router calls
 * it outside of any error handling. What cannot be stored is left out.
 */
export function parseQuery(query: string): Fields {
  const fields: Fields = Object.create(null)
  if (query === '') return fields
  for (const [name, value] of new URLSearchParams(query)) {
    if (!FORBIDDEN.has(name.replace(/\[\]$/, ''))) addField(fields, name, value)
  }
  return fields
}

function collect(pairs: Iterable<readonly [string, unknown]>): Fields {
  const fields: Fields = Object.create(null)
  let count = 0
  for (const [name, value] of pairs) {
    const key = name.replace(/\[\]$/, '')
    if (FORBIDDEN.has(key)) throw notAllowed(key)
    if (++count > MAX_FIELDS) throw badRequest('Too many fields.')
    addField(fields, name, value)
  }
  return fields
}

/** An urlencoded body as fields. Raises 400. */
export const parseForm = (form: string): Fields => collect(new URLSearchParams(form))

/** A multipart body as fields; files are `Upload`s. Raises 400 or 413. */
export async function parseMultipartForm(body: Buffer, contentType: string): Promise<Fields> {
  const parts = await parseMultipart(body, contentType)
  return collect(
    parts.map((part) =>
      part.kind === 'field'
        ? ([part.name, part.value] as const)
        : ([part.name, { filename: part.filename, bytes: part.bytes } satisfies Upload] as const),
    ),
  )
}

/** Pictures and files travel as multipart alone: a text of megabytes would take long to parse. */
const MAX_TEXT = 1_048_576

/**
 * Reads a whole body of up to `limit` bytes, counted while it comes in. Raises 400 when it is cut off, 413, and 503
 * when all that comes in together is too much.
 */
function readBody(request: FastifyRequest, payload: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (error: AppError) => {
      end()
      chunks.length = 0
      reject(error)
    }
    const holding = request.server.intake.open(callerKey(request.principal, request.edge), () =>
      stop(unavailable('The server is busy with large uploads. Please try again.')),
    )
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return stop(tooLarge())
      chunks.push(chunk)
      holding.add(chunk.length)
    }
    const finish = () => {
      end()
      const [only] = chunks
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, size))
    }
    const cut = () => stop(badRequest('The body was cut off.'))
    const end = () => {
      holding.release()
      payload.off('data', take).off('end', finish).off('close', cut)
    }
    payload.on('data', take).on('end', finish).on('close', cut).on('error', cut)
  })
}

/** A body that nobody reads may be anything. */
const isUnread = ({ routeOptions }: FastifyRequest) => {
  const { endpoint, form } = routeOptions.config
  return !form && endpoint?.body === undefined && endpoint?.raw === undefined
}
const isStreamed = ({ routeOptions }: FastifyRequest) => routeOptions.config.streams === true
const isRaw = ({ routeOptions }: FastifyRequest) => routeOptions.config.endpoint?.raw === true

/**
 * JSON, urlencoded and multipart on every endpoint (docs/wire/rest.md 1), each whole in memory up to the route's
 * limit, which is enforced while the body streams in.
 */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const read = (type: string, most: number, parse: (body: Buffer, type: string) => unknown): void => {
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
      if (isStreamed(request)) return
      if (isUnread(request)) return void payload.resume()
      const { bodyLimit, config } = request.routeOptions
      const limit = config.endpoint?.largeJson ? bodyLimit : Math.min(bodyLimit, most)
      const body = await readBody(request, payload, limit)
      return isRaw(request) ? body : await parse(body, request.headers['content-type'] ?? '')
    })
  }
  read('application/json', MAX_TEXT, (body) => (body.length === 0 ? {} : parseJson(body.toString())))
  read('application/x-www-form-urlencoded', MAX_TEXT, (body) => parseForm(body.toString()))
  read('multipart/form-data', Infinity, parseMultipartForm)
  // No body needs no type.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (isStreamed(request)) return
    if (isRaw(request))
      return await readBody(request, payload, Math.min(request.routeOptions.bodyLimit ?? MAX_TEXT, MAX_TEXT))
    const isEmpty =
      request.headers['content-length'] === '0' ||
      (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
    payload.resume()
    if (isEmpty || isUnread(request)) return {}
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.slice(0, 100)
    throw new AppError(415, { detail: `Unsupported media type "${type}" in request.` })
  })
}
