import { Bucket } from '../../../lib/bucket.ts'
import type { Incoming, Packet } from './incoming.ts'
import { addressRtp, readFeedback } from './rtp.rules.ts'

/** What came before a viewer goes to them in parts, so that a line of 20 Mbit/s keeps up. */
const PUMP_EVERY_MS = 5
const PUMPED = 16
/** Who is so far behind begins anew. */
const MOST_QUEUED = 800
/** Pictures of before they came are shown one after the other, so many ticks of 90 kHz apart. */
const HURRY = 90
/** What is said to one viewer a second time: a tenth of a good stream. */
const AGAIN = { burst: 200, perSecond: 100 }
/** Somebody who has just got a whole picture has not read it yet. */
const READING_MS = 400

interface Options {
  readonly ssrc: number
  readonly type: number
  readonly send: (bytes: Buffer) => void
  readonly now: () => number
}

/** The video of one printer as one viewer gets it: numbered anew, from whole picture to whole picture. */
export class Outgoing {
  readonly #incoming: Incoming
  readonly #options: Options
  readonly #again: Bucket
  #queue: Packet[] = []
  #pump: NodeJS.Timeout | undefined
  #hurried: ReadonlyMap<number, number> = new Map()
  /** Waits for a whole picture. */
  #isWaiting = true
  #first = 0
  /** From places of the source to numbers of this viewer. */
  #offset = 0
  #next = 1
  #begunAt = -Infinity

  constructor(incoming: Incoming, options: Options) {
    this.#incoming = incoming
    this.#options = options
    this.#again = new Bucket(options.now, AGAIN)
  }

  /** Sends what there is since the last whole picture, at once; without one, one is asked for. */
  begin(): void {
    this.end()
    const { backlog } = this.#incoming
    if (backlog.length === 0) return this.#incoming.askForKey(this.#options.now())
    const times = [...new Set(backlog.map(({ ts }) => ts))]
    const last = times.at(-1) ?? 0
    this.#hurried = new Map(times.map((ts, i) => [ts, last - (times.length - 1 - i) * HURRY]))
    this.#queue = [...backlog]
    this.#send()
  }

  take(packet: Packet): void {
    if (this.#pump === undefined) return this.#pass(packet)
    if (this.#queue.length < MOST_QUEUED) return void this.#queue.push(packet)
    this.end()
  }

  /** What the viewer says of what they got. */
  hear(rtcp: Buffer): void {
    const { missing, wantsKey } = readFeedback(rtcp)
    for (const seq of missing) this.#sayAgain(seq)
    const now = this.#options.now()
    if (!wantsKey || now - this.#begunAt < READING_MS) return
    // Nothing before it is of use to them: their line has it sooner without.
    this.#isWaiting = true
    this.#incoming.askForKey(now)
  }

  /** Until a whole picture comes, or it is begun again. */
  end(): void {
    this.#isWaiting = true
    clearTimeout(this.#pump)
    this.#pump = undefined
    this.#queue = []
  }

  #send(): void {
    for (const packet of this.#queue.splice(0, PUMPED)) this.#pass(packet)
    this.#pump = this.#queue.length === 0 ? undefined : setTimeout(() => this.#send(), PUMP_EVERY_MS)
  }

  #pass(packet: Packet): void {
    if (packet.isBreak) this.#isWaiting = true
    if (this.#isWaiting) {
      if (!packet.startsKey) return
      this.#isWaiting = false
      this.#first = packet.at
      this.#offset = this.#next - packet.at
      this.#begunAt = this.#options.now()
    }
    // A picture of after they came: time goes as it goes.
    if (packet.startsKey && !this.#hurried.has(packet.ts)) this.#hurried = new Map()
    if (packet.at >= this.#first) this.#say(packet)
  }

  #say({ bytes, at, ts }: Packet): void {
    const { ssrc, type, send } = this.#options
    const seq = at + this.#offset
    this.#next = Math.max(this.#next, seq + 1)
    addressRtp(bytes, { seq, ts: this.#hurried.get(ts) ?? ts, ssrc, type })
    send(bytes)
  }

  #sayAgain(seq: number): void {
    const place = this.#next - 1 - ((this.#next - 1 - seq) & 0xffff) - this.#offset
    const packet = place < this.#first ? undefined : this.#incoming.packet(place)
    if (packet && this.#again.take()) this.#say(packet)
  }
}
