import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, badRequest } from './errors.ts'

/** A file of a multipart body, whole in memory (capped while it streams). */
export interface Upload {
  readonly filename: string
  readonly bytes: Buffer
}

const MAX_DEPTH = 64
const MAX_FIELDS = 200

/** Nesting deeper than any product shape: refused before it is parsed, whatever stands in strings. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
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

/** JSON from a stranger: depth capped, prototype keys refused. Raises a 400 with DRF's words (api-contract 1.3). */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw badRequest('JSON parse error - nested too deeply')
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (FORBIDDEN.has(key)) throw new SyntaxError(`key ${JSON.stringify(key)} is not allowed`)
      return value
    })
  } catch (error) {
    throw badRequest(`JSON parse error - ${(error as Error).message}`)
  }
}

/** `a[]=1&a[]=2` and `a=1&a=2` as lists, single values as text (api-contract 1.1). */
export function parseForm(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_FIELDS) throw badRequest('Too many fields')
    addField(fields, name, value)
  }
  return { ...fields }
}

function addField(fields: Record<string, string | string[]>, name: string, value: string): void {
  const isList = name.endsWith('[]')
  const key = isList ? name.slice(0, -2) : name
  if (FORBIDDEN.has(key)) return
  const before = fields[key]
  if (before === undefined) fields[key] = isList ? [value] : value
  else fields[key] = [...(Array.isArray(before) ? before : [before]), value]
}

/** JSON, urlencoded and multipart on every endpoint (api-contract 1.1). */
export async function registerBodies(app: FastifyInstance): Promise<void> {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : parseJson(body as string))
    } catch (error) {
      done(error as Error)
    }
  })
  await app.register(formbody, { parser: parseForm })
  await app.register(multipart, {
    limits: { files: 4, fields: MAX_FIELDS, parts: MAX_FIELDS + 4, fieldSize: 1_048_576, fieldNameSize: 200 },
  })
}

/**
 * The body as an object, whatever its format; files of a multipart body become `Upload`s. A file over
 * `bodyLimit` bytes stops the reading at once: 413.
 */
export async function readBody(request: FastifyRequest, bodyLimit: number): Promise<unknown> {
  if (!request.isMultipart()) return request.body ?? {}
  const fields: Record<string, unknown> = Object.create(null)
  let left = bodyLimit
  for await (const part of request.parts({ limits: { fileSize: bodyLimit } })) {
    if (part.type === 'field') {
      addField(fields as Record<string, string>, part.fieldname, String(part.value))
      continue
    }
    const bytes = await part.toBuffer()
    left -= bytes.length
    if (left < 0) throw new AppError(413, { detail: 'Request body is too large.' })
    if (!FORBIDDEN.has(part.fieldname)) fields[part.fieldname] = { filename: part.filename, bytes } satisfies Upload
  }
  return { ...fields }
}
