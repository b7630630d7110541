import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { onNews } from '../../core/presence/index.ts'
import { linkTopic } from '../share-links/crowd.service.ts'
import { isLive } from '../share-links/share-access.service.ts'
import { findAllShown, type ShownLink } from '../share-links/share-links.queries.ts'

const TICK_MS = 1_000
/** Links are read again every so many ticks, should word of their end have been lost. */
const READ_EVERY = 5

interface Watched {
  readonly link: ShownLink
  readonly onEnd: () => void
}

/** Ends what viewers of share links have open beside their page, on this node, as soon as their link ends. */
export class LinkWatch {
  readonly #ctx: Ctx
  readonly #watched = new Set<Watched>()
  #turn = 0

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    everyTick(ctx, TICK_MS, () => this.#tick())
  }

  /** Calls `onEnd` once when this link, as it is, shows nothing any more; returns how to stop caring. */
  async watch(link: ShownLink, onEnd: () => void): Promise<() => void> {
    const watched = { link, onEnd }
    this.#watched.add(watched)
    const look = () =>
      this.#read([watched]).catch((error: unknown) =>
        this.#ctx.log.warn({ err: error, linkId: link.id }, 'a share link could not be looked at'),
      )
    const stops = await Promise.all([
      this.#ctx.live.subscribe(linkTopic(link.id), () => void look()),
      onNews(this.#ctx, link.printerId, ({ kind }) => {
        if (kind === 'gone' || kind === 'changed') void look()
      }),
    ])
    // It may have ended before this was listened to.
    void look()
    return () => {
      this.#watched.delete(watched)
      for (const stop of stops) stop()
    }
  }

  async #tick(): Promise<void> {
    const all = [...this.#watched]
    for (const one of all) if (!isLive(this.#ctx, one.link)) this.#end(one)
    if (all.length > 0 && ++this.#turn % READ_EVERY === 0) await this.#read(all)
  }

  async #read(some: readonly Watched[]): Promise<void> {
    const ids = some.map(({ link }) => link.id)
    const shown = new Map((await findAllShown(this.#ctx.db, ids)).map((link) => [link.id, link]))
    for (const one of some) {
      const now = shown.get(one.link.id)
      if (now === undefined || !isLive(this.#ctx, now) || now.pinHash !== one.link.pinHash) this.#end(one)
    }
  }

  #end(one: Watched): void {
    if (this.#watched.delete(one)) one.onEnd()
  }
}
