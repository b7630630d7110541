import type { Ctx } from '../../ctx.ts'

/** How many viewers of one printer each node has, renewed while there are any. */
const CROWD_TTL_MS = 30_000
const crowdKey = (printerId: number) => `share:viewers:${printerId}:`

/** Topic of what happens to a link. */
export const linkTopic = (linkId: number) => `share:${linkId}`
export type LinkNews = 'changed' | 'revoked'

/** Says how many viewers each link of a printer has on a node. */
export async function tellCrowd(
  ctx: Ctx,
  { node, printerId, links }: { node: string; printerId: number; links: ReadonlyMap<number, number> },
): Promise<void> {
  const counts = links.size === 0 ? null : JSON.stringify([...links])
  await ctx.live.put(crowdKey(printerId) + node, counts, CROWD_TTL_MS)
}

/** Viewers of each link of a printer on all nodes together. */
export async function countViewers(ctx: Ctx, printerId: number): Promise<Map<number, number>> {
  const total = new Map<number, number>()
  for (const stored of (await ctx.live.list(crowdKey(printerId))).values()) {
    for (const [linkId, count] of JSON.parse(stored.toString()) as [number, number][])
      total.set(linkId, (total.get(linkId) ?? 0) + count)
  }
  return total
}

/** Tells the viewers' sockets of every node. */
export function tellViewers(ctx: Ctx, linkId: number, news: LinkNews): void {
  ctx.live.publish(linkTopic(linkId), news)
}
