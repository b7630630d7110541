

/** An element of a BSON document; its value lies between `start` and `end`. */
interface Element {
  readonly type: number
  readonly name: string
  readonly start: number
  readonly end: number
}

const BSON = { string: 2, document: 3, array: 4, binary: 5, boolean: 8, int32: 16 } as const

/** How long a value of a kind is that has one length. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8 }
const MOST = 1_000
const LONGEST_NAME = 256

/**
 * The elements of the document that begins at `at`, none of them read: a body of many megabytes is not touched, and a stranger's
 * million of small ones makes no million of values. Raises an error on what is no document, or has more than MOST of them.
 */
function* elementsOf(bytes: Buffer, at: number, limit: number): Generator<Element> {
  const end = at + bytes.readInt32LE(at)
  if (end > limit || end < at + 5 || bytes[end - 1] !== 0) throw new RangeError('no BSON document')
  let next = at + 4
  for (let count = 0; next < end - 1; count++) {
    if (count === MOST) throw new RangeError('too many elements')
    const type = bytes.readUInt8(next)
    const nameEnd = bytes.subarray(0, Math.min(end, next + LONGEST_NAME)).indexOf(0, next + 1)
    if (nameEnd < 0) throw new RangeError('a name does not end')
    const name = bytes.toString('utf8', next + 1, nameEnd)
    const start = nameEnd + 1
    next = start + lengthOf(bytes, type, start)
    if (next > end - 1) throw new RangeError('a value does not end')
    yield { type, name, start, end: next }
  }
}

function lengthOf(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED[type]
  if (fixed !== undefined) return fixed
  const length = bytes.readInt32LE(at)
  if (length < 0) throw new RangeError('a length below nothing')
  if (type === BSON.string) return 4 + length
  if (type === BSON.document || type === BSON.array) return length
  if (type === BSON.binary) return 5 + length
  throw new RangeError(`elements of type ${type} are not used`)
}

/** Text or bytes as bytes, shared with the document; null for anything else. */
function contentOf(bytes: Buffer, { type, start, end }: Element): Buffer | null {
  if (type === BSON.string) return bytes.subarray(start + 4, Math.max(start + 4, end - 1))
  return type === BSON.binary ? bytes.subarray(start + 5, end) : null
}

/** A text; null for anything else, or a longer one. */
function textOf(bytes: Buffer, element: Element, longest: number): string | null {
  if (element.type !== BSON.string || element.end - element.start > longest + 5) return null
  return contentOf(bytes, element)?.toString('utf8') ?? null
}

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
