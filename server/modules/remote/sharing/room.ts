import { CLOSE } from '@vigil/contract/sockets.ts'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { sendBounded } from '../../../http/outbox.ts'
import { type News, onNews } from '../../core/presence/index.ts'
import { linkTopic } from '../share-links/crowd.service.ts'
import { isLive, readFeed } from '../share-links/share-access.service.ts'
import { findAllShown, type ShownLink } from '../share-links/share-links.queries.ts'

/** A viewer who does not answer our closing is cut after this long. */
const CUT_AFTER_MS = 500
const LONGEST_TIMER_MS = 2_147_483_647

interface Guest {
  readonly edge: Edge
  /** What it was sent last. */
  sent: string
}

/**
 * All viewers of one link on this node: the printer is read once for all of them. Ends when the link does; a link
 * with another PIN is another room.
 */
export class Room {
  readonly link: ShownLink
  readonly #ctx: Ctx
  readonly #guests = new Map<WebSocket, Guest>()
  readonly #subscriptions: Promise<(() => void)[]>
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | null = null
  #again = false

  constructor(ctx: Ctx, link: ShownLink) {
    this.#ctx = ctx
    this.link = link
    this.#subscriptions = Promise.all([
      onNews(ctx, link.printerId, (news) => this.#hear(news)),
      ctx.live.subscribe(linkTopic(link.id), (message) => {
        if (message.toString() === 'revoked') this.close()
        else this.#refreshSoon()
      }),
    ])
  }

  get size(): number {
    return this.#guests.size
  }

  /** Lets a viewer in and sends it what there is. */
  async enter(ws: WebSocket, edge: Edge): Promise<void> {
    this.#guests.set(ws, { edge, sent: '' })
    await this.#subscriptions
    await this.refresh()
  }

  /** A viewer has gone; true when it was the last one. */
  leave(ws: WebSocket): boolean {
    this.#guests.delete(ws)
    if (this.#guests.size > 0) return false
    clearTimeout(this.#timer)
    void this.#subscriptions.then((stops) => {
      for (const stop of stops) stop()
    })
    return true
  }

  /** Disconnects everyone: the link is no more. */
  close(): void {
    for (const ws of this.#guests.keys()) {
      ws.close(CLOSE.revoked, 'revoked')
      setTimeout(() => ws.terminate(), CUT_AFTER_MS).unref()
    }
  }

  /** Closes unless the link, as it is now, is the one that the viewers came by. */
  check(now: ShownLink | undefined): boolean {
    const isSame = now !== undefined && isLive(this.#ctx, now) && now.pinHash === this.link.pinHash
    if (isSame) this.#closeAt(now.endsAt)
    else this.close()
    return isSame
  }

  /** Reads again and sends what changed; asked while it reads, it reads once more afterwards. */
  async refresh(): Promise<void> {
    this.#again = true
    this.#reading ??= this.#read().finally(() => (this.#reading = null))
    await this.#reading
  }

  async #read(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const [now] = await findAllShown(this.#ctx.db, [this.link.id])
      if (!this.check(now)) return
      const feed = await readFeed(this.#ctx, this.link)
      if (feed === null) return this.close()
      for (const [ws, guest] of this.#guests) {
        const text = JSON.stringify(feed(guest.edge))
        if (text !== guest.sent && sendBounded(ws, text)) guest.sent = text
      }
    }
  }

  #refreshSoon(): void {
    this.refresh().catch((error: unknown) =>
      this.#ctx.log.warn({ err: error, printerId: this.link.printerId }, 'viewers could not be told'),
    )
  }

  #hear(news: News): void {
    if (news.kind === 'gone') this.close()
    else if (news.kind !== 'status') this.#refreshSoon()
  }

  #closeAt(endsAt: Date | null): void {
    clearTimeout(this.#timer)
    if (endsAt === null || this.#guests.size === 0) return
    const left = Math.max(0, endsAt.getTime() - this.#ctx.clock.now()) + 5
    this.#timer = setTimeout(() => this.#refreshSoon(), Math.min(left, LONGEST_TIMER_MS))
    this.#timer.unref()
  }
}
