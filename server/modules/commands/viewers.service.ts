import type { Ctx } from '../../ctx.ts'
import { post } from './commands.service.ts'
import { beViewer } from '../presence/index.ts'

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

/** The holder of the agent's socket looks for itself who is there. */
function tellHolder(ctx: Ctx, printerId: number): void {
  void post(ctx, printerId, { kind: 'viewers', printId: null, frame: {}, expiresInMs: 5_000 }).catch(
    (error: unknown) => ctx.log.warn({ err: error, printerId }, 'the agent was not told of its viewers'),
  )
}
