import { randomInt } from 'node:crypto'
import type { Peer, Webrtc } from '../../../engines/webrtc/port.ts'
import type { Media } from './offer.rules.ts'
import { Outgoing } from '../rtp/outgoing.ts'
import type { Place } from '../rtp/pictures.rules.ts'
import type { Source } from './source.ts'

/** What of a picture may wait for a viewer's line; who has more waiting gets the next picture, and not the rest of this one. */
const MOST_WAITING = 262_144

interface Options {
  readonly webrtc: Webrtc
  readonly source: Source
  readonly media: Media
  readonly now: () => number
  readonly onOffer: (sdp: string) => void
  readonly onUp: () => void
  readonly onEnd: (why: string) => void
}

/** One who looks at a source, by a connection of their own: whoever is slow misses pictures, and keeps nobody waiting. */
export class Seat {
  readonly #peer: Peer
  readonly #outgoing: Outgoing | null
  readonly #leave: () => void
  readonly #onEnd: (why: string) => void
  #isPaused = false
  #isUp = false
  /** Is in the middle of a picture that is not theirs. */
  #isSkipping = true
  #isOver = false

  /** Raises an error when there are too many. */
  constructor({ webrtc, source, media, now, onOffer, onUp, onEnd }: Options) {
    this.#onEnd = onEnd
    const ssrc = randomInt(1, 2 ** 32 - 1)
    this.#peer = webrtc.offer(
      { ...media, ssrc },
      {
        onDescription: onOffer,
        onUp: () => {
          this.#isUp = true
          this.#outgoing?.begin()
          onUp()
        },
        onDown: () => this.end('ICE failed'),
        onPacket: (rtcp) => this.#outgoing?.hear(rtcp),
        // No agent reads what is said this way; whatever a printer is told goes by the server, which asks who may.
        onData: () => undefined,
      },
    )
    const send = (bytes: Buffer) => this.#peer.sendPacket(bytes)
    this.#outgoing = media.video && new Outgoing(source.incoming, { ssrc, type: media.video.type, send, now })
    this.#leave = source.listen({
      onPacket: (packet) => {
        if (this.#isUp && !this.#isPaused) this.#outgoing?.take(packet)
      },
      onData: (message, place) => this.#take(message, place),
      onEnd: () => this.end('The printer has ended it'),
    })
  }

  /** The viewer's answer to our offer. Raises an error when it can't be used. */
  accept(sdp: string): void {
    this.#peer.accept(sdp)
  }

  pause(): void {
    this.#isPaused = true
    this.#outgoing?.end()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    if (this.#isUp) this.#outgoing?.begin()
  }

  /** Ends it, and says so unless it is over. */
  end(why: string): void {
    if (this.#isOver) return
    this.close()
    this.#onEnd(why)
  }

  close(): void {
    this.#isOver = true
    this.#outgoing?.end()
    this.#leave()
    this.#peer.close()
  }

  #take(message: Buffer | string, place: Place): void {
    if (this.#isPaused) return
    if (place !== 'goes on') this.#isSkipping = this.#peer.waiting > 0
    else if (this.#peer.waiting > MOST_WAITING) this.#isSkipping = true
    if (!this.#isSkipping) this.#peer.sendData(message)
  }
}
