import { WEB_MESSAGE } from '@vigil/contract/core/passthru.ts'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import type { Edge } from '../../../http/edge.ts'
import { sendBounded } from '../../../http/outbox.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { UserId } from '../../../lib/id.ts'
import { authorizePrinters } from '../../core/access/index.ts'
import { onShared } from '../../people/household/index.ts'
import { findFeedState, onUnseen } from '../../core/events/index.ts'
import { findViews } from '../rows/printers.queries.ts'
import { Card } from './account.card.ts'

/** What an account's socket tells of its events: how many are unseen, and which came last. */
class AccountFeed {
  readonly #ctx: Ctx
  readonly #userId: UserId
  readonly #onDirty: () => void
  #stop: (() => void) | null = null
  #isClosed = false
  #told = ''
  isDirty = true

  constructor(ctx: Ctx, userId: UserId, onDirty: () => void) {
    this.#ctx = ctx
    this.#userId = userId
    this.#onDirty = onDirty
  }

  async listen(): Promise<void> {
    const stop = await onUnseen(this.#ctx, this.#userId, () => {
      this.isDirty = true
      this.#onDirty()
    })
    if (this.#isClosed) stop()
    else this.#stop = stop
    this.#onDirty()
  }

  close(): void {
    this.#isClosed = true
    this.#stop?.()
  }

  /** As the inside of a frame; '' when the browser knows. */
  async news(): Promise<string> {
    if (!this.isDirty) return ''
    this.isDirty = false
    try {
      const { unseen, newest } = await findFeedState(this.#ctx.db, this.#userId)
      const said = `"feed":{"unseen":${unseen},"newest":${newest}}`
      if (said === this.#told) return ''
      this.#told = said
      return said
    } catch (error) {
      this.isDirty = true
      throw error
    }
  }
}

const FRAME_MS = 250
/** While the browser has more than this to read, nothing new is written for it: what changes meanwhile is merged. */
const MAX_BEHIND = 262_144
/** A Printer is some kilobytes. */
const FULL_PER_FRAME = 40
const RETRY_MS = 1_000
const BESIDE = { withArchived: true }

interface Peer {
  readonly ws: WebSocket
  readonly principal: UserPrincipal
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
}

/** One browser's view of all its printers. What it holds of each is known, so only changes travel. */
export class AccountView {
  readonly #ctx: Ctx
  readonly #peer: Peer
  readonly #cards = new Map<number, Card>()
  readonly #gone = new Set<number>()
  readonly #feed: AccountFeed
  #watch: ReadonlySet<number> = new Set()
  #viewing: ReadonlySet<number> = new Set()
  #timer: NodeJS.Timeout | null = null
  #turnedAt = -FRAME_MS
  #isBusy = false
  #isWanting = false
  /** Other printers are shared with the account. */
  #isOther = false
  #stopListening: (() => void) | null = null
  #isClosed = false

  constructor(ctx: Ctx, peer: Peer) {
    this.#ctx = ctx
    this.#peer = peer
    this.#feed = new AccountFeed(ctx, peer.principal.userId, () => this.#schedule(FRAME_MS))
  }

  /** Tells how the account's events stand, now and whenever that changes. */
  async listen(): Promise<void> {
    await this.#feed.listen()
    const stop = await onShared(this.#ctx, this.#peer.principal.userId, () => {
      this.#isOther = true
      this.#schedule(FRAME_MS)
    })
    if (this.#isClosed) stop()
    else this.#stopListening = stop
  }

  /** Which printers are watched, and which of them are on screen; undefined leaves it as it was. */
  want(watch: readonly number[] | undefined, viewing: readonly number[] | undefined): void {
    if (watch) this.#watch = new Set(watch)
    if (viewing) this.#viewing = new Set(viewing)
    this.#isWanting = true
    // At once, but no faster than frames go out: agents hear of every change of mind.
    this.#schedule(Math.max(0, FRAME_MS - (performance.now() - this.#turnedAt)))
  }

  /** A call for one printer's agent; nobody answers for a printer that is not watched. */
  ask(printerId: number, item: unknown): void {
    this.#cards.get(printerId)?.passthru.ask(item)
  }

  /** New stills of those that are on screen without a moving picture. */
  askForStills(printerIds: readonly number[]): void {
    for (const id of printerIds) this.#cards.get(id)?.askForStill()
  }

  /** Time passed. */
  tick(): void {
    for (const card of this.#cards.values()) card.mark('time')
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#feed.close()
    this.#stopListening?.()
    for (const card of this.#cards.values()) card.close()
    this.#cards.clear()
  }

  #schedule(ms: number): void {
    if (this.#isClosed || this.#isBusy || this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#turn()
    }, ms)
  }

  /** One frame's work; the next begins a quarter of a second later, if there is any. */
  async #turn(): Promise<void> {
    this.#isBusy = true
    this.#turnedAt = performance.now()
    let next = FRAME_MS
    try {
      if (this.#isWanting) await this.#followWants()
      if (this.#peer.ws.bufferedAmount <= MAX_BEHIND) await this.#send()
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'an account socket could not be served')
      next = RETRY_MS
    }
    this.#isBusy = false
    const isBehind =
      this.#feed.isDirty || this.#isOther || [...this.#cards.values()].some((card) => card.isDirty)
    if (isBehind || this.#isWanting || this.#gone.size > 0) this.#schedule(next)
  }

  async #followWants(): Promise<void> {
    const missing = [...this.#watch].filter((id) => !this.#cards.has(id))
    const { principal } = this.#peer
    const scope = { principal, action: 'see', withArchived: true } as const
    const views = missing.length === 0 ? [] : await findViews(this.#ctx.db, scope, missing)
    this.#isWanting = false
    const found = new Set<number>(views.map(({ printer }) => printer.id))
    for (const id of missing) if (!found.has(id)) this.#gone.add(id)
    for (const view of views) {
      const { id } = view.printer
      const card = new Card(this.#ctx, {
        printerId: id,
        mayAct: async () =>
          (await authorizePrinters(this.#ctx, principal, [id], 'control', BESIDE))[0] ?? null,
        userId: actorOf(principal),
        edge: this.#peer.edge,
        onDirty: () => this.#schedule(FRAME_MS),
        say: (passthru) => sendBounded(this.#peer.ws, JSON.stringify({ id, passthru, type: WEB_MESSAGE })),
      })
      card.take(view)
      this.#cards.set(id, card)
      await card.listen()
    }
    for (const [id, card] of this.#cards) {
      if (!this.#watch.has(id) || this.#isClosed) this.#drop(card)
      else card.setViewing(this.#viewing.has(id))
    }
  }

  #drop(card: Card): void {
    card.close()
    this.#cards.delete(card.id)
  }

  async #send(): Promise<void> {
    const now = this.#ctx.clock.monotonic()
    const due = [...this.#cards.values()].filter((card) => card.isDue(now))
    const fresh = due.filter((card) => card.isNew).slice(0, FULL_PER_FRAME)
    const work = [...fresh, ...due.filter((card) => !card.isNew)]
    if (work.length > 0) await this.#read(work)
    const feed = await this.#feed.news()
    const printers: string[] = []
    const patches: string[] = []
    for (const card of work) {
      if (card.isGone) {
        this.#gone.add(card.id)
        this.#drop(card)
      } else if (card.isNew) printers.push(card.full(now))
      else {
        const patch = card.patch(now)
        if (patch !== '') patches.push(`{"id":${card.id},"patch":{${patch}}}`)
      }
    }
    const parts: string[] = []
    if (printers.length > 0) parts.push(`"printers":[${printers.join(',')}]`)
    if (patches.length > 0) parts.push(`"patches":[${patches.join(',')}]`)
    if (this.#gone.size > 0) parts.push(`"gone":[${[...this.#gone].join(',')}]`)
    this.#gone.clear()
    if (feed !== '') parts.push(feed)
    if (this.#isOther) parts.push('"again":true')
    this.#isOther = false
    if (parts.length > 0) sendBounded(this.#peer.ws, `{${parts.join(',')}}`)
  }

  /** Brings cards up to date: live keys for some, and rows, in two statements, for those that need them. */
  async #read(cards: readonly Card[]): Promise<void> {
    for (const card of cards) card.begin()
    try {
      await Promise.all(cards.map((card) => card.readPresence()))
      const stale = cards.filter((card) => card.needsRows).map(({ id }) => id)
      if (stale.length === 0) return
      const scope = { principal: this.#peer.principal, action: 'see', withArchived: true } as const
      const views = new Map(
        (await findViews(this.#ctx.db, scope, stale)).map((view) => [view.printer.id, view]),
      )
      for (const card of cards) if (card.needsRows) card.take(views.get(card.id))
    } catch (error) {
      for (const card of cards) card.mark('rows')
      throw error
    }
  }
}
