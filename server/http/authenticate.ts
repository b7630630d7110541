import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { isDatabaseDown } from '../engines/db/postgres.ts'
import { AppError, forbidden } from './errors.ts'
import type {
  PrinterPrincipal,
  Principal,
  SlicerPrincipal,
  TunnelPrincipal,
  UserPrincipal,
} from './principal.ts'
import { isHostOnly, sessionCookies, type UsedFrom, usedFrom } from './session-cookie.ts'

/** Who stands behind a credential; each answers null for an unknown one. */
export interface Credentials {
  session(token: string, from?: UsedFrom): Promise<UserPrincipal | null>
  /** Raises 429 when a slicer asks too often, or `address` came with too many that are unknown. */
  accessToken(token: string, address: string): Promise<UserPrincipal | SlicerPrincipal | null>
  printerToken(token: string): Promise<PrinterPrincipal | null>
  /** An app, by a name and password in `Authorization`. Raises 429 when `address` came with too many that are wrong. */
  tunnel?(authorization: string, address: string): Promise<TunnelPrincipal | null>
  /** Seconds for which the browser shall keep its cookie, when it is time to tell it again (at most once a day). */
  renewSession?(token: string): Promise<number | null>
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
const ANONYMOUS: Principal = { kind: 'anonymous' }
/** Where apps come with the password of a tunnel; elsewhere it may be a proxy's, and is nobody's business. */
const OF_APPS = /^\/ws\/janus\/\d+\/?$/

/** An unknown printer token: the flag is the *string* `False` (docs/wire/rest.md 3). */
const inactiveToken = () =>
  new AppError(
    401,
    { error: 'Invalid or Inactive Token', is_authenticated: 'False' },
    { 'www-authenticate': 'Token' },
  )

/** `Authorization` as scheme and credential; proxies may join several with commas (docs/wire/agents.md 4.1). */
function credentialsOf(header: string | undefined): { scheme: string; value: string }[] {
  return (header ?? '').split(',').flatMap((part) => {
    const match = /^\s*(\S+)\s+(\S+)\s*$/.exec(part)
    return match?.[1] && match[2] ? [{ scheme: match[1].toLowerCase(), value: match[2] }] : []
  })
}

/**
 * The one place that turns a request into a principal (docs/self-hosting.md): agent's token, OAuth bearer or
 * X-API-KEY, an app's password where apps come, then the browser's session. A printer's bearer is known on `/ws/dev/` alone.
 * Raises 401 or 403 in the shape of docs/wire/rest.md 3.
 */
export async function authenticate(request: FastifyRequest, credentials: Credentials): Promise<Principal> {
  const path = request.url.split('?', 1)[0] ?? '/'
  const given = credentialsOf(request.headers.authorization)
  if (path === '/ws/dev/' || path === '/ws/dev') {
    const bearer = given.find(({ scheme }) => scheme === 'bearer')
    return (bearer && (await patiently(() => credentials.printerToken(bearer.value)))) ?? ANONYMOUS
  }
  const agent = given.find(({ scheme }) => scheme === 'token')
  if (agent) {
    const principal = await credentials.printerToken(agent.value)
    if (principal === null) throw inactiveToken()
    return principal
  }
  const key = request.headers['x-api-key'] || undefined
  const bearer =
    given.find(({ scheme }) => scheme === 'bearer')?.value ?? (typeof key === 'string' ? key : undefined)
  if (bearer !== undefined) {
    const principal = await credentials.accessToken(bearer, request.edge.address)
    if (principal === null) throw forbidden('Authentication credentials are invalid.')
    return principal
  }
  // Before anything that a browser does on its own accord: signing in counts too.
  gateCrossSite(request)
  const isApp = OF_APPS.test(path) && given.some(({ scheme }) => scheme === 'basic')
  const app = isApp
    ? await credentials.tunnel?.(request.headers.authorization ?? '', request.edge.address)
    : null
  return app ?? (await bySession(request, credentials)) ?? ANONYMOUS
}

/**
 * Whose session it is. One that somebody else on this host has put beside ours is of no use to them: a cookie that we alone can
 * give counts first, and two plain ones of different sessions count as none (docs/wire/remote.md 8).
 */
async function bySession(request: FastifyRequest, credentials: Credentials): Promise<UserPrincipal | null> {
  let found: UserPrincipal | null = null
  for (const cookie of sessionCookies(request)) {
    const principal = await credentials.session(cookie.token, usedFrom(request))
    if (principal === null) continue
    if (isHostOnly(cookie)) return principal
    if (found !== null && found.sessionId !== principal.sessionId)
      throw forbidden('Two sessions at once: sign out, or remove the cookies of this site.')
    found = principal
  }
  return found
}

/** An agent that is refused waits two minutes before it comes again (docs/wire/agents.md 8.3): it is held instead. */
const HOLD_MS = 100_000
const RETRY_MS = 500

/** Asks until the database answers, for as long as an agent's handshake may be held. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + HOLD_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseDown(error) || performance.now() > end) throw error
      await sleep(RETRY_MS)
    }
  }
}

/**
 * A cookie is no proof of intent: unsafe methods and websockets must come from our own pages. A browser's word on
 * it is Sec-Fetch-Site, or Origin where it says no more (plain HTTP). Native apps and agents send neither and pass
 * (docs/wire/rest.md 1).
 */
function gateCrossSite(request: FastifyRequest): void {
  const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
  if (SAFE.has(request.method) && !isSocket) return
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  if (site !== undefined) throw forbidden('Cross-site request refused.')
  const { origin } = request.headers
  if (origin !== undefined && hostOf(origin) !== hostOf(request.edge.origin)) {
    throw forbidden('Cross-site request refused.')
  }
}

/** Host and port of an origin; `null` and other odd ones have none, and equal nothing. */
function hostOf(origin: string): string | symbol {
  return URL.canParse(origin) ? new URL(origin).host : Symbol(origin)
}
