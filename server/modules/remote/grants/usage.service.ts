import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserId } from '../../../lib/id.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { knownZone, momentsOf, shownAt } from '../../../lib/zones.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import * as queries from './usage.queries.ts'

const MINUTE_MS = 60_000

/** The month of a moment as its owner's clocks show it, `2026-11`, and the moment at which the next one begins. */
export function monthOf(
  now: number,
  timeZone: string | null,
): { readonly month: string; readonly ends: number } {
  const zone = knownZone(timeZone)
  const shown = new Date(shownAt(now, zone))
  const [year, month] = [shown.getUTCFullYear(), shown.getUTCMonth()]
  const [next] = momentsOf(Date.UTC(year, month + 1, 1), zone)
  return {
    month: `${year}-${String(month + 1).padStart(2, '0')}`,
    ends: next ?? now + MINUTE_MS,
  }
}

/** What a killed server forgets at most. */
export const WRITE_EVERY_MS = 500
/** Each request asks whether its owner is over the cap: what others nodes count is heard of this late. */
const BELIEVED_MS = 5_000
/** So far over the cap nobody is stopped: a page that is being loaded loads. */
const GRACE = 1.1

/** What somebody's tunnels have carried this month, in bytes as agents sent them; a cap of -1 is none. */
export interface Usage {
  readonly total: number
  readonly monthly_cap: number
  readonly reset_in_seconds: number
}

interface Known {
  readonly at: number
  readonly cap: number
  readonly month: string
  readonly ends: number
  bytes: number
}

interface Book {
  /** Not written yet. */
  waiting: Map<UserId, number>
  /** On its way to the database. */
  flying: Map<UserId, number>
  readonly known: LRUCache<number, Known>
  /** What the last write left: who reads while it is written may have asked the database before. */
  readonly written: LRUCache<number, queries.Used>
  writing: Promise<void> | null
}

const bookOf = ofServer((): Book => ({
  waiting: new Map(),
  flying: new Map(),
  known: new LRUCache({ max: 10_000 }),
  written: new LRUCache({ max: 10_000 }),
  writing: null,
}))

const more = (map: Map<UserId, number>, userId: UserId, bytes: number) =>
  void map.set(userId, (map.get(userId) ?? 0) + bytes)

/** Counts bytes (compressed, as the agent sent them) for the owner of a tunnel. Only memory is touched: call it as they come. */
export function addUsage(ctx: Ctx, userId: UserId, bytes: number): void {
  if (bytes > 0) more(bookOf(ctx).waiting, userId, Math.ceil(bytes))
}

/** Writes what has been counted, all users in one statement. What could not be written waits for the next turn. */
export async function writeUsage(ctx: Ctx): Promise<void> {
  const book = bookOf(ctx)
  while (book.writing !== null) await book.writing.catch(() => undefined)
  if (book.waiting.size === 0) return
  book.writing = write(ctx, book).finally(() => (book.writing = null))
  await book.writing
}

async function write(ctx: Ctx, book: Book): Promise<void> {
  const taken = book.waiting
  book.flying = taken
  book.waiting = new Map()
  try {
    const users = await queries.findUsers(ctx.db, [...taken.keys()])
    const now = ctx.clock.now()
    const rows = users.map(({ id, timeZone }) => ({
      userId: id,
      month: monthOf(now, timeZone).month,
      bytes: taken.get(id) ?? 0,
    }))
    for (const used of await queries.addAll(ctx.db, rows)) {
      book.written.set(used.userId, used)
      const known = book.known.get(used.userId)
      if (known?.month === used.month) known.bytes = used.bytes
    }
  } catch (error) {
    for (const [userId, bytes] of taken) more(book.waiting, userId, bytes)
    throw error
  } finally {
    book.flying = new Map()
  }
}

async function read(ctx: Ctx, userId: UserId): Promise<Known> {
  const [user] = await queries.findUsers(ctx.db, [userId])
  if (user === undefined) throw notFound()
  const { month, ends } = monthOf(ctx.clock.now(), user.timeZone)
  const found = await queries.findUsage(ctx.db, userId, month)
  const written = bookOf(ctx).written.get(userId)
  const bytes = written?.month === month ? Math.max(found, written.bytes) : found
  const cap = entitlementsOf(ctx, user).tunnelBytesPerMonth * user.tunnelCapMultiplier
  const known = { at: ctx.clock.monotonic(), cap, month, ends, bytes }
  bookOf(ctx).known.set(userId, known)
  return known
}

/** What a user's tunnels have carried this month of theirs, what they may, and when that begins anew. */
export async function usageOf(ctx: Ctx, userId: UserId): Promise<Usage> {
  await writeUsage(ctx)
  const { bytes, cap, ends } = await read(ctx, userId)
  return {
    total: bytes,
    monthly_cap: Number.isFinite(cap) ? cap : -1,
    reset_in_seconds: Math.max(0, Math.ceil((ends - ctx.clock.now()) / 1000)),
  }
}

/** Whether a user's month is used up, ten per cent of grace included. Asked before each request, so mostly of memory. */
export async function isOverCap(ctx: Ctx, userId: UserId): Promise<boolean> {
  const book = bookOf(ctx)
  let known = book.known.get(userId)
  const isOld =
    known === undefined || ctx.clock.monotonic() - known.at > BELIEVED_MS || ctx.clock.now() >= known.ends
  if (known === undefined || isOld) known = await read(ctx, userId)
  const coming = (book.waiting.get(userId) ?? 0) + (book.flying.get(userId) ?? 0)
  return known.bytes + coming > known.cap * GRACE
}
