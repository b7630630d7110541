import { isOurCookie } from '../lib/cookies.ts'
import { routesOf } from './served.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/**
 * Every cookie that a test is given by the API is called as ours are, and every JSON answer that a test fetches from it is held against the OpenAPI document of the server that gave it:
 * what the document does not say, no test may see. A worker's files share it; `each.setup.ts` asks it after each test.
 */

interface Answer {
  readonly origin: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly isJson: boolean
  /** Names of cookies that it sets. */
  readonly cookies: readonly string[]
  readonly text: Promise<string | null>
}

type Responses = Record<string, { content?: unknown }>
interface Document {
  readonly paths: Record<string, Record<string, { responses: Responses }>>
}

const documents = new Map<string, Promise<Checker | null>>()
/** The same document is served by every server of a process. */
const checkers = new Map<string, Checker>()
let answers: Answer[] = []

type Fetch = typeof globalThis.fetch
const real: Fetch = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const response = await real(input, init)
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
  if (!/^\/(api\/v1p?|ent)\//.test(pathname) || pathname.endsWith('/openapi.json')) return response
  // Waited for: a server that is closed meanwhile would wait for this connection.
  if (!documents.has(origin)) documents.set(origin, documentOf(origin))
  await documents.get(origin)
  answers.push({
    origin,
    method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toLowerCase(),
    path: pathname,
    status: response.status,
    isJson: response.headers.get('content-type')?.startsWith('application/json') ?? false,
    cookies: response.headers.getSetCookie().map((line) => line.split('=', 1)[0] ?? ''),
    // an answer that breaks off is the test's own affair
    text: response
      .clone()
      .text()
      .catch(() => null),
  })
  return response
}

/** Raises an error for the answers since it was last asked that the document does not describe. */
export async function checkAnswers(): Promise<void> {
  const heard = answers
  answers = []
  const faults: string[] = []
  for (const answer of heard) {
    const checker = await documents.get(answer.origin)
    const fault = (await checker?.(answer)) ?? null
    if (fault !== null) faults.push(fault)
    for (const name of answer.cookies)
      if (!isOurCookie(name)) faults.push(`${answer.path} sets ${name}, which no tunnel would know for ours`)
  }
  if (faults.length > 0)
    throw new Error(`The OpenAPI document does not describe these answers:\n${faults.join('\n')}`)
}

async function documentOf(origin: string): Promise<Checker | null> {
  const routes = routesOf(origin)
  const same = routes === undefined ? undefined : checkers.get(routes)
  if (same !== undefined) return same
  const text = await real(`${origin}/api/v1/openapi.json`, { signal: AbortSignal.timeout(5_000) })
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null)
  if (text === null) return null
  // whose it is stands at its end
  const key = text.slice(0, text.lastIndexOf('"servers":'))
  const checker = checkers.get(key) ?? checkerOf(JSON.parse(text) as Document)
  checkers.set(key, checker)
  if (routes !== undefined) checkers.set(routes, checker)
  return checker
}

type Checker = (answer: Answer) => Promise<string | null>

const escaped = (word: string) => word.replaceAll('~', '~0').replaceAll('/', '~1')

/** Says what is wrong with an answer, or null. */
function checkerOf(document: Document): Checker {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    allowUnionTypes: true,
    code: { optimize: false },
  })
  ajv.addSchema(document, 'document')
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (path: string, method: string, status: string) => {
    const place = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema']
    const $ref = `document#/${place.map((word) => encodeURIComponent(escaped(word))).join('/')}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate
  }
  // `prints/stats/` is not a print of that name.
  const places = (path: string) => path.split('{').length
  const byPlaces = Object.keys(document.paths).toSorted((a, b) => places(a) - places(b))
  const patterns = byPlaces.map(
    (path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`), path] as const,
  )
  return async ({ method, path, status, isJson, text }) => {
    const known = patterns.find(([pattern]) => pattern.test(path))?.[1]
    const responses = document.paths[known ?? '']?.[method]?.responses
    const said = await text
    if (known === undefined || responses === undefined || said === null) return null
    // A way to elsewhere.
    if (status === 301 || status === 302) return null
    const key = Object.hasOwn(responses, status) ? String(status) : 'default'
    const where = `${method.toUpperCase()} ${path} ${status}`
    if (responses[key]?.content === undefined) return said === '' ? null : `${where}: has a body`
    // What the asker has already is not said again.
    if (status === 304 && said === '') return null
    if (!isJson) return status >= 400 ? null : `${where}: is no JSON`
    const validate = validatorOf(known, method, key)
    if (validate(JSON.parse(said))) return null
    const [error] = validate.errors ?? []
    return `${where}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)} in ${said.slice(0, 300)}`
  }
}
