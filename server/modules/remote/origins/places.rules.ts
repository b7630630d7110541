import type { Config } from '../../../config.ts'

/** Where a request came in, when it is for a tunnel (docs/wire/remote.md 1). */
export interface Place {
  /** What names the tunnel; null for a name that none can have. */
  readonly key: { readonly code: string } | { readonly port: number } | null
  /** The name of the protected space in a challenge: the code or the port. */
  readonly name: string
  readonly way: 'port' | 'name'
  /** Of the tunnel, as the browser has it. */
  readonly origin: string
  /** Where the app most likely is, when nobody has said: without a slash at its end. */
  readonly app: string
}

type Settings = Pick<
  Config,
  | 'OCTOPRINT_TUNNEL_PORT_RANGE'
  | 'TUNNEL_PORTS_TAKEN'
  | 'TUNNEL_DOMAIN'
  | 'TUNNEL_LOCAL_NAMES'
  | 'PUBLIC_URL'
  | 'PORT'
  | 'hasUsualTunnelPorts'
>

const CODE = /^[0-9a-f]{16}$/
const LOCAL = /^([0-9a-f]{16})\.(localhost|[a-z0-9-]+\.local)$/

/**
 * The tunnel's place that a request's origin, or the port at which it came in, names; null: the request is for the app. A port
 * decides before a name. In a `Host` a port counts only where the operator has named the range, since a proxy may stand before it.
 */
export function placeOf(settings: Settings, origin: string, localPort: number | undefined): Place | null {
  const url = new URL(origin)
  const range = settings.OCTOPRINT_TUNNEL_PORT_RANGE
  const isOurs = (port: number | undefined) =>
    range !== undefined && port !== undefined && port >= range.first && port <= range.last
  const named = settings.hasUsualTunnelPorts ? undefined : portOf(url)
  const port = [localPort, named].find(isOurs)
  if (port !== undefined) {
    return { key: { port }, name: String(port), way: 'port', origin, app: besidePort(settings, url) }
  }
  const host = url.hostname.replace(/\.$/, '')
  const place = { way: 'name', origin } as const
  const domain = settings.TUNNEL_DOMAIN && `.tunnels.${settings.TUNNEL_DOMAIN}`
  if (domain !== undefined && host.endsWith(domain)) {
    const code = host.slice(0, -domain.length)
    const key = CODE.test(code) ? { code } : null
    return { ...place, key, name: key === null ? 'unknown' : code, app: atDomain(settings, url) }
  }
  const [, code, rest] = LOCAL.exec(host) ?? []
  if (code === undefined || (rest !== 'localhost' && !settings.TUNNEL_LOCAL_NAMES)) return null
  return { ...place, key: { code }, name: code, app: `${url.protocol}//${rest}${colon(url.port)}` }
}

const colon = (port: string | number) => (port === '' ? '' : `:${port}`)
const portOf = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80)

function besidePort({ PUBLIC_URL, PORT }: Settings, { hostname, protocol }: URL): string {
  if (PUBLIC_URL !== undefined && new URL(PUBLIC_URL).hostname === hostname) return PUBLIC_URL
  return `${protocol}//${hostname}${protocol === 'https:' ? '' : colon(PORT)}`
}

function atDomain({ PUBLIC_URL, TUNNEL_DOMAIN }: Settings, { protocol, port }: URL): string {
  return PUBLIC_URL ?? `${protocol}//${TUNNEL_DOMAIN}${colon(port)}`
}

/** How somebody reaches the app who shall reach a tunnel the same way. */
interface Visitor {
  /** Of the app, as they have it. */
  readonly origin: string
  /** Whether a proxy stands before us. */
  readonly isProxied: boolean
  readonly userAgent: string | undefined
}

/**
 * The origin at which a tunnel is reached by somebody who reaches the app so; null where there is no way: no port, and no name
 * that leads here.
 */
export function originFor(
  settings: Settings,
  tunnel: { readonly code: string; readonly port: number | null },
  { origin, isProxied, userAgent = '' }: Visitor,
): string | null {
  const app = new URL(origin)
  if (settings.TUNNEL_DOMAIN !== undefined) {
    const isNear = `.${app.hostname}`.endsWith(`.${settings.TUNNEL_DOMAIN}`)
    const { protocol, port } = isNear ? app : new URL(settings.PUBLIC_URL ?? origin)
    return `${protocol}//${tunnel.code}.tunnels.${settings.TUNNEL_DOMAIN}${colon(port)}`
  }
  const isLocal = app.hostname === 'localhost' && !isSafari(userAgent)
  if (isLocal || (settings.TUNNEL_LOCAL_NAMES && /^[a-z0-9-]+\.local$/.test(app.hostname)))
    return `${app.protocol}//${tunnel.code}.${app.host}`
  const range = settings.OCTOPRINT_TUNNEL_PORT_RANGE
  const { port } = tunnel
  if (port === null || range === undefined || port < range.first || port > range.last) return null
  if (settings.TUNNEL_PORTS_TAKEN.includes(port)) return null
  // Nobody has led a proxy to ports that were not named.
  if (settings.hasUsualTunnelPorts && isProxied) return null
  return `${app.protocol}//${app.hostname}:${port}`
}

/** It asks the system where `*.localhost` is, which does not know. */
const isSafari = (userAgent: string) => /Safari\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)
