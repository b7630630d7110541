import type { Ctx } from '../../ctx.ts'
import { post } from './commands.service.ts'
import { topics } from '../presence/index.ts'

interface Watched {
  count: number
  stopAnswering: Promise<() => void>
}

/** Browsers that show a printer on this node, by the node's `live`. */
const shown = new WeakMap<object, Map<number, Watched>>()

/**
 * A browser shows this printer from now on, until the returned function is called. The agent hears of every
 * comer, because that refreshes its picture, and of the last one's leaving (docs/wire/agents.md 7).
 */
export async function addViewer(ctx: Ctx, printerId: number): Promise<() => void> {
  const printers = shown.get(ctx.live) ?? new Map<number, Watched>()
  shown.set(ctx.live, printers)
  const entry = printers.get(printerId) ?? {
    count: 0,
    stopAnswering: ctx.live.respond(topics.viewers(printerId), async () => '1'),
  }
  entry.count++
  printers.set(printerId, entry)
  await entry.stopAnswering
  tell(ctx, printerId)
  let left = false
  return () => {
    if (left) return
    left = true
    if (--entry.count > 0) return
    printers.delete(printerId)
    void entry.stopAnswering.then((stop) => {
      stop()
      tell(ctx, printerId)
    })
  }
}

/** Whether any browser, on any node, shows this printer. */
export async function hasViewers(ctx: Ctx, printerId: number): Promise<boolean> {
  return (await ctx.live.request(topics.viewers(printerId), '', 1_000)) !== null
}

/** The holder of the agent's socket looks for itself who is there. */
function tell(ctx: Ctx, printerId: number): void {
  void post(ctx, printerId, { kind: 'viewers', printId: null, frame: {}, expiresInMs: 5_000 }).catch(
    (error: unknown) => ctx.log.warn({ err: error, printerId }, 'the agent was not told of its viewers'),
  )
}
