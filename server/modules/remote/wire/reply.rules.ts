import { BSON, contentOf, type Element, elementsOf, textOf } from './bson.rules.ts'

/** What an agent answers to a request. */
export interface Reply {
  readonly kind: 'http'
  readonly ref: string
  readonly status: number
  /** The body is zlib's (RFC 1950). */
  readonly isCompressed: boolean
  /** Shared with the message. */
  readonly content: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

/** What an agent says of a websocket: a frame of the printer's page, or that it has ended. */
export interface SocketNews {
  readonly kind: 'socket'
  readonly ref: string
  readonly type: 'octoprint_message' | 'octoprint_close'
  readonly data: string | Buffer
}

const LONGEST_REF = 100
const MAX_HEADERS = 100
const MAX_COOKIES = 50
/** Of what an agent names so many are looked at; the rest is left out. */
const LOOKED_AT = 500
const LONGEST_HEADER = 8_192
const MAX_HEADER_BYTES = 65_536
const NOTHING = Buffer.alloc(0)
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Of one connection, of the body as it came to the agent, or told by `cookies`: not those of the answer. */
const NOT_OURS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'set-cookie2',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Reads what an agent put under a tunnel's key; null for what makes no sense. Strangers write these (docs/wire/agents.md 4.3). */
export function readReply(message: Buffer): Reply | SocketNews | null {
  try {
    const [first] = elementsOf(message, 0, message.length)
    if (first?.type !== BSON.document) return null
    if (first.name === 'http.tunnelv2') return readHttp(message, first)
    return first.name === 'ws.tunnel' ? readSocket(message, first) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const named = (message: Buffer, { start, end }: Element) =>
  new Map([...elementsOf(message, start, end)].map((element) => [element.name, element]))

function readHttp(message: Buffer, document: Element): Reply | null {
  const outer = named(message, document)
  const ref = refOf(message, outer)
  const response = outer.get('response')
  if (ref === null || response?.type !== BSON.document) return null
  const { status, compressed, content, headers, cookies } = Object.fromEntries(named(message, response))
  return {
    kind: 'http',
    ref,
    status: status?.type === BSON.int32 ? message.readInt32LE(status.start) : 0,
    isCompressed: compressed?.type === BSON.boolean && message[compressed.start] === 1,
    content: (content && contentOf(message, content)) ?? NOTHING,
    headers: headers?.type === BSON.document ? readHeaders(message, headers) : {},
    cookies: cookies?.type === BSON.array ? readCookies(message, cookies) : [],
  }
}

function refOf(message: Buffer, of: ReadonlyMap<string, Element>): string | null {
  const ref = of.get('ref')
  return ref === undefined ? null : textOf(message, ref, LONGEST_REF)
}

function* firstOf(message: Buffer, start: number, end: number): Generator<Element> {
  let count = 0
  for (const element of elementsOf(message, start, end)) {
    if (++count > LOOKED_AT) return
    yield element
  }
}

/** Those that can stand in an answer of ours; too many, and the rest is left out. */
function readHeaders(message: Buffer, { start, end }: Element): Record<string, string> {
  const headers: Record<string, string> = {}
  let [count, size] = [0, 0]
  for (const element of firstOf(message, start, end)) {
    const name = element.name.toLowerCase()
    const value = textOf(message, element, LONGEST_HEADER)
    if (value === null || !TOKEN.test(name) || NOT_OURS.has(name) || !isLine(value)) continue
    size += name.length + value.length
    if (++count > MAX_HEADERS || size > MAX_HEADER_BYTES) break
    headers[name] = value
  }
  return headers
}

function readCookies(message: Buffer, { start, end }: Element): string[] {
  const cookies: string[] = []
  for (const element of firstOf(message, start, end)) {
    const line = textOf(message, element, LONGEST_HEADER)
    if (line !== null && isLine(line)) cookies.push(line)
    if (cookies.length === MAX_COOKIES) break
  }
  return cookies
}

/** Of a header's characters alone: visible ones of Latin-1, spaces and tabs. */
const isLine = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

function readSocket(message: Buffer, document: Element): SocketNews | null {
  const of = named(message, document)
  const ref = refOf(message, of)
  const [type, data] = [of.get('type'), of.get('data')]
  const kind = type && textOf(message, type, 20)
  if (ref === null || (kind !== 'octoprint_message' && kind !== 'octoprint_close')) return null
  const content = (data && contentOf(message, data)) ?? NOTHING
  return { kind: 'socket', ref, type: kind, data: data?.type === BSON.string ? content.toString() : content }
}
