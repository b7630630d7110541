import type { Ctx } from '../../ctx.ts'
import type { Edge } from '../../http/edge.ts'
import type { Authorized } from '../access/index.ts'
import { addViewer } from '../commands/index.ts'
import {
  type News,
  onNews,
  onPassthru,
  type PassthruNews,
  type Presence,
  readPresence,
} from '../presence/index.ts'
import { Passthru } from '../passthru/index.ts'
import { type Held, replace, update } from './patch.rules.ts'
import { presentMoving, presentPrinter } from './printers.present.ts'
import type { PrinterView } from './printers.queries.ts'

/** A printer is told of once a second at most. */
const EVERY_MS = 1_000
/** When the agent was last seen changes with every status: it is told this often while nothing else is new of it. */
const SEEN_EVERY_MS = 30_000

/** What is to be looked at again: the status that came, the live keys, or the rows as well. */
type Need = 'none' | 'status' | 'live' | 'changed'
const RANK: Record<Need, number> = { none: 0, status: 1, live: 2, changed: 3 }

export interface CardOptions {
  readonly printer: Authorized<'control'>
  readonly userId: number
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
  readonly onDirty: () => void
  readonly say: (text: string) => void
}

/** One printer on an account's socket: what the browser holds of it, and what is new since. */
export class Card {
  readonly id: number
  readonly passthru: Passthru
  readonly #ctx: Ctx
  readonly #options: CardOptions
  readonly #cleanUps: (() => void)[] = []
  readonly #held: Held = new Map()
  #heldStatus: Held | null = null
  #view: PrinterView
  #live: Presence = { status: null, agent: null, picture: null }
  /** The newest status as it came; it is parsed only when it is told. */
  #news: (News & { kind: 'status' }) | null = null
  #need: Need = 'changed'
  #doing: Need = 'none'
  #sentAt = 0
  #seenSentAt = 0
  #leave: Promise<() => void> | null = null
  isGone = false
  isNew = true

  constructor(ctx: Ctx, view: PrinterView, options: CardOptions) {
    this.#ctx = ctx
    this.#view = view
    this.#options = options
    this.id = view.printer.id
    this.passthru = new Passthru(ctx, {
      printer: options.printer,
      userId: options.userId,
      initiator: 'web',
      agentName: async () => this.#view.printer.agentName,
      say: (item) => {
        // A page of many printers has no terminal.
        if (!('terminal_feed' in item)) options.say(JSON.stringify({ id: this.id, passthru: item }))
      },
    })
  }

  get isDirty(): boolean {
    return this.#need !== 'none'
  }

  get needsRows(): boolean {
    return this.#doing === 'changed'
  }

  isDue(now: number): boolean {
    return this.isDirty && (this.isNew || now - this.#sentAt >= EVERY_MS)
  }

  async listen(): Promise<void> {
    this.#cleanUps.push(
      ...(await Promise.all([
        onNews(this.#ctx, this.id, (news) => this.#hear(news)),
        onPassthru(this.#ctx, this.id, (item) => this.#hearPassthru(item)),
      ])),
    )
  }

  /** Whether the card is on screen: then the agent is told that somebody looks. */
  setViewing(isViewing: boolean): void {
    if (isViewing === (this.#leave !== null)) return
    const leave = this.#leave
    this.#leave = isViewing ? addViewer(this.#ctx, this.id) : null
    const failed = (error: unknown) =>
      this.#ctx.log.warn({ err: error, printerId: this.id }, 'a viewer was not counted')
    this.#leave?.catch(failed)
    leave?.then((go) => go()).catch(failed)
  }

  mark(need: Need): void {
    if (RANK[need] > RANK[this.#need]) this.#need = need
    this.#options.onDirty()
  }

  close(): void {
    this.passthru.close()
    this.setViewing(false)
    for (const clean of this.#cleanUps.splice(0)) clean()
  }

  /** Takes up what is to be done; news that come from now on are for the next time. */
  begin(): void {
    this.#doing = this.#need
    this.#need = 'none'
    if (this.#doing !== 'status') this.#news = null
  }

  async readLive(): Promise<void> {
    if (this.#doing === 'status') return
    const looked = this.#live.picture?.checkedAt
    this.#live = await readPresence(this.#ctx, this.id)
    // The detector has looked: its score is in the rows.
    if (this.#live.picture?.checkedAt !== looked) this.#doing = 'changed'
  }

  take(view: PrinterView | undefined): void {
    if (view === undefined) this.isGone = true
    else this.#view = view
  }

  /** The whole Printer as JSON. */
  full(now: number): string {
    this.#takeNews()
    const { status, ...rest } = presentPrinter(this.#ctx, this.#view, this.#live, this.#options.edge)
    this.isNew = false
    this.#sentAt = this.#seenSentAt = now
    const changes = update(this.#held, rest)
    return `{${changes},${this.#statusChanges(status) || '"status":null'}}`
  }

  /** What changed since the browser was told, as the inside of a JSON object; '' for nothing. */
  patch(now: number): string {
    this.#takeNews()
    const { status, agent, ...rest } = this.#present()
    const isSeenDue = now - this.#seenSentAt >= SEEN_EVERY_MS
    const isAgentNews = !this.#held.get('agent')?.includes(`"state":"${agent.state}"`)
    const changes = [update(this.#held, rest), this.#statusChanges(status)]
    if (isSeenDue || isAgentNews) {
      this.#seenSentAt = now
      changes.push(update(this.#held, { agent }))
    }
    const patch = changes.filter((one) => one !== '').join(',')
    if (patch !== '') this.#sentAt = now
    return patch
  }

  /** What moves; the whole when rows were read, or when the reason changed that the print's printer tells as well. */
  #present(): ReturnType<typeof presentMoving> {
    const shown = [this.#ctx, this.#view, this.#live, this.#options.edge] as const
    if (this.#doing === 'changed') return presentPrinter(...shown)
    const moving = presentMoving(...shown)
    const isHeld = this.#held.get('not_watching_reason') === JSON.stringify(moving.not_watching_reason)
    return isHeld ? moving : presentPrinter(...shown)
  }

  #takeNews(): void {
    if (this.#news === null) return
    const status = this.#news.read()
    this.#news = null
    const { agent } = this.#live
    const seen = agent && { ...agent, seenAt: this.#ctx.clock.now() }
    this.#live = { ...this.#live, status, agent: status ? seen : agent }
  }

  #statusChanges(status: object | null): string {
    if (status === null) {
      const isNews = this.#heldStatus !== null
      this.#heldStatus = null
      return isNews ? '"status":null' : ''
    }
    this.#heldStatus ??= new Map()
    const changes = replace(this.#heldStatus, status)
    return changes === '' ? '' : `"status":{${changes}}`
  }

  #hear(news: News): void {
    if (news.kind === 'status') {
      this.#news = news
      return this.mark(this.#live.agent === null ? 'live' : 'status')
    }
    if (news.kind === 'gone') this.isGone = true
    this.mark(news.kind === 'live' ? 'live' : 'changed')
  }

  #hearPassthru(item: PassthruNews): void {
    if (item.isTerminal) return
    try {
      this.passthru.hear(item)
    } catch (error) {
      this.#ctx.log.warn({ err: error, printerId: this.id }, 'a passthru item was not understood')
    }
  }
}
