import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Config } from '../../config.ts'
import { NoAnswer } from './send.ts'

/** What is read of a vendor's server. */
export interface Reading {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Hosts that may be read from, also after a redirect: always by https, at its own port. */
  readonly hosts: readonly string[]
  readonly mostBytes: number
  /** In all, milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** More came than may. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

type Needs = Pick<Config, 'OUTGOING_STAND_INS'>
const MOST_REDIRECTS = 3

/**
 * Reads what a vendor's server has there, from named hosts alone, whole or not at all; what it sends on to is looked at the same way, and
 * is told no credential. Raises `NoAnswer`, and `TooLong` for more than may come.
 */
export async function readVendor(config: Needs, reading: Reading): Promise<Got> {
  const late = AbortSignal.timeout(reading.timeoutMs)
  const signal = reading.signal ? AbortSignal.any([late, reading.signal]) : late
  let { url, headers } = reading
  for (let tries = 0; ; tries++) {
    const target = targetOf(config, url, reading.hosts)
    const got = await once(target, { signal, headers, mostBytes: reading.mostBytes })
    const onward = got.headers['location']
    if (![301, 302, 303, 307, 308].includes(got.status) || typeof onward !== 'string') return got
    if (tries === MOST_REDIRECTS) throw new NoAnswer('unreachable', { host: target.host })
    const next = URL.parse(onward, url)
    if (next === null) throw new NoAnswer('mayNotBeCalled', { host: target.host })
    if (next.origin !== new URL(url).origin) headers = undefined
    url = next.href
  }
}

/** Tests have stand-ins for vendors. */
function targetOf({ OUTGOING_STAND_INS }: Needs, asked: string, hosts: readonly string[]): URL {
  const url = URL.parse(asked)
  const isNamed = url !== null && url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname)
  if (!isNamed || url.username !== '' || url.password !== '')
    throw new NoAnswer('mayNotBeCalled', { host: url?.host ?? '' })
  const standIn = OUTGOING_STAND_INS.get(url.origin)
  return standIn === undefined ? url : new URL(url.pathname + url.search, standIn)
}

interface One {
  readonly signal: AbortSignal
  readonly headers: Reading['headers']
  readonly mostBytes: number
}

async function once(url: URL, { signal, headers, mostBytes }: One): Promise<Got> {
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
  try {
    return await new Promise((resolve, reject) => {
      const sent = ask(url, {
        method: 'GET',
        agent: false,
        signal,
        headers: { 'user-agent': 'Vigil', ...headers },
      })
      sent.on('error', reject)
      sent.on('response', (answer) => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > mostBytes) return void sent.destroy(new TooLong(`${url.host} sends more than may come`))
          parts.push(part)
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        )
      })
      sent.end()
    })
  } catch (error) {
    if (error instanceof TooLong) throw error
    if (signal.aborted) throw new NoAnswer('timedOut', { host: url.host })
    throw new NoAnswer('unreachable', { host: url.host, code: error instanceof Error ? error.message : '' })
  }
}
