import { LRUCache } from 'lru-cache'
import type { Id, PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import { type Authorized, byServer } from '../../core/access/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { forget, recall, tellEnded } from './ends.ts'
import { verifyForeignHash } from '../../../lib/foreign-hash.ts'
import { hashOf } from '../../../lib/signing.ts'
import { foreignHashOf, isPassword, isUsername, newCode, newSecret } from './grants.rules.ts'
import * as queries from './tunnels.queries.ts'
import type { TunnelKey, TunnelRow } from './tunnels.queries.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** Kept with internal tunnels; no app may call itself so. */
const OWN_APP = 'Vigil'
/** Names that no app may have: it would look like ours, or like the service whose clients we serve. */
const RESERVED = new Set([OWN_APP.toLowerCase(), 'obico'])
const MOST_OF_USER = 100
/** Two who want the same port at once: one tries the next. */
const TRIES = 5
const NOTED_MS = 60_000
/** Somebody may be looking at a page that asks for nothing: for so long a tunnel is not unused. */
const UNUSED_MS = 30 * 60_000
const MAKE = { name: 'make-tunnel', tries: 60, windowMs: 3_600_000 } as const

/** No port is free: the wire says 503 where an app asks, 484 where a page does. */
export class NoTunnelLeft extends Error {
  override readonly name = 'NoTunnelLeft'
}

/** Whether an app may be known by this name. */
export const isReserved = (ctx: Pick<Ctx, 'config'>, app: string): boolean =>
  RESERVED.has(app.trim().toLowerCase()) ||
  ctx.config.brands.some((brand) => brand.display_name.toLowerCase() === app.trim().toLowerCase())

/** The open tunnel behind an origin: by its code, or by its port. Null: revoked, its printer gone or archived, or never there. */
export async function tunnelByHost(
  ctx: Ctx,
  host: { readonly code: string } | { readonly port: number },
): Promise<TunnelRow | null> {
  return 'code' in host
    ? await find(ctx, { column: 'code', value: host.code.toLowerCase() })
    : await find(ctx, { column: 'port', value: host.port })
}

/** The app's tunnel that this user name and password open, whatever its origin; null where they open none. */
export async function tunnelOfApp(ctx: Ctx, user: string, password: string): Promise<TunnelRow | null> {
  if (!isUsername(user)) return null
  const row = await find(ctx, { column: 'username', value: user })
  if (!row?.passwordHash) return null
  const foreign = foreignHashOf(row.passwordHash)
  if (foreign === null) return isPassword(password, row.passwordHash) ? row : null
  if (!(await verifyForeignHash(foreign, password))) return null
  // From now on as quickly as with one of ours.
  await queries.renewHash(ctx.db, row, hashOf(password))
  forget(ctx)
  return row
}

const find = (ctx: Ctx, key: TunnelKey) =>
  recall(ctx, `${key.column}:${key.value}`, () => queries.findOpen(ctx.db, key))

/** Has a tunnel with these made, on a free port where ports tell tunnels apart. Raises `NoTunnelLeft`. */
async function allot(
  ctx: Ctx,
  printer: Authorized<'control'>,
  tunnel: Pick<Parameters<typeof queries.insertTunnel>[2], 'kind' | 'app' | 'username' | 'passwordHash'>,
): Promise<TunnelRow> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await portFor(ctx, printer)
    const id = await queries.insertTunnel(ctx.db, printer, { ...tunnel, port, code: newCode() })
    const row = id === null ? undefined : await queries.findOpen(ctx.db, { column: 'id', value: id })
    forget(ctx)
    if (row !== undefined) return row
    const other = tunnel.kind === 'internal' ? await queries.findInternal(ctx.db, printer) : undefined
    if (other !== undefined) return other
  }
  throw new NoTunnelLeft('ports are taken faster than they can be found')
}

async function portFor(ctx: Ctx, printer: Authorized<'control'>): Promise<number | null> {
  const { db, config, clock } = ctx
  const range = config.OCTOPRINT_TUNNEL_PORT_RANGE
  if (range === undefined) return null
  const free = () => queries.freePort(db, { ...range, taken: config.TUNNEL_PORTS_TAKEN })
  const port = await free()
  if (port !== null) return port
  await queries.revokeOrphans(db, new Date(clock.now()))
  const second = (await free()) ?? ((await makeWay(ctx, printer, range)) ? await free() : null)
  if (second === null) throw new NoTunnelLeft('all ports for tunnels are taken')
  return second
}

/** Has the tunnel of another owner that is longest unused give way; false where none does. */
async function makeWay(
  ctx: Ctx,
  printer: Authorized<'control'>,
  range: { readonly first: number; readonly last: number },
): Promise<boolean> {
  const before = new Date(ctx.clock.now() - UNUSED_MS)
  const unused = await queries.givesWay(ctx.db, printer, { ...range, before })
  const row = unused && (await queries.findOpen(ctx.db, { column: 'id', value: unused.id }))
  if (unused === null) return false
  await revokeTunnel(ctx, byServer(unused.printerId), unused.id)
  if (row) await audit(ctx, row, 'tunnel_gave_way', 'server')
  return true
}

/**
 * The tunnel of a printer for our own pages; made when first asked for, and anew when the operator has moved the ports.
 * Raises `NoTunnelLeft`.
 */
export async function internalTunnel(ctx: Ctx, printer: Authorized<'control'>): Promise<TunnelRow> {
  const row = await queries.findInternal(ctx.db, printer)
  if (row !== undefined && isPlaced(ctx, row)) return row
  if (row !== undefined) await revokeTunnel(ctx, printer, row.id)
  return await allot(ctx, printer, { kind: 'internal', app: OWN_APP })
}

function isPlaced({ config }: Ctx, { port }: TunnelRow): boolean {
  const range = config.OCTOPRINT_TUNNEL_PORT_RANGE
  if (range === undefined) return true
  return (
    port !== null && port >= range.first && port <= range.last && !config.TUNNEL_PORTS_TAKEN.includes(port)
  )
}

/** A tunnel that was just made for an app: its password is told this once. */
export interface AppTunnelMade {
  readonly tunnel: TunnelRow
  readonly user: string
  readonly password: string
}

/**
 * Makes a tunnel for an app, a new one each time. Raises `NoTunnelLeft`, 400 for the 101st of an account, 429 for too many in
 * an hour.
 */
export async function createAppTunnel(
  ctx: Ctx,
  printer: Authorized<'control', { readonly id: PrinterId; readonly userId: UserId }>,
  app: string,
): Promise<AppTunnelMade> {
  await spend(ctx, { limit: MAKE, who: `user:${printer.userId}` })
  if ((await queries.tunnelsOfApps(ctx.db, printer.userId)).length >= MOST_OF_USER)
    throw invalid({ non_field_errors: `An account has at most ${MOST_OF_USER} authorized apps.` })
  const [user, password] = [newSecret(), newSecret()]
  const tunnel = await allot(ctx, printer, {
    kind: 'app',
    app,
    username: user,
    passwordHash: hashOf(password),
  })
  await audit(ctx, tunnel, 'tunnel_made')
  return { tunnel, user, password }
}

/** The tunnels that a user has given to apps, the newest first. */
export const listAppTunnels = (ctx: Ctx, userId: UserId): Promise<queries.AppTunnel[]> =>
  queries.tunnelsOfApps(ctx.db, userId)

/** One of them; raises 404 for any other. */
export async function requireAppTunnel(ctx: Ctx, userId: UserId, id: number): Promise<queries.AppTunnel> {
  const tunnel = (await listAppTunnels(ctx, userId)).find((one) => one.id === id)
  if (tunnel === undefined) throw notFound()
  return tunnel
}

/** Takes a tunnel of this printer back: from now on it leads nowhere, and what is open through it ends, on every node. */
export async function revokeTunnel(
  ctx: Ctx,
  printer: Authorized<'control'>,
  id: Id<'tunnels'>,
): Promise<void> {
  await queries.revoke(ctx.db, printer, new Date(ctx.clock.now()), id)
  tellEnded(ctx, { tunnel: id })
}

/** The same by its user's wish, which is written down. */
export async function revokeAppTunnel(
  ctx: Ctx,
  printer: Authorized<'control'>,
  tunnel: queries.AppTunnel,
): Promise<void> {
  await revokeTunnel(ctx, printer, tunnel.id)
  await audit(ctx, tunnel, 'tunnel_revoked')
}

/** A printer goes: what is open ends, and with a printer that is deleted its tunnels are taken back. */
export async function printerGone(ctx: Ctx, printerId: PrinterId, isDeleted: boolean): Promise<void> {
  tellEnded(ctx, { printer: printerId })
  if (isDeleted) await queries.revoke(ctx.db, byServer(printerId), new Date(ctx.clock.now()))
  forget(ctx)
}

const notedBy = ofServer(() => new LRUCache<number, number>({ max: 10_000 }))

/** Notes that a tunnel was used: call with each request, it is written once a minute. Nobody waits for it. */
export function noteUse(ctx: Ctx, { id, lastUsedAt }: Pick<TunnelRow, 'id' | 'lastUsedAt'>): void {
  const known = notedBy(ctx)
  const now = ctx.clock.now()
  const before = known.get(id) ?? lastUsedAt?.getTime() ?? 0
  if (Math.abs(now - before) < NOTED_MS) return
  known.set(id, now)
  queries
    .touch(ctx.db, id, new Date(now))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'the use of a tunnel was not noted'))
}

async function audit(
  ctx: Ctx,
  { userId, printerId, app }: TunnelRow,
  action: string,
  actor = `user:${userId}`,
): Promise<void> {
  await writeAudit(ctx, {
    actor,
    userId,
    printerId,
    action,
    detail: { application: app },
  })
}
