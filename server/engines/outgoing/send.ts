import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Config } from '../../config.ts'
import { blockListOf } from '../../lib/addresses.ts'
import { AddressRefused, guardedLookup, refuseLiteral } from './guard.ts'

/** A call of ours to somebody else's server. */
export interface Outgoing {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** `person`: somebody has named the address, so it is guarded. `vendor`: we have. */
  readonly namedBy: 'person' | 'vendor'
  /** In all, milliseconds; 5 s unless given. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The first 64 KB. */
  readonly text: string
}

/** Why nobody has answered. */
type Why = 'mayNotBeCalled' | 'timedOut' | 'unreachable'

/** Nobody has answered: away, too slow, or not to be called. `isRefused`: trying again changes nothing. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly why: Why
  readonly host: string
  /** What the system calls it: `ECONNREFUSED`. */
  readonly code: string
  readonly isRefused: boolean
  constructor(why: Why, { host, code = '' }: { readonly host: string; readonly code?: string }) {
    super(`${host}: ${why}${code === '' ? '' : ` (${code})`}`)
    this.why = why
    this.host = host
    this.code = code
    this.isRefused = why === 'mayNotBeCalled'
  }
}

const TIMEOUT_MS = 5_000
const MOST_BYTES = 65_536
const AGENT = 'Vigil'

type Needs = Pick<Config, 'NOTIFY_NETWORKS' | 'OUTGOING_STAND_INS'>

/** Where a call goes in truth: tests have stand-ins for vendors. */
function targetOf({ OUTGOING_STAND_INS }: Needs, asked: string): { url: URL; isStandIn: boolean } {
  const url = URL.parse(asked)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new NoAnswer('mayNotBeCalled', { host: asked })
  const standIn = OUTGOING_STAND_INS.get(url.origin)
  if (standIn === undefined) return { url, isStandIn: false }
  return { url: new URL(url.pathname + url.search, standIn), isStandIn: true }
}

/**
 * Calls a server and reads its answer, whatever its status; a redirect is an answer as any other, and not followed. Limited in
 * time and size. What people have named is resolved once, looked at, and connected to as it was looked at
 * (docs/wire/tell.md 1). Raises `NoAnswer`.
 */
export async function send(config: Needs, call: Outgoing): Promise<Answered> {
  const { url, isStandIn } = targetOf(config, call.url)
  const guarded = call.namedBy === 'person' && !isStandIn
  const allowed = blockListOf(config.NOTIFY_NETWORKS)
  const signals = [AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS), ...(call.signal ? [call.signal] : [])]
  const options: RequestOptions = {
    method: call.method ?? 'POST',
    agent: false,
    signal: AbortSignal.any(signals),
    headers: {
      'user-agent': AGENT,
      accept: '*/*',
      ...call.headers,
      'content-length': String(Buffer.byteLength(call.body ?? '')),
    },
    ...(guarded ? { lookup: guardedLookup(allowed) } : {}),
  }
  try {
    if (guarded) refuseLiteral(url.hostname, allowed)
    return await exchange(url, options, call.body)
  } catch (error) {
    throw asNoAnswer(error, url)
  }
}

function asNoAnswer(error: unknown, { host }: URL): NoAnswer {
  if (error instanceof AddressRefused) return new NoAnswer('mayNotBeCalled', { host })
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return new NoAnswer('timedOut', { host })
  return new NoAnswer('unreachable', { host, code: code ?? message })
}

function exchange(url: URL, options: RequestOptions, body: Outgoing['body']): Promise<Answered> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      const parts: Buffer[] = []
      let size = 0
      const done = () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).subarray(0, MOST_BYTES).toString('utf8'),
        })
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size < MOST_BYTES) return
        done()
        sent.destroy()
      })
      answer.on('end', done)
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
