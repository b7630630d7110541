import { isFields } from '@vigil/contract/fields.ts'
import { deserialize } from 'bson'
import { parseTolerant } from '../../../lib/tolerant-json.ts'

/** What came on a socket, as it came. */
export interface Message {
  readonly data: Buffer
  readonly isBinary: boolean
}

/** The frames of agents, by the first key present in the order of docs/wire/agents.md 4.3. */
export interface Frames {
  /** A message of the agent's Janus, as text. */
  readonly janus: { readonly kind: 'janus'; readonly text: string }
  /** Who takes it reads it as it came. */
  readonly tunnel: { readonly kind: 'tunnel' }
  readonly passthru: { readonly kind: 'passthru'; readonly item: Record<string, unknown> }
  readonly status: {
    readonly kind: 'status'
    readonly message: Record<string, unknown>
    readonly bytes: number
  }
}

export type FrameKind = keyof Frames

/** A frame, or why it is none. */
export type Frame = Frames[FrameKind] | { readonly kind: 'bad'; readonly why: string }

const TUNNEL_KEYS = ['http.tunnelv2', 'http.tunnel', 'ws.tunnel'] as const
/** Status and settings are a few kilobytes; a snapshot in a passthru reply is some megabytes. */
const MAX_STATUS = 1_048_576
const MAX_TEXT = 16 * 1_048_576
const MAX_VALUES = 100_000

const bad = (why: string): Frame => ({ kind: 'bad', why })

/** Reads a frame; whatever an agent sends, this answers and never throws (docs/wire/rest.md 1). */
export function decodeFrame(data: Buffer, isBinary: boolean): Frame {
  try {
    if (!isBinary || looksLikeJson(data))
      return data.length > MAX_TEXT || (data.length > MAX_STATUS && !isMostlyText(data))
        ? bad('too large')
        : sort(parseTolerant(data.toString('utf8')), data.length)
    const first = firstKey(data)
    if (TUNNEL_KEYS.some((key) => key === first)) return { kind: 'tunnel' }
    if (data.length > MAX_STATUS) return bad('too large')
    const document = deserialize(data, { promoteBuffers: true })
    return sort(JSON.parse(JSON.stringify(document)), data.length)
  } catch (error) {
    return bad(error instanceof Error ? error.message : 'unreadable')
  }
}

function sort(value: unknown, size: number): Frame {
  if (!isFields(value)) return bad('not an object')
  const message = value
  if (Object.hasOwn(message, 'janus')) {
    const text = message['janus']
    return typeof text === 'string' ? { kind: 'janus', text } : bad('janus is not a text')
  }
  if (TUNNEL_KEYS.some((key) => Object.hasOwn(message, key))) return { kind: 'tunnel' }
  if (Object.hasOwn(message, 'passthru')) {
    const item = message['passthru']
    return isFields(item) ? { kind: 'passthru', item } : bad('passthru is not an object')
  }
  return size > MAX_STATUS ? bad('too large') : { kind: 'status', message, bytes: size }
}

/** A BSON document may begin with the byte of a brace, but its length then goes on with control characters. */
const looksLikeJson = (data: Buffer) => data[0] === 123 && (data.length < 5 || (data[3] ?? 0) > 8)

/** What is large is a picture in base64. As many megabytes of small values would take seconds to parse. */
function isMostlyText(data: Buffer): boolean {
  let values = 0
  for (const sign of [',', '[', '{']) {
    for (let at = data.indexOf(sign); at !== -1; at = data.indexOf(sign, at + 1))
      if (++values > MAX_VALUES) return false
  }
  return true
}

/** The first key of a BSON document, without reading the rest: tunnel bodies are large. */
function firstKey(data: Buffer): string {
  const end = data.indexOf(0, 5)
  return end < 0 || end > 64 ? '' : data.toString('latin1', 5, end)
}
