import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { addViewer, askForStill } from '../../core/commands/index.ts'
import { roleMay } from '../../core/access/index.ts'
import { Passthru, type PassthruOptions } from '../../core/passthru/index.ts'
import {
  type News,
  onNews,
  onPassthru,
  type PassthruNews,
  type Presence,
  readPresence,
} from '../../core/presence/index.ts'
import { presentMoving, presentPrinter, type Where } from '../rows/printers.present.ts'
import type { PrinterView } from '../rows/printers.queries.ts'

/** What is to be looked at again: what is true with time, the status that came, what is known right now, or the rows as well. */
type Need = 'none' | 'time' | 'status' | 'presence' | 'rows'
/** A still that is younger is as good as a new one. */
const STILL_MS = 4_000

const RANK: Record<Need, number> = { none: 0, time: 1, status: 2, presence: 3, rows: 4 }

export interface ShownOptions extends Pick<
  PassthruOptions,
  'printerId' | 'mayAct' | 'userId' | 'initiator' | 'say'
> {
  readonly edge: Where
  /** False leaves out the lines of the terminal. */
  readonly hasTerminal: boolean
  /** There is something to be looked at again. */
  readonly onDirty: () => void
}

/**
 * One printer as one browser is shown it, on either socket: what happens to it is heard here, and kept until whoever shows it
 * takes it up (`begin`, `readPresence`, and `take` when rows are needed), so that much news is looked at once.
 */
export class ShownPrinter {
  readonly id: PrinterId
  readonly passthru: Passthru
  readonly #ctx: Ctx
  readonly #options: ShownOptions
  readonly #cleanUps: (() => void)[] = []
  /** Who asks the agent something waits for this: it is known, and its answer can be heard. */
  readonly #ready = Promise.withResolvers<void>()
  #view: PrinterView | null = null
  #presence: Presence = { status: null, agent: null, picture: null }
  /** The newest status as it came; it is parsed only when it is shown. */
  #news: (News & { kind: 'status' }) | null = null
  #need: Need = 'rows'
  #doing: Need = 'none'
  #leave: Promise<() => void> | null = null
  #isListening = false
  #isGone = false
  #isClosed = false

  constructor(ctx: Ctx, options: ShownOptions) {
    this.#ctx = ctx
    this.#options = options
    this.id = options.printerId
    this.passthru = new Passthru(ctx, {
      ...options,
      agentName: async () => {
        await this.#ready.promise
        return this.#view?.printer.agentName ?? null
      },
    })
  }

  /** Deleted, or not the viewer's any more. */
  get isGone(): boolean {
    return this.#isGone
  }

  get isDirty(): boolean {
    return this.#need !== 'none'
  }

  /** Of what is being done: nothing happened but that time passed. */
  get isOnlyTime(): boolean {
    return this.#doing === 'time'
  }

  get needsRows(): boolean {
    return this.#doing === 'rows'
  }

  /** Hears of the printer from now on. */
  async listen(): Promise<void> {
    const cleanUps = await Promise.all([
      onNews(this.#ctx, this.id, (news) => this.#hear(news)),
      onPassthru(this.#ctx, this.id, (item) => this.#hearPassthru(item)),
    ])
    this.#cleanUps.push(...cleanUps)
    if (this.#isClosed) return this.close()
    this.#isListening = true
    this.#settle()
  }

  /** Whether somebody looks at it: then its agent is told. */
  setViewing(isViewing: boolean): void {
    if (isViewing === (this.#leave !== null) || (isViewing && this.#isClosed)) return
    const leave = this.#leave
    this.#leave = isViewing ? addViewer(this.#ctx, this.id) : null
    const failed = (error: unknown) =>
      this.#ctx.log.warn({ err: error, printerId: this.id }, 'a viewer was not counted')
    this.#leave?.catch(failed)
    leave?.then((go) => go()).catch(failed)
  }

  /** Whoever looks at it sees no moving picture: a new still, unless one has just come. */
  askForStill(): void {
    const at = this.#presence.picture?.at ?? 0
    if (this.#leave !== null && this.#ctx.clock.now() - at >= STILL_MS) askForStill(this.#ctx, this.id)
  }

  mark(need: Need): void {
    if (RANK[need] > RANK[this.#need]) this.#need = need
    this.#options.onDirty()
  }

  close(): void {
    this.#isClosed = true
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

  async readPresence(): Promise<void> {
    if (this.#doing === 'status') return
    const looked = this.#presence.picture?.checkedAt
    this.#presence = await readPresence(this.#ctx, this.id)
    // The detector has looked: its score is in the rows.
    if (this.#presence.picture?.checkedAt !== looked) this.#doing = 'rows'
  }

  /** Its rows, read anew; undefined when the viewer may not see it any more. */
  take(view: PrinterView | undefined): void {
    if (view === undefined) this.#isGone = true
    else this.#view = view
    this.#settle()
  }

  /** All of it. */
  whole(): Printer {
    this.#takeNews()
    return presentPrinter(...this.#facts())
  }

  /**
   * What moves; all of it when rows were read, or when the reason is another than `isKnown` says, which the print's printer
   * tells as well.
   */
  news(isKnown: (reason: string | null) => boolean): ReturnType<typeof presentMoving> {
    if (this.#doing === 'rows') return this.whole()
    this.#takeNews()
    const moving = presentMoving(...this.#facts())
    return isKnown(moving.not_watching_reason) ? moving : this.whole()
  }

  #facts(): Parameters<typeof presentPrinter> {
    if (this.#view === null) throw new Error('A printer is shown whose rows have not been read.')
    return [this.#ctx, this.#view, this.#presence, this.#options.edge]
  }

  #settle(): void {
    if (this.#isListening && this.#view !== null) this.#ready.resolve()
  }

  #takeNews(): void {
    if (this.#news === null) return
    const status = this.#news.read()
    this.#news = null
    const { agent } = this.#presence
    const seen = agent && { ...agent, seenAt: this.#ctx.clock.now() }
    this.#presence = { ...this.#presence, status, agent: status ? seen : agent }
  }

  #hear(news: News): void {
    if (news.kind === 'status') {
      this.#news = news
      return this.mark(this.#presence.agent === null ? 'presence' : 'status')
    }
    if (news.kind === 'gone') this.#isGone = true
    this.mark(news.kind === 'live' ? 'presence' : 'rows')
  }

  #hearPassthru(item: PassthruNews): void {
    // Who only looks is told nothing of what others ask the printer, and what it answers.
    const mayHear = this.#view !== null && roleMay(this.#view.role, 'control')
    if (item.isTerminal && !(this.#options.hasTerminal && mayHear)) return
    try {
      this.passthru.hear(item)
    } catch (error) {
      this.#ctx.log.warn({ err: error, printerId: this.id }, 'a passthru item was not understood')
    }
  }
}
