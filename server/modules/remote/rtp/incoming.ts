import { askAgain, askForKey, isRtcp, readRtp } from './rtp.rules.ts'

/** A packet of a printer's video, with the place that it has in all of it. */
export interface Packet {
  readonly bytes: Buffer
  /** Counted on from the first, without the wrapping of RTP's own number. */
  readonly at: number
  readonly ts: number
  readonly startsKey: boolean
  /** The stream has begun anew: nothing before it belongs to it. */
  readonly isBreak: boolean
}

/** What is kept of a stream to be said again: some seconds, 600 kB at most. */
const KEPT = 512
/** From a whole picture to now, for those who come: as much as goes out in a moment. */
const MOST_BACKLOG = 400
/** Whoever jumps farther has begun anew. */
const JUMP = 1_000
/** A source is asked for a whole picture so often at most, however many want one. */
const KEY_EVERY_MS = 500
const AGAIN_EVERY_MS = 60
const MOST_ASKED = 4
const MOST_MISSING = 128

interface Missing {
  asked: number
  askedAt: number
}

/** The video of one printer as it comes: its order, what is missing of it, and what is kept of it for others. */
export class Incoming {
  readonly #say: (rtcp: Buffer) => void
  /** By place, from the beginning again when it is full. */
  #kept: Packet[] = []
  #backlog: Packet[] = []
  #hasKey = false
  readonly #missing = new Map<number, Missing>()
  #ssrc = 0
  #highest: number | null = null
  #keyAskedAt = -Infinity

  constructor(say: (rtcp: Buffer) => void) {
    this.#say = say
  }

  /** Since the last whole picture; empty where it is too long ago. */
  get backlog(): readonly Packet[] {
    return this.#backlog
  }

  /** Null for what is nothing, or was there before. */
  take(bytes: Buffer, now: number): Packet | null {
    const read = isRtcp(bytes) ? null : readRtp(bytes)
    if (read === null) return null
    this.#ssrc = bytes.readUInt32BE(8)
    const { at, isBreak } = this.#placeOf(read.seq)
    if (isBreak) this.#forget()
    if (at < 0 || this.packet(at) || at <= (this.#highest ?? -1) - KEPT) return null
    const packet: Packet = { bytes, at, ts: read.ts, startsKey: read.startsKey, isBreak }
    this.#note(at, isBreak)
    this.#kept[at % KEPT] = packet
    this.#keep(packet)
    if (this.#missing.size > 0) this.#askForMissing(now)
    return packet
  }

  packet(at: number): Packet | undefined {
    const kept = this.#kept[at % KEPT]
    return kept?.at === at ? kept : undefined
  }

  askForKey(now: number): void {
    if (now - this.#keyAskedAt < KEY_EVERY_MS) return
    this.#keyAskedAt = now
    this.#say(askForKey(this.#ssrc))
  }

  #placeOf(seq: number): { at: number; isBreak: boolean } {
    if (this.#highest === null) return { at: seq, isBreak: false }
    const step = ((seq - this.#highest + 0x8000) & 0xffff) - 0x8000
    if (Math.abs(step) <= JUMP) return { at: this.#highest + step, isBreak: false }
    // A place with the same number in RTP, so far ahead that nothing of before is near.
    return { at: this.#highest + step + 0x20000, isBreak: true }
  }

  #note(at: number, isBreak: boolean): void {
    this.#missing.delete(at)
    const highest = this.#highest
    if (highest !== null && !isBreak)
      for (let lost = highest + 1; lost < at && this.#missing.size < MOST_MISSING; lost++)
        this.#missing.set(lost, { asked: 0, askedAt: -Infinity })
    if (highest === null || at > highest) this.#highest = at
  }

  #keep(packet: Packet): void {
    const last = this.#backlog.at(-1)
    const isNew = packet.startsKey && packet.ts !== this.#backlog[0]?.ts && packet.at > (last?.at ?? -1)
    if (isNew) {
      this.#backlog = []
      this.#hasKey = true
    }
    if (!this.#hasKey) return
    if (this.#backlog.length < MOST_BACKLOG) return void this.#backlog.push(packet)
    this.#backlog = []
    this.#hasKey = false
  }

  #askForMissing(now: number): void {
    const again: number[] = []
    for (const [at, missing] of this.#missing) {
      if (at <= (this.#highest ?? 0) - KEPT || missing.asked >= MOST_ASKED) this.#missing.delete(at)
      else if (now - missing.askedAt >= AGAIN_EVERY_MS) {
        missing.asked++
        missing.askedAt = now
        again.push(at)
      }
    }
    if (again.length > 0) this.#say(askAgain(this.#ssrc, again))
  }

  #forget(): void {
    this.#kept = []
    this.#missing.clear()
    this.#backlog = []
    this.#hasKey = false
  }
}
