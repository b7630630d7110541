import { RESTING, type VideoExtras } from '@vigil/contract/remote/video.ts'
import type { Reason } from './ladder.ts'

/** A message of a Janus, as far as this client reads it. Each part may be missing: it comes from somebody's printer. */
interface Message extends VideoExtras {
  janus?: string
  transaction?: string
  session_id?: number
  sender?: number
  data?: { id?: number }
  plugindata?: { data?: { error_code?: number; result?: { status?: string } } }
  jsep?: { type?: string; sdp?: string }
  candidate?: { candidate?: string; sdpMid?: string; sdpMLineIndex?: number }
  error?: { code?: number }
}

type Told = Record<string, unknown>

/** What becomes of a stream that was asked for. */
export interface Heard {
  /** The gateway offers it: what it answers is sent back by `answer`. */
  onOffer: (sdp: string, iceServers: RTCIceServer[]) => void
  onCandidate: (candidate: RTCIceCandidateInit) => void
  /** It flows; `leftMs` where the plan lets it flow for so long only. */
  onUp: (leftMs: number | null) => void
  /** The plan's video rests for so long. */
  onRest: (leftMs: number) => void
  /** It is over, and why. */
  onOver: (reason: Reason) => void
}

const PLUGIN = 'janus.plugin.streaming'
const KEEPALIVE_MS = 25_000
/** Candidates found within so long are one message; a gateway takes no more of them at once. */
const TOGETHER_MS = 10
const MOST_TOGETHER = 20
/** "No such mountpoint", in the words of its streaming plugin. */
const NO_STREAM = new Set([455, 456])
const TOO_MUCH = new Set([429, 503])

/** Random enough to be this page's alone. */
const newTransaction = () => crypto.getRandomValues(new Uint32Array(3)).join('-')

/**
 * One stream of one gateway, from the first word to the last (docs/wire/browsers.md 6): create, attach, watch, start, trickle, keepalive; `close` stops,
 * hangs up and destroys. Speaks through `send`; whatever comes back is given to `hear`.
 */
export class JanusViewer {
  readonly #send: (text: string) => void
  readonly #heard: Heard
  readonly #asked = new Map<string, (message: Message) => void>()
  #session: number | null = null
  #handle: number | null = null
  #iceServers: RTCIceServer[] = []
  #beat: ReturnType<typeof setInterval> | undefined
  #isOver = false
  readonly #found: object[] = []
  #finding: ReturnType<typeof setTimeout> | undefined

  constructor(send: (text: string) => void, heard: Heard) {
    this.#send = send
    this.#heard = heard
  }

  /** Asks for a stream: with its picture, or with its data alone. */
  watch(streamId: number, withVideo: boolean): void {
    this.#ask({ janus: 'create' }, (created) => {
      this.#session = created.data?.id ?? null
      this.#iceServers = created.ice_servers ?? []
      this.#beat = setInterval(() => this.#ask({ janus: 'keepalive' }), KEEPALIVE_MS)
      this.#ask({ janus: 'attach', plugin: PLUGIN }, (attached) => {
        this.#handle = attached.data?.id ?? null
        this.#message({ request: 'watch', id: streamId, offer_video: withVideo, offer_audio: false })
      })
    })
  }

  answer(sdp: string): void {
    this.#message({ request: 'start' }, { type: 'answer', sdp, trickle: true })
  }

  /** Null: there are no more. Those that come together are told together. */
  trickle(candidate: RTCIceCandidateInit | null): void {
    if (this.#handle === null || this.#isOver) return
    this.#found.push(candidate ?? { completed: true })
    if (candidate === null || this.#found.length >= MOST_TOGETHER) this.#tellFound()
    else this.#finding ??= setTimeout(() => this.#tellFound(), TOGETHER_MS)
  }

  hear(text: string): void {
    const message = parsed(text)
    if (message === null || this.#isOver) return
    const waiting = message.transaction === undefined ? undefined : this.#asked.get(message.transaction)
    if (message.janus === 'error') return waiting || !message.transaction ? this.#refused(message) : undefined
    if (message.janus === 'success' && message.transaction !== undefined) {
      this.#asked.delete(message.transaction)
      return waiting?.(message)
    }
    // One gateway serves many: what is of another session is not ours.
    if (this.#session === null || message.session_id !== this.#session) return
    if (message.rest) this.#heard.onRest(message.rest.left_ms)
    this.#event(message)
  }

  /** Leaves nothing behind at the gateway. */
  close(): void {
    if (this.#isOver) return
    if (this.#handle !== null) {
      this.#message({ request: 'stop' })
      this.#ask({ janus: 'hangup' })
    }
    if (this.#session !== null) this.#ask({ janus: 'destroy' })
    this.#end()
  }

  #event(message: Message): void {
    const { janus, candidate } = message
    if (janus === 'event') this.#plugin(message)
    else if (janus === 'trickle' && candidate?.candidate) this.#heard.onCandidate(candidate)
    else if (janus === 'webrtcup') this.#heard.onUp(message.play?.left_ms ?? null)
    else if (janus === 'hangup' || janus === 'timeout' || janus === 'detached') this.#over('lost')
  }

  #plugin({ plugindata, jsep }: Message): void {
    const { error_code: code, result } = plugindata?.data ?? {}
    if (code === RESTING) return this.#over('busy')
    if (code !== undefined) return this.#over(NO_STREAM.has(code) ? 'missing' : 'nobody')
    if (jsep?.type === 'offer' && jsep.sdp) return this.#heard.onOffer(jsep.sdp, this.#iceServers)
    if (result?.status === 'stopped') this.#over('camera')
  }

  #refused({ error }: Message): void {
    const code = error?.code ?? 0
    this.#over(TOO_MUCH.has(code) ? 'busy' : code === 403 ? 'missing' : 'nobody')
  }

  #over(reason: Reason): void {
    if (this.#isOver) return
    this.#end()
    this.#heard.onOver(reason)
  }

  #end(): void {
    this.#isOver = true
    clearInterval(this.#beat)
    clearTimeout(this.#finding)
    this.#asked.clear()
  }

  #tellFound(): void {
    clearTimeout(this.#finding)
    this.#finding = undefined
    const candidates = this.#found.splice(0)
    if (candidates.length > 0) this.#ask({ janus: 'trickle', candidates })
  }

  #message(body: Told, jsep?: Told): void {
    this.#ask({ janus: 'message', body, ...(jsep ? { jsep } : {}) }, () => undefined)
  }

  /** `then` gets the answer, and an error ends everything; what nobody waits for may fail. */
  #ask(said: Told, then?: (answer: Message) => void): void {
    const transaction = newTransaction()
    if (then) this.#asked.set(transaction, then)
    const session = this.#session === null ? {} : { session_id: this.#session }
    const handle =
      this.#handle === null || said['janus'] === 'destroy' || said['janus'] === 'keepalive'
        ? {}
        : { handle_id: this.#handle }
    this.#send(JSON.stringify({ ...said, transaction, ...session, ...handle }))
  }
}

function parsed(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
