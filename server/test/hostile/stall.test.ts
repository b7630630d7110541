import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { serialize } from 'bson'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { inSuite } from '../../../scripts/suites.ts'
import type { RouteRow } from '../../http/route.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../app.ts'
import { connectAgent } from '../wire/agent.ts'
import { readCapture } from '../wire/replay.ts'
import { StallMeter } from './stall.ts'
import { inHeader, type Worst, WORST } from './worst.ts'

/** Thousands of tries one after the other: this only ends what would never end. A test that ran out would go on beside the next. */
const ENDLESS = { timeout: 3_600_000 }
/** The longest that one request or frame may keep all others waiting. */
const LONGEST_STALL_MS = 50
const LARGE = 100_000
/** What may pass as a file's text, a message, a name. */
const HEADERS = [
  'host',
  'cookie',
  'authorization',
  'x-api-key',
  'origin',
  'referer',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-none-match',
  'if-modified-since',
  'range',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-csrftoken',
]
const LENGTHS = [LARGE, 10_000, 2000, 1000, 200, 100, 40]
/** Each with each length: what a limit refuses at once may be endless below it. */
function* worstOf(...lengths: number[]): Generator<[Worst, number]> {
  for (const worst of WORST) for (const length of lengths) yield [worst, length]
}
const worstAt = (n: number): Worst => WORST[n % WORST.length] as Worst
/** Node takes 16 KB of headers, the address among them. */
const IN_HEAD = 14_000
/** What is before a route is the same for all: of the worst characters each meets one in so many, its neighbours the others. */
const SHARES = inSuite(8, 3)
/** The same of texts that a field may hold: `--all` has each field meet them all. */
const SHARES_OF_FIELDS = inSuite(4, 1)

const meter = new StallMeter()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let app: TestApp
let user: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
const stalls: string[] = []

beforeAll(async () => {
  app = await buildTestApp({ env: { ACCOUNT_ALLOW_SIGN_UP: 'true' } })
  user = await aUser(app)
  printer = await aPrinter(app, user)
})
afterAll(async () => {
  agent.destroy()
  await meter.close()
  await app?.close()
})

/** Notes what stalls three times out of three: once may be the collector's or the compiler's. */
async function probe(what: string, deed: () => Promise<unknown>): Promise<void> {
  meter.announce(what)
  let least = Infinity
  for (let i = 0; i < 3 && least > LONGEST_STALL_MS; i++)
    least = Math.min(least, (await meter.measure(deed)).ms)
  if (least > LONGEST_STALL_MS) stalls.push(`${what}: ${Math.round(least)} ms`)
}

let counter = 0

/** Sends and waits for the end of the answer, whatever it is; a cut connection is an answer too. */
async function send(
  { method, callers }: Pick<RouteRow, 'method' | 'callers'>,
  path: string,
  { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<number> {
  const n = ++counter
  return await new Promise((resolve) => {
    const sent = request(app.url + path, {
      agent,
      method,
      headers: {
        ...(callers.includes('printer') ? { authorization: `Token ${printer.auth_token}` } : {}),
        ...(callers.includes('session') ? { cookie: user.cookie } : {}),
        'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        ...headers,
      },
    })
    sent.on('response', (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

const typed = (type: string, body: string | Buffer) => ({ body, headers: { 'content-type': type } })
const json = (value: unknown) => typed('application/json', Buffer.from(JSON.stringify(value)))
/** These take away what the others need. */
const isEnding = ({ path }: RouteRow) => /\/(logout|archive)\//.test(path)
const routes = (): RouteRow[] => app.server.app.routeTable.filter(({ kind }) => kind !== 'socket')
const filled = (path: string) =>
  path.replace(':id', path.includes('/printers/') ? `${printer.id}` : '1').replaceAll(/:\w+/g, 'x')
const spent = (path: string, text: string) => path.replaceAll(/:\w+|\*/g, () => text)

const longest = new WeakMap<z.ZodType, number>()
/** How long a text may be here. */
function longestOf(schema: z.ZodType): number {
  const known = longest.get(schema)
  if (known !== undefined) return known
  const found = LENGTHS.find((length) => schema.safeParse('a'.repeat(length)).success) ?? 40
  longest.set(schema, found)
  return found
}

/**
 * A value of this shape with the text wherever one may stand; `n` picks among the forms that it may have. Without a `length` each text is
 * as long as it may be there and other kinds are right, so that what lies behind the check is reached.
 */
function fill(schema: z.ZodType, worst: Worst, n: number, length: number | null): unknown {
  const { def } = schema._zod as unknown as { def: Record<string, any> }
  const next = (inner: z.ZodType) => fill(inner, worst, n, length)
  if (def.innerType) return next(def.innerType)
  if (def.type === 'object')
    return Object.fromEntries(Object.entries<z.ZodType>(def.shape).map(([key, one]) => [key, next(one)]))
  if (def.type === 'array') return [next(def.element)]
  if (def.type === 'tuple') return def.items.map(next)
  if (def.type === 'record') return { [worst.of(1000)]: next(def.valueType) }
  if (def.type === 'union') return next(def.options[n % def.options.length])
  if (length !== null) return worst.of(length)
  if (def.type === 'pipe') return next(def.in._zod.def.type === 'transform' ? def.out : def.in)
  if (def.type === 'number') return 1
  if (def.type === 'boolean') return true
  if (def.type === 'enum') return Object.values(def.entries)[0]
  if (def.type === 'unknown' || def.type === 'custom') return undefined
  return worst.of(longestOf(schema))
}

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? schema.shape : {}

/** So many texts of 100 kB are a body that is still taken; where more stand in one field they share that. */
const AT_ONCE = 9
const textsIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + textsIn(one), 0)
    : 1

/** Every field meets its share of everything as long as it may be, and of it with 100 kB, among others like it. */
function* bodies(schema: z.ZodType, turn: number): Generator<[string, unknown]> {
  const fields = Object.entries(shapeOf(schema))
  for (const [n, worst] of WORST.entries()) {
    const isShare = n % SHARES === turn % SHARES
    for (let i = isShare ? 0 : fields.length; i < fields.length; i += AT_ONCE) {
      const some = fields.slice(i, i + AT_ONCE)
      const fillAll = (length: number) =>
        Object.fromEntries(some.map(([key, one], k) => [key, fill(one, worstAt(n + k), n, length)]))
      const length = Math.floor((LARGE * AT_ONCE) / Math.max(AT_ONCE, textsIn(fillAll(1))))
      yield [`fields of ${length / 1000} kB from ${worst.name} on`, fillAll(length)]
    }
    if (isShare && fields.length === 0) yield [`100 kB ${worst.name}`, fill(schema, worst, n, LARGE)]
    if (n % SHARES_OF_FIELDS === turn % SHARES_OF_FIELDS)
      yield [`fields as long as may be ${worst.name}`, fill(schema, worst, n, null)]
  }
}

/** The bodies of a recorded frame, with the text in one place after the other. */
function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
}

function replaced(value: unknown, [key, ...rest]: string[], text: string): unknown {
  if (key === undefined) return text
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, text)
  return copy
}

const escaped = (text: string) =>
  encodeURIComponent(text.toWellFormed()).slice(0, IN_HEAD).replace(/%.?$/, '')
const bare = (text: string) => text.replaceAll(/[^\x21-\x7e]|[#?]/g, '!').slice(0, IN_HEAD)

describe('the worst characters keep nobody waiting for 50 ms', ENDLESS, () => {
  it('100 kB of them in the body of any route', async () => {
    for (const [turn, row] of routes().entries()) {
      const schema = row.endpoint?.body
      if (schema === undefined || isEnding(row)) continue
      const path = filled(row.path)
      for (const [what, body] of bodies(schema, turn)) {
        // What it takes to write it is no matter of the server's, which runs in this process, too.
        const sent = json(body)
        await probe(`${row.method} ${row.path} ${what}`, () => send(row, path, sent))
      }
    }
    expect(stalls.splice(0)).toEqual([])
  })

  it('up to 100 kB of them as a body of any type', async () => {
    const rows = routes().filter(
      ({ path }) => path === '/api/v1/octo/printer_events/' || path === '/api/v1/auth/login/',
    )
    expect(rows).toHaveLength(2)
    const many = `[${'[],'.repeat(LARGE / 3)}"constructor"]`
    for (const row of rows)
      await probe(`${row.path} many`, () => send(row, row.path, typed('application/json', many)))
    const head = '--x\r\nContent-Disposition: form-data; name="'
    for (const row of rows) {
      for (const [{ name, of }, length] of worstOf(LARGE, 8000, 100)) {
        const text = of(length)
        const tries = {
          json: typed('application/json', text),
          'json text': typed('application/json', JSON.stringify(text)),
          'json list': typed('application/json', `[${text}]`),
          'json key': json({ [text]: text.slice(0, 1000) }),
          form: typed('application/x-www-form-urlencoded', text),
          'form value': typed('application/x-www-form-urlencoded', `email=${text}`),
          'form name': typed('application/x-www-form-urlencoded', `${text}=1`),
          multipart: typed('multipart/form-data; boundary=x', text),
          'multipart head': typed('multipart/form-data; boundary=x', `--x\r\n${text}`),
          'multipart name': typed('multipart/form-data; boundary=x', `${head}${text}\r\n\r\nx\r\n--x--`),
          'multipart closed name': typed(
            'multipart/form-data; boundary=x',
            `${head}${text}"\r\n\r\nx\r\n--x--`,
          ),
          'multipart file name': typed(
            'multipart/form-data; boundary=x',
            `${head}a"; filename="${text}"\r\n\r\nx\r\n--x--`,
          ),
          'multipart file': typed(
            'multipart/form-data; boundary=x',
            `${head}snapshot"; filename="a"\r\n\r\n${text}\r\n--x--`,
          ),
          'multipart field': typed(
            'multipart/form-data; boundary=x',
            `${head}event_text"\r\n\r\n${text}\r\n--x--`,
          ),
        }
        for (const [kind, body] of Object.entries(tries))
          await probe(`${row.path} ${kind} of ${length} ${name}`, () => send(row, row.path, body))
      }
    }
    expect(stalls.splice(0)).toEqual([])
  })

  it('up to 14 kB of them in the path and in the query of any route', async () => {
    for (const [turn, row] of routes().entries()) {
      const names = [...Object.keys(shapeOf(row.endpoint?.query)), 'x']
      const share = WORST.filter((_, at) => at % SHARES === turn % SHARES)
      for (const [at, { name, of }] of share.entries()) {
        const n = turn + at
        const length = (n >> 1) % 2 ? IN_HEAD : 400
        const text = n % 2 ? escaped(of(length)) : bare(of(length))
        const hasPlace = /[:*]/.test(row.path)
        const field = names[n % names.length]
        if (hasPlace)
          await probe(`${row.method} ${row.path} at ${name}`, () => send(row, spent(row.path, text)))
        if (row.method === 'GET')
          await probe(`${row.path}?${field}=${name}`, () => send(row, `${filled(row.path)}?${field}=${text}`))
      }
    }
    expect(stalls.splice(0)).toEqual([])
  })

  it('up to 14 kB of them in any header that is read', async () => {
    const rows = routes().filter(
      ({ path, method }) => method === 'GET' && (path === '/api/v1/users/me/' || path === '/*'),
    )
    expect(rows.map(({ path }) => path).sort()).toEqual(['/*', '/api/v1/users/me/'])
    for (const row of rows) {
      for (const header of HEADERS) {
        for (const [{ name, of }, length] of worstOf(IN_HEAD))
          await probe(`${row.path} ${header}: ${name}`, () =>
            send(row, filled(row.path), { headers: { [header]: inHeader(of(length)) } }),
          )
      }
    }
    expect(stalls.splice(0)).toEqual([])
  })
})

/** Waits until everything sent on a socket has been taken. */
async function taken(ws: WebSocket): Promise<void> {
  if (ws.readyState !== WebSocket.OPEN) return
  await new Promise<void>((resolve) => {
    const done = () => {
      ws.off('pong', done)
      ws.off('close', done)
      resolve()
    }
    ws.on('pong', done)
    ws.on('close', done)
    ws.ping()
  })
}

const say = (ws: WebSocket, data: string | Buffer) => async (): Promise<void> => {
  ws.send(data, { binary: typeof data !== 'string' })
  await taken(ws)
}

/** The longest recorded frame of each kind that an agent sends, by its first key. */
function kindsOfFrames(): Map<string, object> {
  const kinds = new Map<string, object>()
  for (const name of ['klipper-1-linking', 'klipper-2-shutdown', 'octoprint-1-prints']) {
    for (const { msg, kind } of readCapture(name)) {
      if (kind !== 'json' || msg === undefined || Object.keys(msg).length === 0) continue
      const key = Object.keys(msg).sort().join()
      if (JSON.stringify(msg).length > JSON.stringify(kinds.get(key) ?? 0).length) kinds.set(key, msg)
    }
  }
  const response = {
    status: 200,
    compressed: false,
    content: 'x',
    cookies: null,
    headers: { 'Content-Type': 'x' },
  }
  return kinds
    .set('http.tunnelv2', { 'http.tunnelv2': { ref: 'r1', response } })
    .set('ws.tunnel', { 'ws.tunnel': { ref: '7', data: 'x', type: 'octoprint_message' } })
}

describe('nor do they on a socket', ENDLESS, () => {
  it('100 kB of them in a frame of any kind from an agent', async () => {
    const kinds = kindsOfFrames()
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining([
        'current_print_ts,status',
        'current_print_ts,event,status',
        'settings',
        'passthru',
        'janus',
        'http.tunnelv2',
      ]),
    )
    const { ws } = await connectAgent(app, printer.auth_token)
    for (const [kind, frame] of kinds) {
      const places = leavesOf(frame)
      for (const [n, { name, of }] of WORST.entries()) {
        const long = replaced(frame, places[n % places.length] ?? [], of(LARGE)) as object
        const short = places.reduce((one, place) => replaced(one, place, of(200)) as object, frame)
        for (const [how, one] of Object.entries({ long, short, key: { ...frame, [of(LARGE)]: 1 } })) {
          await probe(`${kind} ${how} ${name}`, say(ws, JSON.stringify(one)))
          if (how === 'long') await probe(`${kind} in BSON ${name}`, say(ws, Buffer.from(serialize(one))))
        }
      }
    }
    for (const { name, of } of WORST) {
      await probe(`no JSON ${name}`, say(ws, of(LARGE)))
      await probe(`no BSON ${name}`, say(ws, Buffer.from(of(LARGE))))
      await probe(`bare words ${name}`, say(ws, `{"status":{"a":NaN,"b":"${of(LARGE)}`))
    }
    expect(stalls.splice(0)).toEqual([])
    expect(ws.readyState).toBe(WebSocket.OPEN)
    ws.terminate()
  })

  it('100 kB of them in a frame of a browser', async () => {
    // The wizard's hears nothing: whatever is said there is a sign of life.
    const browsers = app.server.app.routeTable.filter(({ path }) => path.startsWith('/ws/web/'))
    expect(browsers).toHaveLength(2)
    for (const { path } of browsers) {
      let ws: WebSocket | null = null
      for (const { name, of } of WORST) {
        const text = of(LARGE)
        const line = of(900)
        const call = {
          target: '_printer',
          func: 'commands',
          ref: line.slice(0, 60),
          args: [line],
          kwargs: {},
        }
        const script = {
          ...call,
          target: 'moonraker_api',
          func: 'printer/gcode/script',
          args: [],
          kwargs: { script: line },
        }
        const frames = [text, JSON.stringify({ passthru: text }), JSON.stringify({ [text]: text })]
        for (const one of [call, script, { ...call, args: [text] }, { ...call, func: text, ref: text }])
          frames.push(JSON.stringify({ passthru: one }))
        for (const frame of frames) {
          if (ws?.readyState !== WebSocket.OPEN) {
            ws = new WebSocket(app.wsUrl + filled(path), {
              headers: { cookie: user.cookie, origin: app.url },
            })
            await once(ws, 'open')
          }
          await probe(`${path} ${name}`, say(ws, frame))
        }
      }
      ws?.terminate()
    }
    expect(stalls.splice(0)).toEqual([])
  })
})

describe('who asks afterwards', () => {
  it('is still known, so the routes above were reached', async () => {
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie: user.cookie })).status).toBe(200)
    expect((await call(app, 'GET', '/api/v1/octo/printer/', { agent: printer.auth_token })).status).toBe(200)
  })
})
