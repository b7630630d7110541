import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { isPrivateAddress } from '../lib/addresses.ts'

/** How the request reached us, as its sender sees it (docs/architecture.md). */
export interface Edge {
  /** `https://host:port`, without path. */
  readonly origin: string
  /** Path prefix a proxy put before us: `` or `/vigil`. */
  readonly prefix: string
  /** Client's address, from trusted proxies only. */
  readonly address: string
  /**
   * True when the client is on our own flat network: private peer, private Host and no forwarding header.
   * Only then are agents and browsers matched as one network (docs/rules/prints.md 4).
   */
  readonly isLocalNetwork: boolean
  /** Whether a proxy stands before us: none that shows, one that is believed, or one that is not. */
  readonly proxy: 'none' | 'trusted' | 'unknown'
}

export type EdgeReader = (request: IncomingMessage) => Edge

const FORWARDING = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'forwarded',
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'via',
]
const ANSWERS_KEPT = 1_000
const LONGEST_KEPT = 100
const PREFIX = /^(\/[A-Za-z0-9._~-]+)+$/
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/

/** What a name, an address or a port is written with; `readEdge` looks closer. */
const ONE_HOST = /^[\w.:[\]%~-]+$/

/**
 * Whether a request says once, and in its Host alone, whom it is for (RFC 9112, 3.2). Any other could be led to
 * another origin than the one that a proxy before us, or a cache, takes it for.
 */
export function namesOneHost({ rawHeaders, url }: IncomingMessage): boolean {
  let host: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'host') continue
    if (host !== undefined) return false
    host = rawHeaders[i + 1]
  }
  return host !== undefined && ONE_HOST.test(host) && url?.[0] === '/'
}

const first = (header: string | string[] | undefined) =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()

const isPrivateHost = remembering((host) => {
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[|\]$/g, '')
  if (isPrivateAddress(name)) return true
  return name === 'localhost' || name.endsWith('.local') || name.endsWith('.lan') || !name.includes('.')
})

/**
 * Makes the reader of a request's edge; forwarded headers count only when the peer is a trusted proxy. Raises
 * TypeError for a word that is no address. A request is read once and then remembered.
 */
export function createEdgeReader(trustedProxies: readonly string[]): EdgeReader {
  const trust = proxyAddr.compile([...trustedProxies])
  const peerOf = peerReader(trust)
  const seen = new WeakMap<IncomingMessage, Edge>()
  return (request) => {
    const known = seen.get(request)
    if (known) return known
    const edge = readEdge(request, trust, peerOf)
    seen.set(request, edge)
    return edge
  }
}

type Trust = (address: string, distance: number) => boolean

/** What is known of a peer's address; agents come anew for every picture. */
interface Peer {
  readonly isTrusted: boolean
  readonly isPrivate: boolean
  /** `::ffff:10.0.0.1` as `10.0.0.1`, so that one client has one key. */
  readonly plain: string
}

const peerReader = (trust: Trust) =>
  remembering((address): Peer => ({
    isTrusted: trust(address, 0),
    isPrivate: isPrivateAddress(address),
    plain: plain(address),
  }))

/** A function of a text that remembers its latest answers; of what is too long to be an address or a host, none. */
function remembering<T extends boolean | object>(answer: (text: string) => T): (text: string) => T {
  const answers = new LRUCache<string, T>({ max: ANSWERS_KEPT })
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const fresh = answer(text)
    if (text.length <= LONGEST_KEPT) answers.set(text, fresh)
    return fresh
  }
}

function readEdge(request: IncomingMessage, trust: Trust, peerOf: (address: string) => Peer): Edge {
  const { headers } = request
  const peer = request.socket.remoteAddress ?? '0.0.0.0'
  const { isTrusted: trusted, isPrivate, plain: own } = peerOf(peer)
  const said = (name: string) => (trusted ? first(headers[name]) : undefined) || undefined
  const isSecure = (said('x-forwarded-proto') ?? 'http').toLowerCase() === 'https'
  const host = withPort(
    said('x-forwarded-host') ?? first(headers.host) ?? '',
    said('x-forwarded-port'),
    isSecure,
  )
  const prefix = (said('x-forwarded-prefix') ?? '').replace(/(?<!\/)\/{1,9}$/, '')
  const safeHost = HOST.test(host) ? host.toLowerCase() : 'localhost'
  // nginx without any setting forwards as HTTP/1.0 and names itself as host: no agent or browser speaks that.
  const forwarded = request.httpVersion === '1.0' || FORWARDING.some((name) => headers[name] !== undefined)
  return {
    origin: `${isSecure ? 'https' : 'http'}://${safeHost}`,
    prefix: PREFIX.test(prefix) ? prefix : '',
    address: trusted ? plain(clientAddress(request, trust, peer)) : own,
    isLocalNetwork: !forwarded && isPrivate && isPrivateHost(safeHost),
    proxy: !forwarded ? 'none' : trusted ? 'trusted' : 'unknown',
  }
}

/** `X-Forwarded-Port` counts where the host has none: proxies configured with nginx's `$host` drop it. */
function withPort(host: string, port: string | undefined, isSecure: boolean): string {
  const isUsual = port === undefined || !/^\d{1,5}$/.test(port) || port === (isSecure ? '443' : '80')
  return isUsual || host === '' || /:\d{1,5}$/.test(host) ? host : `${host}:${port}`
}

/** The last address that no trusted proxy vouches for; words that are no address count as the peer. */
function clientAddress(request: IncomingMessage, trust: Trust, peer: string): string {
  const address = proxyAddr(request, trust)
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
  return ipaddr.isValid(address) ? address : peer
}

/** `::ffff:10.0.0.1` as `10.0.0.1`, so that one client has one key. */
function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
