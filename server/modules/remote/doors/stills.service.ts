import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { addViewer } from '../../core/commands/index.ts'
import { readPicture } from '../../core/presence/index.ts'
import { userById } from '../../people/accounts/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'

/** What a printer's page asks of its webcam: moving pictures, or one. */
export type WebcamAsk = 'stream' | 'snapshot'

/** Webcams as mjpg-streamer, crowsnest and camera-streamer name them, behind the printer's own web server. */
const WEBCAM = /^\/webcam\d*(?:\/(stream|snapshot)?)?$/i
const ACTION = /(?:^|&)action=(stream|snapshot)(?:&|$)/i

/** What is asked of a webcam by a path with its query; null: it is no webcam's. */
export function webcamAsked(url: string): WebcamAsk | null {
  const [path = '', query = ''] = url.split('?', 2)
  const found = WEBCAM.exec(path)
  const word = (found?.[1] ?? (found && ACTION.exec(query)?.[1]))?.toLowerCase()
  return word === 'stream' || word === 'snapshot' ? word : null
}

/** Milliseconds between two stills: a plan with a cap gives 0.1 a second, others as many as come (docs/wire/remote.md 6). */
const stillEvery = (isCapped: boolean) => (isCapped ? 10_000 : 1_000)

/** An older picture does not show how the printer stands. */
const FRESH_MS = 150_000
const BOUNDARY = 'vigil-still'
/** How often an agent hears at most that somebody looks: each time it sends some pictures at once, else few or none. */
const FRESHEN_MS = 5_000

interface Still {
  readonly jpeg: Buffer
  readonly at: number
}

/** The printer's latest picture; null when there is none that is fresh, or that is not `after`. */
async function latest(ctx: Ctx, printerId: PrinterId, after = 0): Promise<Still | null> {
  const picture = await readPicture(ctx, printerId)
  if (
    picture === null ||
    picture.raw === null ||
    picture.at <= after ||
    ctx.clock.now() - picture.at > FRESH_MS
  )
    return null
  const content = await ctx.files.get(picture.raw)
  return content === null ? null : { jpeg: await buffer(content), at: picture.at }
}

async function paceOf(ctx: Ctx, userId: UserId): Promise<number> {
  const user = await userById(ctx, userId)
  return stillEvery(user === undefined || entitlementsOf(ctx, user).tunnelBytesPerMonth !== Infinity)
}

/** Who asks for one picture may ask for the next one: the agent takes them for somebody who looks for a while. */
async function glance(ctx: Ctx, printerId: PrinterId, pace: number): Promise<void> {
  const every = Math.max(pace, FRESHEN_MS)
  const book = glancedAt(ctx)
  const now = performance.now()
  if (now - (book.get(printerId) ?? -Infinity) < every) return
  book.set(printerId, now)
  const leave = await addViewer(ctx, printerId)
  setTimeout(leave, every + FRESHEN_MS).unref()
}

const timesByPrinter = () => new LRUCache<number, number>({ max: 10_000 })
const glancedAt = ofServer(timesByPrinter)
/** When the next still of a printer may be shown, by its number. */
const nextAt = ofServer(timesByPrinter)

/**
 * One still for whoever loads pictures again and again: it waits until the plan's pace allows the next. Null when there is none,
 * or when `signal` was aborted.
 */
export async function oneStill(ctx: Ctx, tunnel: TunnelRow, signal: AbortSignal): Promise<Buffer | null> {
  const book = nextAt(ctx)
  const pace = await paceOf(ctx, tunnel.userId)
  await glance(ctx, tunnel.printerId, pace)
  const now = performance.now()
  const wait = Math.min(pace, Math.max(0, (book.get(tunnel.printerId) ?? 0) - now))
  book.set(tunnel.printerId, now + wait + pace)
  await sleep(wait, undefined, { signal }).catch(() => undefined)
  return signal.aborted ? null : ((await latest(ctx, tunnel.printerId))?.jpeg ?? null)
}

/**
 * Stills as a webcam's moving pictures (`multipart/x-mixed-replace`), at the plan's pace, until `signal` is aborted. While they
 * are shown the agent is told again and again that somebody looks. `headers` go before them.
 */
export async function showStills(
  ctx: Ctx,
  tunnel: TunnelRow,
  response: ServerResponse,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<void> {
  const pace = await paceOf(ctx, tunnel.userId)
  let leave = await addViewer(ctx, tunnel.printerId)
  let toldAt = performance.now()
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
      if (signal.aborted || performance.now() - toldAt < Math.max(pace, FRESHEN_MS)) continue
      toldAt = performance.now()
      const before = leave
      leave = await addViewer(ctx, tunnel.printerId)
      before()
    }
  } finally {
    leave()
    response.end()
  }
}
