import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { spend } from '../../../http/limits.ts'
import { byAddress } from '../../../http/limits.ts'
import type { TunnelPrincipal, UserPrincipal } from '../../../http/principal.ts'
import { isSessionOpen } from '../../people/accounts/index.ts'
import { noteUse, tunnelOfApp } from '../grants/grants.service.ts'
import { isUsername } from '../grants/grants.rules.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { basicIn, type Pass, passCookie, passIn, passLine, sealPass } from './pass.rules.ts'
import { originFor, type Place } from './places.rules.ts'
import { currentKey, readByKnownKey } from '../../../lib/keyring.ts'
import { digestOf, newToken } from '../../../lib/signing.ts'

/** A ticket is used at once, by the redirect that brings it. */
const TICKET_MS = 60_000
/** The session that it hangs on mostly ends before. */
const PASS_MS = 30 * 24 * 3_600_000
const WRONG = { name: 'tunnel-password', tries: 30, windowMs: 60_000 } as const

/** Where a ticket is shown. */
export const ENTRANCE = '/_tsd_/enter/'

const ticketKey = (ticket: string) => `tunnel:ticket:${digestOf(ticket)}`

interface Visit {
  readonly principal: UserPrincipal
  readonly edge: Edge
  readonly userAgent: string | undefined
}

/**
 * The address by which the owner enters an internal tunnel from the app: it holds a ticket, good once within a minute, for this
 * tunnel and this session. Null where no origin of the tunnel can be reached from where they are (484). Raises when the caller
 * has no browser session.
 */
export async function entranceTo(
  ctx: Ctx,
  tunnel: TunnelRow,
  { principal, edge, userAgent }: Visit,
): Promise<string | null> {
  const { userId, sessionId } = principal
  if (sessionId === null || userId !== tunnel.userId) throw new Error('only the owner in a browser enters')
  const origin = originOf(ctx, tunnel, edge, userAgent)
  if (origin === null) return null
  const ticket = newToken()
  const pass: Pass = {
    tunnel: tunnel.id,
    user: userId,
    session: sessionId,
    ends: ctx.clock.now() + PASS_MS,
    app: edge.origin,
  }
  await ctx.live.put(ticketKey(ticket), sealPass(currentKey(ctx.config).secret, pass), TICKET_MS)
  return `${origin}${ENTRANCE}?ticket=${ticket}`
}

/** The origin at which a tunnel is reached from where somebody reaches the app; null where there is none. */
export const originOf = (
  { config }: Pick<Ctx, 'config'>,
  tunnel: Pick<TunnelRow, 'code' | 'port'>,
  { origin, proxy }: Pick<Edge, 'origin' | 'proxy'>,
  userAgent?: string,
): string | null => originFor(config, tunnel, { origin, isProxied: proxy !== 'none', userAgent })

/** Takes a ticket in: the `Set-Cookie` line of the pass; null when it is used, old, or another tunnel's. */
export async function redeem(
  ctx: Ctx,
  { tunnel, place, ticket }: { tunnel: TunnelRow; place: Place; ticket: string },
): Promise<string | null> {
  const sealed = (await ctx.live.take(ticketKey(ticket)))?.toString()
  if (sealed === undefined) return null
  const isSecure = place.origin.startsWith('https:')
  const name = passCookie(tunnel.code, isSecure)
  const pass = readPass(ctx, tunnel, place, `${name}=${sealed}`)
  if (pass === null || !(await isGood(ctx, tunnel, pass))) return null
  return passLine(name, sealed, { app: pass.app, own: place.origin })
}

const readPass = (ctx: Ctx, tunnel: TunnelRow, { origin }: Place, cookies: string | undefined) =>
  readByKnownKey(ctx.config, (secret) =>
    passIn(secret, cookies, {
      code: tunnel.code,
      tunnelId: tunnel.id,
      isSecure: origin.startsWith('https:'),
      now: ctx.clock.now(),
    }),
  )

/** A printer that has another owner now, a session that was ended: the pass is void. */
const isGood = async (ctx: Ctx, { userId }: TunnelRow, pass: Pass) =>
  pass.user === userId && (await isSessionOpen(ctx, pass.session))

/** Who passes, and what is left of their credentials for the printer's page. */
export interface Passed {
  /** Null: an app, by its password. */
  readonly pass: Pass | null
  readonly authorization: string | null
}

interface Shown {
  readonly cookies: string | undefined
  readonly authorization: string | undefined
  readonly address: string
}

/** Lets the owner of an internal tunnel in by their pass, an app by the password of its own. Null: nobody. Raises 429 for too many wrong ones. */
export async function whoPasses(
  ctx: Ctx,
  tunnel: TunnelRow,
  place: Place,
  { cookies, authorization, address }: Shown,
): Promise<Passed | null> {
  if (tunnel.kind === 'internal') {
    const pass = readPass(ctx, tunnel, place, cookies)
    if (pass === null || !(await isGood(ctx, tunnel, pass))) return null
    return { pass, authorization: authorization ?? null }
  }
  const opened = await openedBy(ctx, authorization, address, (one) => one.id === tunnel.id)
  return opened && { pass: null, authorization: opened.rest }
}

/** The app's tunnel that a name and password in `authorization` open, and what else stands there. Raises 429 for too many wrong ones. */
async function openedBy(
  ctx: Ctx,
  authorization: string | undefined,
  address: string,
  isMeant: (tunnel: TunnelRow) => boolean,
): Promise<{ tunnel: TunnelRow; rest: string | null } | null> {
  const given = basicIn(authorization)
  for (const { user, password, rest } of given.slice(0, 3)) {
    const tunnel = await tunnelOfApp(ctx, user, password)
    if (tunnel !== null && isMeant(tunnel)) return { tunnel, rest }
  }
  // What a proxy asks for is no try at ours.
  if (given.some(({ user }) => isUsername(user))) await spend(ctx, ...byAddress(WRONG, address))
  return null
}

/** Who an app is that comes to the app's own origin with the password of its tunnel (docs/wire/browsers.md 6). */
export async function appPrincipal(
  ctx: Ctx,
  authorization: string,
  address: string,
): Promise<TunnelPrincipal | null> {
  const opened = await openedBy(ctx, authorization, address, () => true)
  if (opened === null) return null
  noteUse(ctx, opened.tunnel)
  return principalOf(opened.tunnel)
}

export const principalOf = ({ id, printerId, userId }: TunnelRow): TunnelPrincipal => ({
  kind: 'tunnel',
  tunnelId: id,
  printerId,
  userId,
})
