import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OurCookie } from '../lib/cookies.ts'
import { giveCookie, takeCookie } from './cookies.ts'
import type { Edge } from './edge.ts'

/** The cookie of plain HTTP, of path prefixes and of installed apps, which send it over HTTPS as well. */
const PLAIN = 'tsd_sessionid'
/**
 * The cookie of HTTPS: browsers take it from this very host alone, over TLS, so that no neighbour on a sub-domain
 * and nobody on a plain connection can put another one in its place.
 */
const HOST_ONLY = '__Host-tsd_sessionid'

/** A session's token as a request carries it. */
export interface SessionCookie {
  readonly name: OurCookie
  readonly token: string
}

/** Of so many cookies of one name each is looked at: others may live beside us on this host, and printers' pages too. */
const MOST_LOOKED_AT = 4

/**
 * The sessions that a request may be of, the one to be believed first. Whoever shares our host, on another port or below another
 * path, can put a second plain cookie beside ours: all are told of.
 */
export function sessionCookies({
  cookies,
  headers,
}: Pick<FastifyRequest, 'cookies' | 'headers'>): SessionCookie[] {
  return ([HOST_ONLY, PLAIN] as const).flatMap((name) => {
    const token = cookies[name]
    if (!token) return []
    const others = isOnce(headers.cookie ?? '', name) ? [] : tokensOf(headers.cookie ?? '', name)
    return [...new Set([token, ...others])].slice(0, MOST_LOOKED_AT).map((one) => ({ name, token: one }))
  })
}

const isOnce = (header: string, name: string) => header.indexOf(`${name}=`) === header.lastIndexOf(`${name}=`)

function tokensOf(header: string, name: string): string[] {
  const given = header.split(';').map((pair) => pair.trim())
  return given.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
}

/** Whether only we can have given this cookie. */
export const isHostOnly = ({ name }: SessionCookie): boolean => name === HOST_ONLY

/** A host-only cookie knows no path: below a prefix others may live beside us. */
const knowsHostOnly = ({ origin, prefix }: Edge) => origin.startsWith('https:') && prefix === ''
const nameAt = (edge: Edge) => (knowsHostOnly(edge) ? HOST_ONLY : PLAIN)

interface Handed {
  readonly token: string
  /** Null: until the browser closes. */
  readonly maxAgeSeconds: number | null
  /** The cookie that is renewed; without it a new session begins. */
  readonly name?: OurCookie
}

/** Hands the session's token to the browser. A new session takes the place of an older plain cookie. */
export function setSessionCookie(
  reply: FastifyReply,
  edge: Edge,
  { token, maxAgeSeconds, name = nameAt(edge) }: Handed,
): void {
  giveCookie(reply, edge, { name, value: token, maxAgeSeconds })
  if (name !== PLAIN && reply.request.cookies[PLAIN] !== undefined) takeCookie(reply, edge, PLAIN)
}

/** By which a browser is known again when somebody signs in: no session, and good for nothing else. */
const browserAt = (edge: Edge) => (knowsHostOnly(edge) ? '__Host-tsd_browser' : 'tsd_browser')
const BROWSER_SECONDS = 400 * 24 * 3600

/** Who a request comes from: the word that this browser was given, and what it calls itself. */
export interface Browser {
  readonly token: string | null
  readonly agent: string
}

/** From where a session is used, as its owner is shown it. */
export interface UsedFrom {
  readonly agent: string
  readonly address: string
}

const LONGEST_AGENT = 300
const agentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, LONGEST_AGENT)

export const usedFrom = (request: FastifyRequest): UsedFrom => ({
  agent: agentOf(request),
  address: request.edge.address,
})

export function browserOf(request: FastifyRequest): Browser {
  const token = request.cookies[browserAt(request.edge)] ?? ''
  return { token: /^[\w-]{43}$/.test(token) ? token : null, agent: agentOf(request) }
}

export function setBrowserCookie(reply: FastifyReply, edge: Edge, token: string): void {
  giveCookie(reply, edge, { name: browserAt(edge), value: token, maxAgeSeconds: BROWSER_SECONDS })
}

/** Takes back whichever of our cookies the browser has here. */
export function clearSessionCookie(reply: FastifyReply, edge: Edge): void {
  for (const name of new Set<OurCookie>([nameAt(edge), PLAIN])) takeCookie(reply, edge, name)
}
