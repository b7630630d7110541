import type { Readable } from 'node:stream'
import { MOST_PUBLIC } from '@vigil/contract/prints/gallery.ts'
import type { Ctx } from '../../../ctx.ts'
import { findShown, type Shown } from './gallery.queries.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** What is public is read anew this often; what changes it says so. */
const KEPT_MS = 5 * 60_000
const CHANGED = 'gallery:changed'

/** What one node shows of the gallery, and who is looking at a film of it. */
interface Shelf {
  shown: { rows: Promise<Shown[]>; until: number } | null
  readonly open: Map<string, Set<Readable>>
}

const shelfOf = ofServer((): Shelf => ({ shown: null, open: new Map() }))

/** What everybody may see, kept for five minutes. */
export async function shownNow(ctx: Ctx): Promise<Shown[]> {
  const shelf = shelfOf(ctx)
  const now = ctx.clock.monotonic()
  if (shelf.shown === null || shelf.shown.until < now) {
    const rows = findShown(ctx.db, MOST_PUBLIC)
    shelf.shown = { rows, until: now + KEPT_MS }
    rows.catch(() => (shelf.shown = null))
  }
  return await shelf.shown.rows
}

/** Remembers that these bytes of a public film are on their way to somebody. */
export function lend(ctx: Ctx, key: string, bytes: Readable): Readable {
  const { open } = shelfOf(ctx)
  const lent = open.get(key) ?? new Set()
  open.set(key, lent.add(bytes))
  return bytes.once('close', () => {
    lent.delete(bytes)
    if (lent.size === 0 && open.get(key) === lent) open.delete(key)
  })
}

/** What is public has changed. `key`: what is not any more; who is looking at it sees no more of it. Call after commit. */
export function announceChange(ctx: Ctx, key: string | null): void {
  change(ctx, key ?? '')
  ctx.live.publish(CHANGED, key ?? '')
}

function change(ctx: Ctx, key: string): void {
  const shelf = shelfOf(ctx)
  shelf.shown = null
  for (const bytes of shelf.open.get(key) ?? []) bytes.destroy()
}

/** Hears of changes on other nodes, until the returned function is called. */
export const followChanges = (ctx: Ctx): Promise<() => void> =>
  ctx.live.subscribe(CHANGED, (message) => change(ctx, message.toString()))
