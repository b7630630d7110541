import { Binary, serialize } from 'bson'

/** What is asked of an agent's HTTP client; `timeout` in seconds. */
export interface AgentRequest {
  readonly ref: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeout: number
}

/** The functions of `requests` that agents can call. */
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])
const MAX_PATH = 8_192
const MAX_HEADERS = 32_768
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Agents resolve a path as a browser does a link: a backslash is a slash, and tabs and line ends are not there. */
const PATH = /^\/[^/\\\s\p{Cc}][^\\\s\p{Cc}]*$|^\/$/u

/** The method as agents know it; null for one that they do not. */
export function methodOf(method: string): string | null {
  const name = method.toLowerCase()
  return METHODS.has(name) ? name : null
}

/**
 * A path that an agent can only look for on its own printer: slashes at the beginning are one. Null for one that could lead
 * elsewhere, or that no address can have.
 */
export function pathOf(path: string): string | null {
  if (!path.startsWith('/') || path.length > MAX_PATH) return null
  const plain = path.replace(/^\/+/, '/')
  return PATH.test(plain) ? plain : null
}

/** Headers `Like-This`, as agents know them; null when one is no header, or when they are too many. */
export function headersOf(headers: Readonly<Record<string, string>>): Record<string, string> | null {
  const named: Record<string, string> = {}
  let size = 0
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name) || isBroken(value)) return null
    size += name.length + value.length
    named[name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (first) => first.toUpperCase())] = value
  }
  return size > MAX_HEADERS ? null : named
}

/** What would end a header's line, or is none of its characters. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const isBroken = (value: string) => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)

/** Beside what is said stands what kind of message it is (docs/wire/agents.md 4). */
const MARKS = { type: 'printer.message', as_binary: true } as const

/** One thing in a message, and in it exactly those keys that agents know (docs/wire/agents.md 4.3). */
export function requestMessage(request: AgentRequest, data: Uint8Array | null): Uint8Array {
  return serialize({ ...MARKS, 'http.tunnelv2': { ...request, data } })
}

/** Lengths that count the body: of the document, of the one in it, and of the bytes. */
const OUTER_AT = 0
const INNER_AT = serialize(MARKS).length - 1 + 1 + 'http.tunnelv2'.length + 1
/** The ends of both documents. */
const ENDS = 2
/** An empty body: its length, and of which kind it is. */
const EMPTY = 5

/** The same for a body of `length` bytes that follows: what stands before it, and after it. */
export function requestAround(request: AgentRequest, length: number): { head: Buffer; tail: Buffer } {
  const whole = Buffer.from(
    serialize({ ...MARKS, 'http.tunnelv2': { ...request, data: new Binary(Buffer.alloc(0)) } }),
  )
  const head = whole.subarray(0, whole.length - ENDS)
  for (const at of [OUTER_AT, INNER_AT, head.length - EMPTY])
    head.writeInt32LE(head.readInt32LE(at) + length, at)
  return { head, tail: whole.subarray(whole.length - ENDS) }
}

/** What is said of a websocket: exactly these four keys. */
export function socketMessage(
  ref: string,
  path: string,
  type: 'connect' | 'tunnel_message' | 'tunnel_close',
  data: string | null,
): Uint8Array {
  return serialize({ ...MARKS, 'ws.tunnel': { ref, path, data, type } })
}
