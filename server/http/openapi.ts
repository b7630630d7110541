import type { Caller, Endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../ctx.ts'

type Json = Record<string, unknown>

const REF = '#/components/schemas/'

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tsd_sessionid',
    description: 'Browser session; over HTTPS browsers get it as __Host-tsd_sessionid',
  },
  oauth: { type: 'http', scheme: 'bearer', description: 'OAuth access token' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'An OAuth access token in a header',
  },
  slicer: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key, or the token that a slicer was given, also as bearer',
  },
  personalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'An API key that reaches as far as `read`, `operate` or `manage`, or farther; also as bearer',
  },
  printer: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: "`Token <auth_token>`: an agent's, by its printer",
  },
}

const securityOf = (callers: readonly (Caller | 'share')[]): Json[] =>
  callers.flatMap((caller): Json[] => {
    if (caller === 'anyone') return [{}]
    if (caller.startsWith('key:')) return [{ personalKey: [caller.slice('key:'.length)] }]
    if (caller === 'oauth') return [{ oauth: [] }, { apiKey: [] }]
    if (caller === 'assistant') return [{ slicer: [] }]
    return caller === 'share' ? [] : [{ [caller]: [] }]
  })

const detail = z.object({ detail: z.string() }).meta({ id: 'Detail' })
const fieldErrors = z.record(z.string(), z.array(z.string())).meta({
  id: 'FieldErrors',
  description: 'Messages beside the name of a field; `non_field_errors` for the rest',
})
const badToken = z
  .object({ error: z.string(), is_authenticated: z.literal('False') })
  .meta({ id: 'BadToken', description: 'An agent whose printer is gone or was linked anew' })

interface Other {
  readonly description: string
  readonly schemas: readonly z.ZodType[]
}

/** What an operation can answer beside success, by status: what all of its kind can, and what is its own. */
function othersOf(endpoint: Endpoint): Record<string, Other> {
  const { body, query, params, callers, answers = {}, response, status: success = 200 } = endpoint
  const others: Record<string, Other> = {
    // A credential is looked at wherever one is given.
    401: { description: 'No or unknown token', schemas: [detail, badToken] },
    default: { description: 'Anything else', schemas: [detail] },
  }
  if (body ?? query) others[400] = { description: 'What is wrong', schemas: [fieldErrors, detail] }
  if (!callers.includes('anyone'))
    others[403] = { description: 'No or bad credential, or not allowed', schemas: [detail] }
  if (params) others[404] = { description: 'Not found, or not yours', schemas: [detail] }
  for (const [status, own] of Object.entries(answers)) {
    const usual = Number(status) === success && response !== null
    const { description, schemas } = others[status] ?? {
      description: usual ? 'Success' : 'See the summary',
      schemas: usual ? [response] : [],
    }
    others[status] = { description, schemas: [own, ...schemas] }
  }
  return others
}

const jsonOf = (schema: Json) => ({ content: { 'application/json': { schema } } })

/** Schemas of the contract never change: each is turned once, whoever asks how often. */
const made = {
  input: new WeakMap<z.ZodType, Converted>(),
  output: new WeakMap<z.ZodType, Converted>(),
}

/** Turns zod into JSON schema, and collects what has a name. */
function createSchemas() {
  const components: Json = {}
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const one = made[io].get(schema) ?? converted(schema, io)
    made[io].set(schema, one)
    Object.assign(components, one.named)
    return one.json
  }
  return { components, convert }
}

interface Converted {
  readonly json: Json
  readonly named: Json
}

function converted(schema: z.ZodType, io: 'input' | 'output'): Converted {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Record<string, Json> }
  const { id } = root
  const all = Object.entries(typeof id === 'string' ? { ...$defs, [id]: root } : { ...$defs })
  const named = Object.fromEntries(all.map(([name, definition]) => [name, plain(definition)]))
  return { json: typeof id === 'string' ? { $ref: REF + id } : (plain(root) as Json), named }
}

/** References into our own components; `id` and `$id` are zod's, not OpenAPI's. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => !((key === 'id' || key === '$id') && typeof part === 'string'))
      .map(([key, part]) => {
        if (key === '$ref' && typeof part === 'string') return [key, part.replace(/^#\/\$defs\//, REF)]
        // A property may be called id: those are schemas, not names.
        return [key, key === 'properties' ? plainProperties(part as Json) : plain(part)]
      }),
  )
}

const plainProperties = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema)]))

function parametersOf(
  endpoint: Endpoint,
  convert: (schema: z.ZodType, io: 'input' | 'output') => Json,
): Json[] {
  const list = (schema: z.ZodType | undefined, place: 'path' | 'query') => {
    if (schema === undefined) return []
    const { properties = {}, required = [] } = convert(schema, 'input') as {
      properties?: Json
      required?: string[]
    }
    return Object.entries(properties).map(([name, one]) => {
      const isList = (one as Json)['type'] === 'array'
      return {
        name: isList ? `${name}[]` : name,
        in: place,
        required: place === 'path' || required.includes(name),
        schema: one,
      }
    })
  }
  return [...list(endpoint.params, 'path'), ...list(endpoint.query, 'query')]
}

function operationOf(endpoint: Endpoint, convert: (schema: z.ZodType, io: 'input' | 'output') => Json): Json {
  const tag = endpoint.path.split('/')[3] ?? 'api'
  const content = contentOf(endpoint, endpoint.body && convert(endpoint.body, 'input'))
  const answer = endpoint.response && convert(endpoint.response, 'output')
  const success = { description: 'Success', ...(answer ? jsonOf(answer) : {}) }
  const others = Object.entries(othersOf(endpoint)).map(([status, { description, schemas }]) => {
    const [one = {}, ...more] = schemas.map((schema) => convert(schema, 'output'))
    const { content } = jsonOf(more.length === 0 ? one : { anyOf: [one, ...more] })
    return [status, { description, content: endpoint.hasPlainRefusals ? { ...content, ...PLAIN } : content }]
  })
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[/:_]{1,9}(\w?)/g, (_, c: string) => c.toUpperCase())}`,
    summary: endpoint.summary,
    tags: [tag],
    security: securityOf(endpoint.callers),
    parameters: parametersOf(endpoint, convert),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [endpoint.status ?? 200]: success,
      ...(endpoint.leadsThere ? { 302: { description: 'The way there' } } : {}),
      ...Object.fromEntries(others),
    },
  }
}

const PLAIN = { 'text/plain': { schema: { type: 'string' } } }
const BYTES = { type: 'string', format: 'binary' }

/** Every operation takes three formats (docs/wire/rest.md 1), but for files and for bytes that are signed. */
function contentOf({ upload, raw }: Endpoint, fields: Json | undefined): Json | undefined {
  if (raw) return { 'application/octet-stream': { schema: BYTES } }
  if (upload === undefined) return fields && everyFormat(fields)
  const file = { type: 'object', properties: { [upload]: BYTES }, required: [upload] }
  return { 'multipart/form-data': { schema: fields ? { allOf: [fields, file] } : file } }
}

const everyFormat = (schema: Json): Json => ({
  'application/json': { schema },
  'application/x-www-form-urlencoded': { schema },
  'multipart/form-data': { schema },
})

/** The OpenAPI 3.1 document of every REST operation that is registered (docs/architecture.md). */
export function describeApi(app: FastifyInstance, version: string): Json {
  const { components, convert } = createSchemas()
  const paths: Record<string, Json> = {}
  for (const { kind, endpoint } of app.routeTable) {
    if (kind !== 'rest' || endpoint === undefined) continue
    const path = endpoint.path.replace(/:(\w{1,40})/g, '{$1}')
    const item = (paths[path] ??= {})
    item[endpoint.method.toLowerCase()] = operationOf(endpoint, convert)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Vigil', version, description: 'Watches over 3D printers. Paths end in a slash.' },
    paths,
    components: { schemas: components, securitySchemes: SECURITY_SCHEMES },
  }
}

/** Serves the document; made once, when first asked for, from what is registered by then. */
export function registerOpenApi(app: FastifyInstance, ctx: Ctx): void {
  const path = '/api/v1/openapi.json'
  let document: Json | undefined
  app.routeTable.push({ kind: 'page', method: 'GET', path, callers: ['anyone'] })
  app.get(path, { config: { open: true } }, async (request, reply) => {
    document ??= describeApi(app, ctx.config.version)
    const { origin, prefix } = request.edge
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ ...document, servers: [{ url: origin + prefix }] }))
  })
}
