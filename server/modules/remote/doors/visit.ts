import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { type Edge, namesOneHost } from '../../../http/edge.ts'
import { AppError } from '../../../http/errors.ts'
import { sessionEnded } from '../../people/accounts/index.ts'
import { inNameOf } from '../../../http/principal.ts'
import { tunnelByHost } from '../grants/grants.service.ts'
import { noteUse } from '../grants/grants.service.ts'
import { whenRevoked } from '../grants/ends.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { isOverCap } from '../grants/usage.service.ts'
import { isFromElsewhere } from '../origins/pass.rules.ts'
import { type Passed, whoPasses } from '../origins/pass.service.ts'
import type { Place } from '../origins/places.rules.ts'
import type { Trouble } from './trouble.pages.ts'

/** A request on a tunnel's origin. */
export interface Visit {
  readonly app: FastifyInstance
  readonly ctx: Ctx
  readonly place: Place
  readonly edge: Edge
  readonly request: IncomingMessage
  readonly path: string
}

/** Somebody who may use this tunnel. */
export interface Guest extends Passed {
  readonly tunnel: TunnelRow
}

/** Nobody is let in: what is said instead. `asks`: a password is asked for. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly trouble: Trouble
  readonly asks: boolean
  /** The printer whose page was meant. */
  readonly tunnel: TunnelRow | null
  constructor(
    trouble: Trouble,
    { asks = false, tunnel = null }: { asks?: boolean; tunnel?: TunnelRow | null } = {},
  ) {
    super(trouble)
    this.trouble = trouble === 'signIn' && tunnel?.kind === 'internal' ? 'signedOut' : trouble
    this.asks = asks
    this.tunnel = tunnel
  }
}

/** What is passed on. */
export const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
const LONGEST_PATH = 8_192
const MAX_HEADERS = 120

/** The tunnel of a place; raises `Refused` where there is none: revoked or never there, both are told alike. */
export async function tunnelAt({ ctx, place }: Visit): Promise<TunnelRow> {
  const tunnel = place.key && (await tunnelByHost(ctx, place.key))
  if (tunnel === null) throw new Refused('signIn', { asks: true })
  return tunnel
}

/** What no browser and no app sends is refused before anybody looks who it is. */
export function checkShape({ request, path }: Visit): void {
  const isOdd =
    !namesOneHost(request) ||
    !METHODS.has(request.method ?? '') ||
    !path.startsWith('/') ||
    /[\s\\]/.test(path)
  if (isOdd || path.length > LONGEST_PATH || request.rawHeaders.length > 2 * MAX_HEADERS)
    throw new Refused('bad')
}

/** Lets in who may use a tunnel. Raises `Refused`. */
export async function letIn(visit: Visit, tunnel: TunnelRow, isSocket: boolean): Promise<Guest> {
  const { ctx, request, place, edge } = visit
  const { method = '', headers } = request
  const asking = { method, headers, own: place.origin, isSocket }
  if (isFromElsewhere(asking, tunnel.kind === 'internal')) throw new Refused('foreign')
  const shown = { cookies: headers.cookie, authorization: headers.authorization, address: edge.address }
  const passed = await whoPasses(ctx, tunnel, place, shown).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 429 ? new Refused('attempts') : error
  })
  if (passed === null) throw new Refused('signIn', { asks: tunnel.kind === 'app', tunnel })
  noteUse(ctx, tunnel)
  return { ...passed, tunnel }
}

/** Raises `Refused` when the month's data is used up. */
export async function checkCap(ctx: Ctx, { userId }: TunnelRow): Promise<void> {
  if (await isOverCap(ctx, userId)) throw new Refused('cap')
}

/** Calls `end` once when the guest may not stay: signed out, revoked, the printer gone. Returns how to stop caring. */
export function whenSentAway(ctx: Ctx, { tunnel, pass }: Guest, end: () => void): () => void {
  const principal = { ...inNameOf(tunnel), sessionId: pass?.session ?? null }
  const stops = [whenRevoked(ctx, tunnel, end), sessionEnded(ctx, principal, end)]
  return () => {
    for (const stop of stops) stop()
  }
}

const requests = new Map<number, number>()
const sockets = new Map<number, number>()
const MOST = { requests: 200, sockets: 24 } as const

/** Takes one of a tunnel's places on this node; raises `Refused` when all are taken. Returns how to give it back. */
export function takePlace(kind: keyof typeof MOST, { id }: TunnelRow): () => void {
  const counts = kind === 'requests' ? requests : sockets
  const count = counts.get(id) ?? 0
  if (count >= MOST[kind]) throw new Refused('busy')
  counts.set(id, count + 1)
  return () => {
    const left = (counts.get(id) ?? 1) - 1
    if (left === 0) counts.delete(id)
    else counts.set(id, left)
  }
}
