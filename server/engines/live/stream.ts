import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomUUID } from 'node:crypto'
import { bytesOf } from './hub.ts'
import type { Live } from './port.ts'
import { decode, encode, KIND, type Packet } from './stream-packets.ts'

/** What has arrived on one side of a stream and is not read yet; the other side sends no more than this side's window. */
class Inbox {
  readonly #tellRead: () => void
  readonly #frames: Buffer[] = []
  #wake: () => void = () => undefined
  #arrived = 0
  #isClosed = false
  #isTelling = false
  #hasHeard = false
  bytesRead = 0

  /** `tellRead`: the other side is to hear how much was read. */
  constructor(tellRead: () => void) {
    this.#tellRead = tellRead
  }

  /** Takes what was said; false when something before it was lost. */
  take({ kind, frames, body }: Packet): boolean {
    this.#hasHeard = true
    if (kind === KIND.data) {
      this.#arrived = (this.#arrived + 1) % 2 ** 32
      if (body !== undefined && frames === this.#arrived) this.#frames.push(body)
      this.#wake()
    }
    return frames === this.#arrived
  }

  /** Whether anything was heard since this was asked last. */
  hasHeard(): boolean {
    const hasHeard = this.#hasHeard
    this.#hasHeard = false
    return hasHeard
  }

  /** The next frame; null when there will be none. */
  async next(): Promise<Buffer | null> {
    while (this.#frames.length === 0 && !this.#isClosed)
      await new Promise<void>((wake) => (this.#wake = wake))
    const frame = this.#frames.shift() ?? null
    if (frame === null) return null
    this.bytesRead += frame.length
    this.#tellSoon()
    return frame
  }

  /** What has arrived can still be read. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Once for all that are read in one go: small frames cost no packet each. */
  #tellSoon(): void {
    if (this.#isTelling || this.#isClosed) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      this.#tellRead()
    })
  }
}

/** How one side of a stream behaves. */
export interface StreamOptions {
  /** Bytes that may be on their way to this side and unread; one frame of any size may always be (default 4 MB). */
  readonly windowBytes?: number
}

/** Who opens says also how often, in milliseconds, each side says that it lives (default 5 s); a silence three times as long ends it. */
export interface OpenOptions extends StreamOptions {
  readonly beatMs?: number
}

/** Why a stream ended. `lost`: the other side is gone, or something between them was. */
export type StreamEnd = 'ended' | 'lost'

/** The stream has ended: nothing can be sent any more, or what was sent may not have arrived. */
export class StreamClosed extends Error {
  override readonly name = 'StreamClosed'
}

const WINDOW_BYTES = 4 * 1_048_576
const BEAT_MS = 5_000
/** Beats without a word of the other side. */
const MAX_SILENCE = 3
const OPEN_MS = 5_000

/**
 * Frames of bytes both ways between two nodes, or within one, in order, each once, with back-pressure: who sends waits
 * until the other side has read. What is on its way is bounded by the reader's window. Runs over any `live`: what its
 * pub/sub loses ends the stream.
 */
export class Stream implements AsyncIterable<Buffer> {
  readonly #live: Live
  readonly #to: string
  readonly #inbox: Inbox
  readonly #theirWindow: number
  readonly #beat: NodeJS.Timeout
  readonly #ended = Promise.withResolvers<StreamEnd>()
  #cleanUp: () => void = () => undefined
  /** One frame after the other, in the order in which they were given. */
  #order: Promise<void> = Promise.resolve()
  #wake: () => void = () => undefined
  #frames = 0
  #sent = 0
  #credited = 0
  #end: StreamEnd | null = null

  private constructor(live: Live, to: string, theirWindow: number, beatMs: number) {
    this.#live = live
    this.#to = to
    this.#theirWindow = theirWindow
    this.#inbox = new Inbox(() => this.#say(KIND.beat))
    let silence = 0
    this.#beat = setInterval(() => {
      silence = this.#inbox.hasHeard() ? 0 : silence + 1
      if (silence >= MAX_SILENCE) this.#lose()
      else this.#say(KIND.beat)
    }, beatMs)
    this.#beat.unref()
  }

  /** Opens a stream to whoever accepts `topic`, who gets `hello`; null when nobody does. */
  static async open(
    live: Live,
    topic: string,
    hello: string,
    options: OpenOptions = {},
  ): Promise<Stream | null> {
    const id = randomUUID()
    const { windowBytes = WINDOW_BYTES, beatMs = BEAT_MS } = options
    const early: Buffer[] = []
    let hear: (message: Buffer) => void = (message) => early.push(message)
    const stop = await live.subscribe(`stream:${id}:back`, (message) => hear(message))
    const answer = await live
      .request(topic, JSON.stringify({ id, windowBytes, beatMs, hello } satisfies Opening), OPEN_MS)
      .catch(() => null)
    if (answer === null) {
      stop()
      return null
    }
    const theirs = Number(fieldsOf(JSON.parse(answer.toString()))['windowBytes'])
    const stream = new Stream(live, `stream:${id}:forth`, theirs, beatMs)
    stream.#cleanUp = stop
    hear = (message) => stream.#hear(message)
    for (const message of early) hear(message)
    return stream
  }

  /** Calls `fn` for each stream that is opened to `topic` until the returned function is called. One side accepts a topic. */
  static async accept(
    live: Live,
    topic: string,
    fn: (stream: Stream, hello: string) => void,
    { windowBytes = WINDOW_BYTES }: StreamOptions = {},
  ): Promise<() => void> {
    return await live.respond(topic, async (message) => {
      const { id, hello, ...theirs } = JSON.parse(message.toString()) as Opening
      const stream = new Stream(live, `stream:${id}:back`, theirs.windowBytes, theirs.beatMs)
      stream.#cleanUp = await live.subscribe(`stream:${id}:forth`, (packet) => stream.#hear(packet))
      queueMicrotask(() => fn(stream, hello))
      return JSON.stringify({ windowBytes })
    })
  }

  /** Resolves when it has ended, with why. */
  get ended(): Promise<StreamEnd> {
    return this.#ended.promise
  }

  /**
   * Sends a frame, not copied until it leaves; resolves when it has left, which it does when the reader has room. Who does
   * not wait keeps what waits in memory. Raises `StreamClosed` once the stream has ended.
   */
  async send(frame: Uint8Array | string): Promise<void> {
    const bytes = bytesOf(frame)
    const before = this.#order
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#order = promise
    await before
    try {
      while (this.#end === null && !this.#hasRoomFor(bytes.length))
        await new Promise<void>((wake) => (this.#wake = wake))
      if (this.#end !== null) throw new StreamClosed(`the stream has ${this.#end}`)
      this.#frames++
      this.#sent += bytes.length
      this.#say(KIND.data, bytes)
    } finally {
      resolve()
    }
  }

  /** The frames of the other side; throws `StreamClosed` when one was lost. Leaving the loop ends the stream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const frame = await this.#inbox.next()
        if (frame === null) break
        yield frame
      }
      if (this.#end === 'lost') throw new StreamClosed('the stream was lost')
    } finally {
      this.end()
    }
  }

  /** Ends it for both; what was sent before still arrives. */
  end(): void {
    if (this.#end !== null) return
    this.#say(KIND.end)
    this.#finish('ended')
  }

  #hasRoomFor(bytes: number): boolean {
    const onTheirWay = this.#sent - this.#credited
    return onTheirWay === 0 || onTheirWay + bytes <= this.#theirWindow
  }

  #say(kind: Packet['kind'], body?: Buffer): void {
    if (this.#end !== null) return
    this.#live.publish(this.#to, encode({ kind, frames: this.#frames, read: this.#inbox.bytesRead, body }))
  }

  #hear(message: Buffer): void {
    if (this.#end !== null) return
    const packet = decode(message)
    if (!this.#inbox.take(packet)) return this.#lose()
    if (packet.read > this.#credited) {
      this.#credited = packet.read
      this.#wake()
    }
    if (packet.kind === KIND.end) this.#finish('ended')
    if (packet.kind === KIND.lost) this.#finish('lost')
  }

  /** Something did not arrive, or the other side is silent: it hears that, if it can hear. */
  #lose(): void {
    this.#say(KIND.lost)
    this.#finish('lost')
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== null) return
    this.#end = end
    clearInterval(this.#beat)
    this.#cleanUp()
    this.#inbox.close()
    this.#wake()
    this.#ended.resolve(end)
  }
}

interface Opening {
  readonly id: string
  readonly windowBytes: number
  readonly beatMs: number
  readonly hello: string
}
