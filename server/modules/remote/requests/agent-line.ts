import { randomUUID } from 'node:crypto'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Line, Receiver } from '../../core/agents/index.ts'
import { canTunnel } from './carry.queries.ts'
import { type AgentRequest, requestMessage } from '../wire/envelope.rules.ts'
import { type Counted, reasonOf, type TunnelClass, TunnelFailed } from '../wire/port.ts'
import { readReply, type Reply, type SocketNews } from '../wire/reply.rules.ts'
import { Window } from '../wire/window.ts'

const AGENT_TIMEOUT_S = 30
/** We wait so much longer for the agent, from when it has been asked. */
const GRACE_MS = 5_000

/** What is asked of an agent at once. */
export interface Ask extends Pick<AgentRequest, 'method' | 'path' | 'headers'> {
  /** What the agent's own HTTP client waits for the printer's page, in seconds; half a minute unless given. */
  readonly timeout?: number
  readonly class: TunnelClass
  readonly signal: AbortSignal
  readonly counted: Counted
  /** Says it: the message, whole, if it is wanted still when its turn comes. By default without a body. */
  readonly say?: (request: AgentRequest, isWanted: () => boolean) => Promise<void>
}

/** What changes nothing. */
const SAFE = new Set(['get', 'head', 'options'])
/** What may change something waits for its turn no longer: nobody expects any more then that it is done. */
export const LATE_MS = 10_000

interface Waiter {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  readonly counted: Counted
}

/** The tunnel's side of one agent's socket, on the node that holds it. */
export class AgentLine {
  readonly window = new Window()
  /** What one websocket's opening waits for: the one before. */
  opening: Promise<unknown> = Promise.resolve()
  openings = 0
  /** Bodies that lie here to be sent. */
  kept = 0
  #isNewEnough = false
  readonly #line: Line
  readonly #ctx: Pick<Ctx, 'log' | 'clock'>
  readonly #waiters = new Map<string, Waiter>()
  readonly #sockets = new Map<string, (news: SocketNews | null, bytes: number) => void>()
  readonly #gone = new AbortController()

  constructor(ctx: Pick<Ctx, 'log' | 'clock'>, line: Line) {
    this.#ctx = ctx
    this.#line = line
  }

  get printerId(): PrinterId {
    return this.#line.printerId
  }

  get isOpen(): boolean {
    return this.#line.isOpen
  }

  /** Raises `TunnelFailed` when the agent is known to be too old. */
  async checkAge(db: Ctx['db']): Promise<void> {
    this.#isNewEnough ||= await canTunnel(db, this.printerId)
    if (!this.#isNewEnough) throw new TunnelFailed('old')
  }

  /** Aborted when the agent has gone, with `TunnelFailed` as the reason. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /**
   * Asks when there is a place for it, and resolves with the answer. Raises `TunnelFailed`, or the signal's reason; what was said
   * keeps its place until the agent has answered, wanted or not.
   */
  async ask(ask: Ask): Promise<Reply> {
    const { signal } = ask
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const onAbort = () => reject(reasonOf(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    const ready = AbortSignal.any([signal, this.gone])
    // An upload waits for the one before it as long as its browser does.
    const patienceMs = ask.class === 'bulk' || SAFE.has(ask.method) ? Infinity : LATE_MS
    const isInTime = this.inTime(patienceMs)
    const isWanted = () => !signal.aborted && isInTime()
    const answer = this.window.enter(ask.class, ready, () => this.#askNow(ask, isWanted), patienceMs)
    try {
      return await Promise.race([answer, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #askNow(ask: Ask, isWanted: () => boolean): Promise<Reply> {
    const { counted, say = this.#sayBare, timeout = AGENT_TIMEOUT_S, method, path, headers } = ask
    const ref = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    // It may fail before anybody waits for it.
    promise.catch(() => undefined)
    this.#waiters.set(ref, { resolve, reject, counted })
    let timer: NodeJS.Timeout | undefined
    try {
      await say({ ref, method, path, headers, timeout }, isWanted)
      timer = setTimeout(() => reject(new TunnelFailed('timeout')), timeout * 1_000 + GRACE_MS)
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiters.delete(ref)
    }
  }

  /** Whether so many milliseconds have not passed since now. */
  inTime(ms: number): () => boolean {
    const { clock } = this.#ctx
    const until = clock.monotonic() + ms
    return () => clock.monotonic() < until
  }

  /** Says a request with a small body. */
  async say(request: AgentRequest, body: Uint8Array | null, isWanted: () => boolean): Promise<void> {
    await this.sendBytes(requestMessage(request, body), isWanted)
  }

  readonly #sayBare = (request: AgentRequest, isWanted: () => boolean) => this.say(request, null, isWanted)

  /** Says a message; raises `TunnelFailed` when it cannot any more, or `isWanted` says no after it had to wait for a message in parts. */
  async sendBytes(message: Uint8Array, isWanted?: () => boolean): Promise<void> {
    await this.#line.sendBytes(message, isWanted).catch((cause: unknown) => {
      throw new TunnelFailed(this.isOpen ? 'busy' : 'lost', { cause })
    })
  }

  /** Says a request with a body that comes in parts. One that has to give way to a command has found the agent busy. */
  async sendParts(parts: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#line.sendParts(parts).catch((cause: unknown) => {
      throw cause instanceof TunnelFailed
        ? cause
        : new TunnelFailed(this.gone.aborted ? 'lost' : 'busy', { cause })
    })
  }

  /** Calls `fn` with what is said of a websocket, and with null once the agent has gone, until the returned function is called. */
  onSocket(ref: string, fn: (news: SocketNews | null, bytes: number) => void): () => void {
    this.#sockets.set(ref, fn)
    return () => void this.#sockets.delete(ref)
  }

  get sockets(): number {
    return this.#sockets.size
  }

  /** The receiver of this line's frames. */
  receiver(onEnd: () => void): Receiver<'tunnel'> {
    return {
      hear: (_frame, { data }) => this.#hear(data),
      end: () => {
        onEnd()
        const lost = new TunnelFailed('lost')
        this.#gone.abort(lost)
        for (const { reject } of this.#waiters.values()) reject(lost)
        for (const tell of this.#sockets.values()) tell(null, 0)
        this.#sockets.clear()
      },
    }
  }

  /** What answers nobody's question, or one a second time, is dropped. */
  #hear(message: Buffer): void {
    const reply = readReply(message)
    if (reply === null)
      return this.#ctx.log.debug({ printerId: this.printerId }, 'a tunnel frame was not understood')
    if (reply.kind === 'socket') return this.#sockets.get(reply.ref)?.(reply, message.length)
    const waiter = this.#waiters.get(reply.ref)
    waiter?.counted(message.length)
    if (isOfPage(reply)) waiter?.resolve(reply)
    else waiter?.reject(new TunnelFailed('agent'))
  }
}

/** The agent's own failures have 502 and no headers; the printer's page always sends some. */
function isOfPage({ status, headers }: Reply): boolean {
  return (
    (status === 101 || (status >= 200 && status <= 599)) &&
    !(status === 502 && Object.keys(headers).length === 0)
  )
}
