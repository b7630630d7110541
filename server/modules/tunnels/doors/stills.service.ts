import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../ctx.ts'
import { userById } from '../../accounts/index.ts'
import { entitlementsOf } from '../../entitlements/index.ts'
import { beViewer, readPicture } from '../../presence/index.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { stillEvery } from './stills.rules.ts'

/** An older picture does not show how the printer stands. */
const FRESH_MS = 150_000
const BOUNDARY = 'vigil-still'

interface Still {
  readonly jpeg: Buffer
  readonly at: number
}

/** The printer's latest picture; null when there is none that is fresh, or that is not `after`. */
async function latest(ctx: Ctx, printerId: number, after = 0): Promise<Still | null> {
  const picture = await readPicture(ctx, printerId)
  if (picture === null || picture.at <= after || ctx.clock.now() - picture.at > FRESH_MS) return null
  const content = await ctx.files.get(picture.raw)
  return content === null ? null : { jpeg: await buffer(content), at: picture.at }
}

async function paceOf(ctx: Ctx, userId: number): Promise<number> {
  const user = await userById(ctx, userId)
  return stillEvery(user === undefined || entitlementsOf(ctx, user).tunnelBytesPerMonth !== Infinity)
}

/** When the next still of a printer may be shown, by its number. */
const nextAt = new WeakMap<object, LRUCache<number, number>>()

/**
 * One still for whoever loads pictures again and again: it waits until the plan's pace allows the next. Null when there is none,
 * or when `signal` was aborted.
 */
export async function oneStill(ctx: Ctx, tunnel: TunnelRow, signal: AbortSignal): Promise<Buffer | null> {
  const book = nextAt.get(ctx.live) ?? new LRUCache<number, number>({ max: 10_000 })
  nextAt.set(ctx.live, book)
  const pace = await paceOf(ctx, tunnel.userId)
  const now = performance.now()
  const wait = Math.min(pace, Math.max(0, (book.get(tunnel.printerId) ?? 0) - now))
  book.set(tunnel.printerId, now + wait + pace)
  await sleep(wait, undefined, { signal }).catch(() => undefined)
  return signal.aborted ? null : ((await latest(ctx, tunnel.printerId))?.jpeg ?? null)
}

/**
 * Stills as a webcam's moving pictures (`multipart/x-mixed-replace`), at the plan's pace, until `signal` is aborted. While they
 * are shown the agent is told that somebody looks. `headers` go before them.
 */
export async function showStills(
  ctx: Ctx,
  tunnel: TunnelRow,
  response: ServerResponse,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<void> {
  const pace = await paceOf(ctx, tunnel.userId)
  const stopViewing = await beViewer(ctx, tunnel.printerId)
  try {
    response.writeHead(200, {
      ...headers,
      'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
      'cache-control': 'no-store',
    })
    response.write(`--${BOUNDARY}\r\n`)
    for (let shown = 0; !signal.aborted;) {
      const still = response.writableNeedDrain ? null : await latest(ctx, tunnel.printerId, shown)
      if (still !== null) {
        shown = still.at
        response.write(`Content-Type: image/jpeg\r\nContent-Length: ${still.jpeg.length}\r\n\r\n`)
        response.write(still.jpeg)
        // Browsers show a picture when the next one begins.
        response.write(`\r\n--${BOUNDARY}\r\n`)
      }
      await sleep(pace, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    stopViewing()
    response.end()
  }
}
