import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** A node that has not renewed its counts for this long is gone. */
const FORGET_MS = 30_000
const CROWD = 'share:crowd'

/** Topic of what happens to a link. */
export const linkTopic = (linkId: Id<'sharedResources'>) => `share:${linkId}`
export type LinkNews = 'changed' | 'revoked'

/** What a node says of its viewers: all its links with how many, or the one that has changed. */
interface Said {
  readonly node: string
  readonly all: boolean
  readonly links: readonly (readonly [linkId: Id<'sharedResources'>, viewers: number])[]
}

interface Tally {
  readonly heardAt: number
  readonly links: Map<number, number>
}

/** What this node has heard of all nodes, itself included: asked often, so never by looking through `live`. */
const bookOf = ofServer(() => new Map<string, Tally>())

/** Listens to what all nodes say of their viewers. */
export async function followCrowd(ctx: Ctx): Promise<() => void> {
  return await ctx.live.subscribe(CROWD, (message) => {
    const said = JSON.parse(message.toString()) as Said
    const book = bookOf(ctx)
    const links = said.all ? new Map() : (book.get(said.node)?.links ?? new Map())
    for (const [linkId, viewers] of said.links) {
      if (viewers > 0) links.set(linkId, viewers)
      else links.delete(linkId)
    }
    book.set(said.node, { heardAt: performance.now(), links })
  })
}

/** Says how many viewers a node has. */
export function tellCrowd(ctx: Ctx, said: Said): void {
  ctx.live.publish(CROWD, JSON.stringify(said))
}

/** Viewers of a link right now, on all nodes together. */
export function countViewers(ctx: Ctx, linkId: Id<'sharedResources'>): number {
  const book = bookOf(ctx)
  let total = 0
  for (const [node, { heardAt, links }] of book) {
    if (performance.now() - heardAt > FORGET_MS) book.delete(node)
    else total += links.get(linkId) ?? 0
  }
  return total
}

/** Tells the viewers' sockets of every node. */
export function tellViewers(ctx: Ctx, linkId: Id<'sharedResources'>, news: LinkNews): void {
  ctx.live.publish(linkTopic(linkId), news)
}
