import { randomBytes } from 'node:crypto'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Stream } from '../../../engines/live/stream.ts'
import type { Line, Receiver } from '../../core/agents/index.ts'
import { acceptViewers } from '../../core/presence/index.ts'
import { type Answer, readAnswer } from '../janus/answers.rules.ts'
import type { Cycle } from './cycle.service.ts'
import type { Fanout, FanoutProcess, Served } from '../sfu/sfu-process.ts'
import type { Request } from '../janus/janus.rules.ts'
import { type Guest, guestOf, type Hall, Viewing } from './viewing.ts'

/** Viewers of one printer: its Janus sends to each by itself. Some places are kept for the owner. */
const MOST = 64
const MOST_GUESTS = 48
/** What is said to a viewer beside Janus' messages: that there is no room. */
export const FULL = 'full'
/** An answer to somebody who has gone comes within this time, or never. */
const REMEMBERED_MS = 60_000

interface Around {
  /** Carries video itself, where the operator wants it. */
  readonly fanouts: FanoutProcess | null
  readonly onEnd: () => void
}

/** One agent's Janus, between it and its viewers on all nodes (docs/wire/agents.md 4.4). */
export class Gateway implements Receiver<'janus'>, Hall, Served {
  readonly ctx: Ctx
  readonly printerId: PrinterId
  readonly cycles = new Map<number, Cycle>()
  readonly #line: Line
  readonly #onEnd: () => void
  /** By the prefix of their transactions. */
  readonly #viewings = new Map<string, Viewing>()
  readonly #owners = new Map<number, Viewing>()
  readonly #fanouts: FanoutProcess | null
  /** Answers viewers in the Janus' place; null as long as nobody looks, and where there is none. */
  #fanout: Fanout | null = null
  #stop: () => void = () => undefined
  #isOver = false

  private constructor(ctx: Ctx, line: Line, { fanouts, onEnd }: Around) {
    this.ctx = ctx
    this.#onEnd = onEnd
    this.#fanouts = fanouts
    this.#line = line
    this.printerId = line.printerId
  }

  /** Lets viewers in as the line begins. */
  static async open(ctx: Ctx, line: Line, around: Around): Promise<Gateway> {
    const gateway = new Gateway(ctx, line, around)
    const { printerId, epoch } = line
    if (epoch === null) return gateway
    const stop = await acceptViewers(ctx, { printerId, epoch }, (stream, hello) =>
      gateway.#enter(stream, hello),
    )
    if (gateway.#isOver) stop()
    else gateway.#stop = stop
    return gateway
  }

  hear({ text }: { readonly text: string }): void {
    const answer = readAnswer(text)
    if (answer === null)
      return this.ctx.log.debug({ printerId: this.printerId }, 'a word of a Janus is not for viewers')
    if (this.#fanout) this.#fanout.hear(answer)
    else this.answer(answer)
  }

  answer(answer: Answer): void {
    const [prefix = '', transaction = ''] = splitOnce(answer.transaction ?? '')
    const owner = answer.session_id === undefined ? undefined : this.#owners.get(answer.session_id)
    const asker = answer.transaction === undefined ? owner : this.#viewings.get(prefix)
    // What answers nobody who is here, or answers one with another's session, is told to nobody.
    if (asker === undefined || (owner !== undefined && owner !== asker)) return
    asker.hear(answer.transaction === undefined ? answer : { ...answer, transaction })
  }

  /** A second has passed. */
  tick(): void {
    for (const viewing of this.#viewings.values()) viewing.tick()
  }

  end(): void {
    this.#isOver = true
    this.#stop()
    this.#fanout?.end()
    for (const viewing of this.#viewings.values()) viewing.stream.end()
    this.#viewings.clear()
    this.#owners.clear()
    this.#onEnd()
  }

  ask(prefix: string, request: Request): void {
    const asked = { ...request, transaction: `${prefix}.${request.transaction}` }
    if (!this.#isOver) this.#fanout ??= this.#fanouts?.open(this) ?? null
    if (this.#fanout) this.#fanout.ask(asked)
    else this.say(asked)
  }

  say(request: Request): void {
    this.#line.send({ janus: JSON.stringify(request) })
  }

  /** The fan-out has fallen: viewers come again. */
  lost(): void {
    this.#fanout = null
    for (const viewing of this.#viewings.values()) viewing.stream.end()
  }

  claim(sessionId: number, viewing: Viewing): boolean {
    if (this.#owners.has(sessionId)) return false
    this.#owners.set(sessionId, viewing)
    return true
  }

  release(sessionId: number): void {
    this.#owners.delete(sessionId)
  }

  #enter(stream: Stream, hello: unknown): void {
    const guest = guestOf(hello)
    if (this.#isOver || guest === null) return stream.end()
    if (!this.#hasRoomFor(guest)) return void refuse(stream)
    const prefix = randomBytes(9).toString('base64url')
    const viewing = new Viewing(this, { stream, guest, prefix })
    this.#viewings.set(prefix, viewing)
    void viewing.serve().finally(() => {
      // A session that is still being made is ended as soon as it is there.
      setTimeout(() => this.#viewings.delete(prefix), REMEMBERED_MS).unref()
    })
  }

  #hasRoomFor({ isGuest }: Guest): boolean {
    const here = [...this.#viewings.values()].filter(({ isGone }) => !isGone)
    const guests = here.filter(({ guest }) => guest.isGuest).length
    return here.length < MOST && (!isGuest || guests < MOST_GUESTS)
  }
}

async function refuse(stream: Stream): Promise<void> {
  await stream.send(FULL).catch(() => undefined)
  stream.end()
}

function splitOnce(text: string): [string, string] | [] {
  const at = text.indexOf('.')
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)]
}
