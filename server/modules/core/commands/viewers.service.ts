import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { post } from './commands.service.ts'
import { beViewer } from '../presence/index.ts'
import { ofServer } from '../../../lib/of-server.ts'

interface Watched {
  count: number
  /** When a picture was asked for last, on the clock that nobody sets. */
  askedAt: number
  stopAnswering: Promise<() => void>
}

/** Browsers that show a printer on this node. */
const shownOn = ofServer(() => new Map<number, Watched>())

/**
 * A browser shows this printer from now on, until the returned function is called. The agent hears of every
 * comer, because that refreshes its picture, and of the last one's leaving (docs/wire/agents.md 7).
 */
export async function addViewer(ctx: Ctx, printerId: PrinterId): Promise<() => void> {
  const printers = shownOn(ctx)
  const entry = printers.get(printerId) ?? {
    count: 0,
    askedAt: -Infinity,
    stopAnswering: beViewer(ctx, printerId),
  }
  entry.count++
  printers.set(printerId, entry)
  await entry.stopAnswering
  tellHolder(ctx, printerId)
  let left = false
  return () => {
    if (left) return
    left = true
    if (--entry.count > 0) return
    printers.delete(printerId)
    void entry.stopAnswering.then((stop) => {
      stop()
      tellHolder(ctx, printerId)
    })
  }
}

/** Browsers ask each 5 s, and two may look. */
const ASK_EVERY_MS = 4_000

/**
 * A browser shows this printer and no moving picture of it: its agent sends a still each time that it hears of somebody who
 * looks (docs/wire/agents.md 3.2). Asked for by many, it is asked for once.
 */
export function askForStill(ctx: Ctx, printerId: PrinterId): void {
  const entry = shownOn(ctx).get(printerId)
  const now = ctx.clock.monotonic()
  if (entry === undefined || now - entry.askedAt < ASK_EVERY_MS) return
  entry.askedAt = now
  tellHolder(ctx, printerId)
}

/** The holder of the agent's socket looks for itself who is there. */
function tellHolder(ctx: Ctx, printerId: PrinterId): void {
  void post(ctx, printerId, { kind: 'viewers', printId: null, frame: {}, expiresInMs: 5_000 }).catch(
    (error: unknown) => ctx.log.warn({ err: error, printerId }, 'the agent was not told of its viewers'),
  )
}
