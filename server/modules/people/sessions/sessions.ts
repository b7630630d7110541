import { LRUCache } from 'lru-cache'
import { type Id, idOf, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { UsedFrom } from '../../../http/session-cookie.ts'
import type { Principal, SlicerPrincipal, UserPrincipal } from '../../../http/principal.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { hashOf } from '../../../lib/signing.ts'
import { activity, endOf, renewalAfter } from '../users/users.rules.ts'
import { extendSession, findSession, openSessions, touchUser } from '../users/users.queries.ts'
import { clearLapsed, noteSessionUse } from './sessions.queries.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { auditBoth } from './staff-audit.service.ts'

/** Every request asks who is calling: an answer is believed for this long without asking the database. */
const BELIEVED_MS = 5_000
/** Sessions behind open sockets are looked at this often: one may end from a shell, or by time. */
const WATCH_MS = 30_000
/** From where a session is used is written at most this often. */
const NOTED_MS = 600_000
const CHANGED = 'accounts:changed'

interface Known {
  readonly principal: UserPrincipal
  expiresAt: number | null
  readonly remember: boolean
  readonly createdAt: Date
  seenAt: number
}

/** A token or API key, and who stands behind it. */
export interface KnownToken {
  readonly principal: UserPrincipal | SlicerPrincipal
  readonly expiresAt: number | null
}

/** What one node remembers of sessions and tokens, and who wants to know when a session ends. */
interface Book {
  readonly known: LRUCache<string, Known>
  readonly tokens: LRUCache<string, KnownToken>
  /** Sessions that were open when somebody asked. */
  readonly open: LRUCache<number, true>
  readonly watched: Map<Id<'sessions'>, Set<() => void>>
  /** Rises with each change: an answer that was on its way meanwhile is not kept. */
  changes: number
}

/** One book for one running server, whichever context (a transaction's, say) asks. */
const bookOf = ofServer((): Book => ({
  known: new LRUCache({ max: 10_000, ttl: BELIEVED_MS }),
  tokens: new LRUCache({ max: 10_000, ttl: BELIEVED_MS }),
  open: new LRUCache({ max: 10_000, ttl: BELIEVED_MS }),
  watched: new Map(),
  changes: 0,
}))

/** The person of a row; a session's id, or null for a token. */
export const principalOf = (
  row: { userId: UserId; language: string; brand: string; staffId?: UserId },
  sessionId: Id<'sessions'> | null,
): UserPrincipal => ({
  kind: 'user',
  via: sessionId === null ? 'oauth' : 'session',
  userId: row.userId,
  language: row.language === 'zh' ? 'zh' : 'en',
  brand: row.brand,
  sessionId,
  ...(row.staffId === undefined ? {} : { staffId: row.staffId }),
})

/** Answers from memory, else by `find`; a change meanwhile keeps the answer out of memory. */
async function recall<K extends { expiresAt: number | null }>(
  ctx: Ctx,
  memoryOf: (book: Book) => LRUCache<string, K>,
  hash: Buffer,
  find: () => Promise<K | null>,
): Promise<K | null> {
  const book = bookOf(ctx)
  const [memory, key] = [memoryOf(book), hash.toString('base64')]
  const before = book.changes
  const isOver = ({ expiresAt }: K) => expiresAt !== null && expiresAt <= ctx.clock.now()
  let known = memory.get(key) ?? null
  // Who acted as somebody is themselves again.
  if (known === null || isOver(known)) {
    known = await find()
    if (known !== null && book.changes === before) memory.set(key, known)
  }
  return known === null || isOver(known) ? null : known
}

async function recallSession(ctx: Ctx, token: string, from?: UsedFrom): Promise<Known | null> {
  const hash = hashOf(token)
  return recall(
    ctx,
    ({ known }) => known,
    hash,
    async () => {
      const row = await findSession(ctx.db, hash, new Date(ctx.clock.now()))
      if (row === undefined) return null
      const { id, remember, ownId, otherId } = row
      const whose = otherId === null ? { userId: ownId } : { userId: otherId, staffId: ownId }
      if (from !== undefined && row.expiresAt.getTime() > ctx.clock.now()) note(ctx, row, from)
      const ends = [row.expiresAt, ...(otherId === null || row.actingUntil === null ? [] : [row.actingUntil])]
      const expiresAt = Math.min(...ends.map((at) => at.getTime()))
      return {
        principal: principalOf({ ...row, ...whose }, id),
        remember,
        createdAt: row.createdAt,
        expiresAt,
        seenAt: row.seenAt.getTime(),
      }
    },
  )
}

/** Nobody waits for it: a full disk costs nobody the request. */
function note(ctx: Ctx, { id, usedAt }: { id: Id<'sessions'>; usedAt: Date }, from: UsedFrom): void {
  const now = ctx.clock.now()
  const before = new Date(now - NOTED_MS)
  if (usedAt >= before) return
  noteSessionUse(ctx.db, { id, before, usedAt: new Date(now), ...from }).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'the use of a session was not noted'),
  )
}

/** A token as `find` knows it, remembered as sessions are. */
export const recallToken = (ctx: Ctx, hash: Buffer, find: () => Promise<KnownToken | null>) =>
  recall(ctx, ({ tokens }) => tokens, hash, find)

/** Who holds this browser session; null for an unknown, expired or ended one. */
export async function sessionPrincipal(
  ctx: Ctx,
  token: string,
  from?: UsedFrom,
): Promise<UserPrincipal | null> {
  return (await recallSession(ctx, token, from))?.principal ?? null
}

/** Whether the browser session with this number is open still, for what hangs on it elsewhere. */
export async function isSessionOpen(ctx: Ctx, id: Id<'sessions'>): Promise<boolean> {
  const book = bookOf(ctx)
  if (book.open.has(id)) return true
  const before = book.changes
  const isOpen = (await openSessions(ctx.db, [id], new Date(ctx.clock.now()))).has(id)
  if (isOpen && book.changes === before) book.open.set(id, true)
  return isOpen
}

/**
 * Moves the end of a session in use. Returns for how many seconds the browser shall keep the cookie when it must
 * be told again (at most once a day), else null. A full disk or a database away costs nobody the request.
 */
export async function renewSession(ctx: Ctx, token: string): Promise<number | null> {
  const known = await recallSession(ctx, token)
  const now = ctx.clock.now()
  if (known?.principal.sessionId == null || known.principal.staffId !== undefined) return null
  if (now - known.seenAt < renewalAfter(known.remember)) return null
  const seenBefore = new Date(now - renewalAfter(known.remember))
  known.seenAt = now
  try {
    const expiresAt = endOf({ ...known, now: new Date(now) }, ctx.config)
    await touchUser(ctx.db, known.principal.userId, activity(now))
    const isOurs = await extendSession(ctx.db, {
      id: known.principal.sessionId,
      now: new Date(now),
      expiresAt,
      seenBefore,
    })
    known.expiresAt = expiresAt.getTime()
    return isOurs && known.remember ? Math.max(0, Math.floor((expiresAt.getTime() - now) / 1000)) : null
  } catch (error) {
    ctx.log.warn({ err: error }, 'a session could not be extended')
    return null
  }
}

/** Makes every node forget what it believes of sessions and tokens. Rare: sign-out, new password, new language. */
export function forgetKnown(ctx: Ctx): void {
  forgetHere(ctx)
  ctx.live.publish(CHANGED, '')
}

function forgetHere(ctx: Ctx): void {
  const book = bookOf(ctx)
  book.changes++
  book.known.clear()
  book.tokens.clear()
  book.open.clear()
}

/** Says that sessions have ended: nodes forget them, their sockets close. Call after commit. */
export function announceEnd(ctx: Ctx, sessionIds: readonly Id<'sessions'>[]): void {
  forgetHere(ctx)
  ctx.live.publish(CHANGED, sessionIds.join(','))
  for (const id of sessionIds) {
    ctx.live.publish(`session:${id}:ended`, '')
    endWatched(ctx, id)
  }
}

function endWatched(ctx: Ctx, id: Id<'sessions'>): void {
  const { watched } = bookOf(ctx)
  const listeners = watched.get(id)
  watched.delete(id)
  for (const listener of listeners ?? []) listener()
}

/**
 * Calls `onEnd` once when the browser session behind a principal ends, however and wherever; returns how to stop
 * caring. Other principals have no session that could end.
 */
export function sessionEnded(ctx: Ctx, principal: Principal, onEnd: () => void): () => void {
  if (principal.kind !== 'user' || principal.sessionId === null) return () => undefined
  const { sessionId } = principal
  const { watched } = bookOf(ctx)
  const listener = () => onEnd()
  const listeners = watched.get(sessionId) ?? new Set()
  watched.set(sessionId, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && watched.get(sessionId) === listeners) watched.delete(sessionId)
  }
}

/** Closes what hangs on sessions that are gone from the database, though nobody said so. */
export async function endVanished(ctx: Ctx): Promise<void> {
  const ids = [...bookOf(ctx).watched.keys()]
  if (ids.length === 0) return
  const open = await openSessions(ctx.db, ids, new Date(ctx.clock.now()))
  for (const id of ids) if (!open.has(id)) endWatched(ctx, id)
}

/** Administrators whose time as somebody else is over are themselves again: what they had open closes. */
export async function endLapsed(ctx: Ctx): Promise<void> {
  const lapsed = await ctx.db.transaction().execute(async (db) => {
    const rows = await clearLapsed(db, new Date(ctx.clock.now()))
    for (const { staffId, userId } of rows)
      await auditBoth({ ...ctx, db }, { staffId, userId, action: 'impersonation_lapsed' })
    return rows
  })
  if (lapsed.length > 0)
    announceEnd(
      ctx,
      lapsed.map(({ id }) => id),
    )
}

const sessionKey = idOf<'sessions'>()

/** Listens to the other nodes and looks after watched sessions, until the server stops. */
export async function followSessions(ctx: Ctx): Promise<() => void> {
  const unsubscribe = await ctx.live.subscribe(CHANGED, (message) => {
    forgetHere(ctx)
    for (const id of message.toString().split(',')) {
      const ended = sessionKey.safeParse(Number(id))
      if (ended.success) endWatched(ctx, ended.data)
    }
  })
  const stopLooking = everyTick(ctx, WATCH_MS, async () => {
    await endLapsed(ctx)
    await endVanished(ctx)
  })
  return () => {
    stopLooking()
    unsubscribe()
  }
}
