import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** How the request reached us, as its sender sees it (issue 3, part 1). */
export interface Edge {
  /** `https://host:port`, without path. */
  readonly origin: string
  /** Path prefix a proxy put before us: `` or `/vigil`. */
  readonly prefix: string
  /** Client's address, from trusted proxies only. */
  readonly address: string
  /**
   * True when the client is on our own flat network: private peer, private Host and no forwarding header.
   * Only then are agents and browsers matched as one network (issue 3, part 3).
   */
  readonly isLocalNetwork: boolean
}

export type EdgeReader = (request: IncomingMessage) => Edge

const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']
const PREFIX = /^(\/[A-Za-z0-9._~-]+)+$/
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/

const first = (header: string | string[] | undefined) =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()

/** True for loopback, private and link-local addresses, IPv4-mapped ones included. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const range = ipaddr.process(address).range()
  return ['loopback', 'private', 'linkLocal', 'uniqueLocal'].includes(range)
}

function isPrivateHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  if (isPrivateAddress(name)) return true
  return name === 'localhost' || name.endsWith('.local') || name.endsWith('.lan') || !name.includes('.')
}

/** Makes the reader of a request's edge; forwarded headers count only when the peer is a trusted proxy. */
export function createEdgeReader(trustedProxies: readonly string[]): EdgeReader {
  const trust = proxyAddr.compile([...trustedProxies])
  return (request) => {
    const { headers } = request
    const peer = request.socket.remoteAddress ?? '0.0.0.0'
    const trusted = trust(peer, 0)
    const forwarded = FORWARDING.some((name) => headers[name] !== undefined)
    const proto = (trusted && first(headers['x-forwarded-proto'])) || 'http'
    const host = (trusted && first(headers['x-forwarded-host'])) || first(headers.host) || 'localhost'
    const prefix = (trusted && first(headers['x-forwarded-prefix'])?.replace(/\/+$/, '')) || ''
    const safeHost = HOST.test(host) ? host : 'localhost'
    return {
      origin: `${proto === 'https' ? 'https' : 'http'}://${safeHost}`,
      prefix: PREFIX.test(prefix) ? prefix : '',
      address: plain(trusted ? proxyAddr(request, trust) : peer),
      isLocalNetwork: !forwarded && isPrivateAddress(peer) && isPrivateHost(safeHost),
    }
  }
}

/** `::ffff:10.0.0.1` as `10.0.0.1`, so that one client has one key. */
function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
