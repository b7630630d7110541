import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import { keys } from './keys.ts'

const NODE = randomUUID()
const LIFE_MS = 150_000
const RENEW_MS = 60_000

/** Open browser sockets of this node, by printer; one map for each server in this process. */
const counts = new WeakMap<object, Map<number, number>>()

/** Topic on which the owner of the agent's socket hears that the number of viewers changed. */
export const viewersTopic = (printerId: number) => `printer:${printerId}:viewing`

async function tell(ctx: Ctx, printerId: number, count: number): Promise<void> {
  await ctx.live.put(keys.viewers(printerId) + NODE, count === 0 ? null : String(count), LIFE_MS)
  ctx.live.publish(viewersTopic(printerId), '')
}

/**
 * A browser socket shows this printer until the returned function is called. Each join is told to the agent
 * too: it refreshes the snapshot (agent-protocol 3.6).
 */
export async function addViewer(ctx: Ctx, printerId: number): Promise<() => void> {
  const own = counts.get(ctx.live) ?? new Map<number, number>()
  counts.set(ctx.live, own)
  const change = async (by: number) => {
    const count = Math.max(0, (own.get(printerId) ?? 0) + by)
    if (count === 0) own.delete(printerId)
    else own.set(printerId, count)
    await tell(ctx, printerId, count)
  }
  await change(1)
  const renewal = setInterval(() => {
    const count = own.get(printerId) ?? 0
    void ctx.live.put(keys.viewers(printerId) + NODE, String(count), LIFE_MS).catch(() => undefined)
  }, RENEW_MS)
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    clearInterval(renewal)
    void change(-1).catch((error: unknown) => ctx.log.warn({ err: error }, 'a viewer could not be counted off'))
  }
}

/** Number of browser sockets that show this printer, on all nodes. */
export async function viewersOf(ctx: Ctx, printerId: number): Promise<number> {
  const nodes = await ctx.live.list(keys.viewers(printerId))
  return [...nodes.values()].reduce((sum, count) => sum + Number(count), 0)
}
