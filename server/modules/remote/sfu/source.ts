import type { Peer, Webrtc } from '../../../engines/webrtc/port.ts'
import type { Answer } from '../janus/answers.rules.ts'
import type { Request } from '../janus/janus.rules.ts'
import { Incoming, type Packet } from '../rtp/incoming.ts'
import { type Media, mediaOf, onlyFormat } from './offer.rules.ts'
import { Pictures, type Place } from '../rtp/pictures.rules.ts'
import { Refused, Talk } from './signalling.ts'

/** By this name Janus finds the data channel of who watches (docs/wire/agents.md 4.4). */
const CHANNEL = 'JanusDataChannel'
/** Who reloads a page finds it still there. */
const LINGER_MS = 2_000
/** Video that stands still for so long is asked for anew by the next who comes; after longer it is over for all. */
const STALE_MS = 4_000
const GONE_MS = 15_000

/** Who is served. */
export interface Listener {
  readonly onPacket: (packet: Packet) => void
  readonly onData: (message: Buffer | string, place: Place) => void
  /** There will be no more. */
  readonly onEnd: () => void
}

interface Options {
  readonly webrtc: Webrtc
  readonly id: number
  readonly withVideo: boolean
  readonly say: (request: Request) => void
  readonly now: () => number
  readonly onEnd: () => void
}

/** One stream of one printer, of which we are the one viewer, and those that we serve it to. */
export class Source {
  /** What it has; raises `Refused`. */
  readonly media: Promise<Media>
  readonly incoming: Incoming
  readonly #options: Options
  readonly #talk: Talk
  readonly #listeners = new Set<Listener>()
  readonly #pictures = new Pictures()
  #peer: Peer | null = null
  #linger: NodeJS.Timeout | undefined
  #hasVideo = false
  #heardAt: number
  #isOver = false

  constructor(options: Options) {
    this.#options = options
    this.#talk = new Talk(options.say)
    this.#heardAt = options.now()
    this.incoming = new Incoming((rtcp) => this.#peer?.sendPacket(rtcp))
    this.media = this.#open()
    this.media.catch(() => this.end())
    this.#lingerOn()
  }

  /** Serves somebody from now on, until the returned function is called. */
  listen(listener: Listener): () => void {
    clearTimeout(this.#linger)
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#lingerOn()
    }
  }

  /** Nothing comes any more: who comes now had better begin anew. */
  get isStale(): boolean {
    return this.#isOver || (this.#hasVideo && this.#quietMs() > STALE_MS)
  }

  /** True for what was said to us. */
  hear(answer: Answer): boolean {
    const isOurs = this.#talk.hear(answer)
    if (isOurs && (answer.janus === 'hangup' || answer.janus === 'timeout' || answer.janus === 'detached'))
      this.end()
    return isOurs
  }

  tick(): void {
    if (this.#hasVideo && this.#quietMs() > GONE_MS) this.end()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#linger)
    this.#peer?.close()
    this.#talk.end()
    this.#options.onEnd()
    for (const { onEnd } of this.#listeners) onEnd()
    this.#listeners.clear()
  }

  async #open(): Promise<Media> {
    const { id, withVideo } = this.#options
    await this.#talk.open()
    const answer = await this.#talk.message({
      request: 'watch',
      id,
      offer_video: withVideo,
      offer_audio: false,
      offer_data: true,
    })
    const sdp = answer.janus === 'event' ? answer.jsep?.sdp : undefined
    if (sdp === undefined || this.#isOver) throw new Refused(null)
    const media = mediaOf(sdp)
    if (media.video === null && !media.hasData) throw new Refused(null)
    this.#hasVideo = media.video !== null
    this.#connect(onlyFormat(sdp, media), media)
    return media
  }

  #connect(sdp: string, { hasData }: Media): void {
    const { webrtc, now } = this.#options
    this.#peer = webrtc.answer(sdp, hasData ? CHANNEL : null, {
      onDescription: (answered) => {
        this.#talk
          .message({ request: 'start' }, { type: 'answer', sdp: answered, trickle: false })
          .catch(() => this.end())
      },
      onUp: () => (this.#heardAt = now()),
      onDown: () => this.end(),
      onPacket: (bytes) => this.#take(bytes),
      onData: (message) => {
        const place = this.#pictures.next(message)
        for (const { onData } of this.#listeners) onData(message, place)
      },
    })
  }

  #take(bytes: Buffer): void {
    const now = this.#options.now()
    const packet = this.incoming.take(bytes, now)
    if (packet === null) return
    this.#heardAt = now
    for (const { onPacket } of this.#listeners) onPacket(packet)
  }

  #lingerOn(): void {
    clearTimeout(this.#linger)
    if (!this.#isOver) this.#linger = setTimeout(() => this.end(), LINGER_MS)
  }

  #quietMs(): number {
    return this.#options.now() - this.#heardAt
  }
}
