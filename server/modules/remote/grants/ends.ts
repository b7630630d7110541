import type { Id, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../http/principal.ts'
import type { TunnelRow } from './tunnels.queries.ts'
import { stillOpen } from './tunnels.queries.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** What is found is believed for so long without asking the database: every request asks. */
const BELIEVED_MS = 5_000
const ENDED = 'tunnels:ended'

/** Whose tunnels end. */
export type Ended = { readonly tunnel: number } | { readonly printer: number }

interface Watcher {
  readonly id: Id<'tunnels'>
  readonly printerId: PrinterId
  readonly onEnd: Set<() => void>
}

/** What one node remembers of tunnels, and what is open through them. */
interface Book {
  readonly known: LRUCache<string, { readonly row: TunnelRow | null }>
  readonly watched: Map<number, Watcher>
  /** Rises with each end: an answer that was on its way meanwhile is not kept. */
  changes: number
}

const bookOf = ofServer((): Book => ({
  known: new LRUCache({ max: 10_000, ttl: BELIEVED_MS }),
  watched: new Map(),
  changes: 0,
}))

/** What is remembered under a key, else what `find` finds. */
export async function recall(
  ctx: Ctx,
  key: string,
  find: () => Promise<TunnelRow | undefined>,
): Promise<TunnelRow | null> {
  const book = bookOf(ctx)
  const known = book.known.get(key)
  if (known !== undefined) return known.row
  const before = book.changes
  const row = (await find()) ?? null
  if (book.changes === before) book.known.set(key, { row })
  return row
}

/** What was remembered may be wrong now. */
export function forget(ctx: Ctx): void {
  const book = bookOf(ctx)
  book.changes++
  book.known.clear()
}

/** Ends what is open through tunnels that were taken back, on every node. Call after commit. */
export function tellEnded(ctx: Ctx, ended: Ended): void {
  hearEnded(ctx, ended)
  ctx.live.publish(ENDED, 'tunnel' in ended ? `tunnel:${ended.tunnel}` : `printer:${ended.printer}`)
}

function hearEnded(ctx: Ctx, ended: Ended): void {
  forget(ctx)
  for (const [id, { printerId }] of bookOf(ctx).watched) {
    if ('tunnel' in ended ? id === ended.tunnel : printerId === ended.printer) end(ctx, id)
  }
}

function end(ctx: Ctx, id: number): void {
  const { watched } = bookOf(ctx)
  const listeners = watched.get(id)?.onEnd ?? []
  watched.delete(id)
  for (const listener of listeners) listener()
}

/**
 * Calls `onEnd` once when this tunnel is revoked, or its printer deleted or archived, on whatever node; returns how to stop
 * caring. What stays open through a tunnel (a socket, a download) asks for this.
 */
export function whenRevoked(
  ctx: Ctx,
  { id, printerId }: Pick<TunnelRow, 'id' | 'printerId'>,
  onEnd: () => void,
): () => void {
  const { watched } = bookOf(ctx)
  const watcher = watched.get(id) ?? { id, printerId, onEnd: new Set() }
  // Of its own: who cares twice with one function is called twice.
  const listener = () => onEnd()
  watched.set(id, watcher)
  watcher.onEnd.add(listener)
  return () => {
    watcher.onEnd.delete(listener)
    if (watcher.onEnd.size === 0 && watched.get(id) === watcher) watched.delete(id)
  }
}

/** The same for an app that came by the tunnel's password; whoever else it is has nothing that is revoked. */
export const tunnelRevoked = (ctx: Ctx, principal: Principal, onEnd: () => void): (() => void) =>
  principal.kind === 'tunnel'
    ? whenRevoked(ctx, { id: principal.tunnelId, printerId: principal.printerId }, onEnd)
    : () => undefined

/** Ends what is open through tunnels that lead nowhere any more, though nobody said so: an owner may be disabled from a shell. */
export async function endVanished(ctx: Ctx): Promise<void> {
  const ids = [...bookOf(ctx).watched.values()].map(({ id }) => id)
  if (ids.length === 0) return
  const open = new Set(await stillOpen(ctx.db, ids))
  for (const id of ids) if (!open.has(id)) end(ctx, id)
}

/** Hears what other nodes say. Returns how to stop. */
export async function hearEnds(ctx: Ctx): Promise<() => void> {
  return await ctx.live.subscribe(ENDED, (message) => {
    const [kind, id] = message.toString().split(':')
    if (kind === 'tunnel') hearEnded(ctx, { tunnel: Number(id) })
    else hearEnded(ctx, { printer: Number(id) })
  })
}
