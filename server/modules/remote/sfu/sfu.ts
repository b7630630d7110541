import { randomInt } from 'node:crypto'
import type { Webrtc } from '../../../engines/webrtc/port.ts'
import { Bucket } from '../../../lib/bucket.ts'
import type { Answer } from '../janus/answers.rules.ts'
import { PLUGIN, type Request, type WatchBody } from '../janus/janus.rules.ts'
import type { Media } from './offer.rules.ts'
import { Seat } from './peer.ts'
import { Source } from './source.ts'
import { Refused, Talk } from './signalling.ts'

/** Cameras of a printer, each with and without its picture. */
const MOST_SOURCES = 16
const MOST_QUESTIONS = 16
/** Connections of a printer's viewers, and how often one is made. */
const MOST_SEATS = 128
const RATE = { burst: 64, perSecond: 8 }
/** As a Janus does with who is silent. */
const SILENT_MS = 60_000

interface Handle {
  readonly id: number
  readonly session: Session
  seat: Seat | null
  isOver: boolean
}
interface Session {
  readonly id: number
  readonly handles: Map<number, Handle>
  heardAt: number
}
type Message = Extract<Request, { janus: 'message' }>
type Data = Extract<Answer, { janus: 'event' }>['plugindata']

export interface DeskOptions {
  readonly webrtc: Webrtc
  /** To the printer's Janus. */
  readonly say: (request: Request) => void
  /** To the viewers. */
  readonly answer: (answer: Answer) => void
  /** Milliseconds, on a clock that nobody sets. */
  readonly now: () => number
}

/**
 * Answers the viewers of one printer as its Janus would, and is the one viewer of that Janus itself (docs/wire/browsers.md 6). Whoever
 * comes here has been looked at: what they may say and watch is decided before (`Viewing`).
 */
export class Desk {
  readonly #options: DeskOptions
  readonly #sessions = new Map<number, Session>()
  readonly #sources = new Map<string, Source>()
  readonly #questions = new Set<Talk>()
  readonly #rate: Bucket

  constructor(options: DeskOptions) {
    this.#options = options
    this.#rate = new Bucket(options.now, RATE)
  }

  /** A viewer says something. */
  ask(request: Request): void {
    if (request.janus === 'create') return this.#create(request)
    const session = this.#sessions.get(request.session_id)
    if (session === undefined) return this.#refuse(request, 458)
    session.heardAt = this.#options.now()
    if (request.janus === 'attach') return this.#attach(request, session)
    if (request.janus === 'keepalive') return this.#reply(request, 'ack')
    if (request.janus === 'destroy') {
      this.#endSession(session)
      return this.#reply(request, 'success')
    }
    const handle = 'handle_id' in request ? session.handles.get(request.handle_id) : undefined
    if (handle === undefined) return this.#refuse(request, 459)
    if (request.janus === 'message') return this.#message(request, handle)
    // Candidates are of no use: viewers come to our port.
    this.#reply(request, request.janus === 'trickle' ? 'ack' : 'success')
    if (request.janus === 'hangup') this.#hangUp(handle, 'Close PC')
    if (request.janus === 'detach') this.#endHandle(handle)
  }

  /** The printer's Janus says something. */
  hear(answer: Answer): void {
    for (const talk of this.#questions) if (talk.hear(answer)) return
    for (const source of this.#sources.values()) if (source.hear(answer)) return
  }

  /** Some seconds have passed. */
  tick(): void {
    for (const source of this.#sources.values()) source.tick()
    for (const session of this.#sessions.values())
      if (this.#options.now() - session.heardAt > SILENT_MS) {
        this.#endSession(session)
        this.#options.answer({ janus: 'timeout', session_id: session.id })
      }
  }

  end(): void {
    for (const session of this.#sessions.values()) this.#endSession(session)
    for (const source of this.#sources.values()) source.end()
    for (const talk of this.#questions) talk.end()
  }

  #create({ transaction }: Request): void {
    const session = { id: newId(), handles: new Map<number, Handle>(), heardAt: this.#options.now() }
    this.#sessions.set(session.id, session)
    this.#options.answer({ janus: 'success', transaction, data: { id: session.id } })
  }

  #attach({ transaction }: Request, session: Session): void {
    const handle: Handle = { id: newId(), session, seat: null, isOver: false }
    session.handles.set(handle.id, handle)
    this.#options.answer({ janus: 'success', transaction, session_id: session.id, data: { id: handle.id } })
  }

  #message(request: Message, handle: Handle): void {
    const { body } = request
    if (body.request === 'info') {
      if (this.#questions.size >= MOST_QUESTIONS) return this.#refuse(request, 503)
      return void this.#info(request, handle)
    }
    this.#reply(request, 'ack')
    if (body.request === 'watch') return void this.#watch(request, handle, body)
    if (body.request === 'start') return this.#start(request, handle)
    if (body.request === 'pause') handle.seat?.pause()
    this.#event(request, handle, {
      streaming: 'event',
      result: { status: `${body.request === 'pause' ? 'paus' : 'stopp'}ing` },
    })
    if (body.request === 'stop') this.#hangUp(handle, 'Close PC')
  }

  async #info(request: Message, handle: Handle): Promise<void> {
    const talk = new Talk(this.#options.say)
    this.#questions.add(talk)
    try {
      await talk.open()
      const answer = await talk.message(request.body)
      const { transaction } = request
      this.#options.answer({ ...answer, transaction, ...atOf(handle) })
    } catch (error) {
      this.#sayWhy(request, handle, error)
    } finally {
      this.#questions.delete(talk)
      talk.end()
    }
  }

  async #watch(request: Message, handle: Handle, body: WatchBody): Promise<void> {
    handle.seat?.close()
    handle.seat = null
    try {
      if (!this.#hasRoom()) throw new Refused(null)
      const source = this.#sourceOf(body.id, body.offer_video !== false)
      const whole = await mediaOf(source)
      const video = body.offer_video === false ? null : whole.video
      const media = { video, hasData: body.offer_data !== false && whole.hasData }
      if (video === null && !media.hasData) throw new Refused(null)
      if (handle.isOver || handle.seat !== null) return
      const { webrtc, now } = this.#options
      const preparing = { streaming: 'event', result: { status: 'preparing' } }
      handle.seat = new Seat({
        webrtc,
        source,
        media,
        now,
        onOffer: (sdp) => this.#event(request, handle, preparing, { type: 'offer', sdp }),
        onUp: () => this.#options.answer({ janus: 'webrtcup', ...atOf(handle) }),
        onEnd: (why) => this.#hangUp(handle, why),
      })
    } catch (error) {
      this.#sayWhy(request, handle, error)
    }
  }

  #start(request: Message, handle: Handle): void {
    const { seat } = handle
    if (seat === null)
      return this.#event(request, handle, { streaming: 'event', error_code: 458, error: 'Not watching.' })
    try {
      if (request.jsep) seat.accept(request.jsep.sdp)
      else seat.resume()
      this.#event(request, handle, { streaming: 'event', result: { status: 'starting' } })
    } catch {
      this.#hangUp(handle, 'The answer cannot be used')
    }
  }

  #hasRoom(): boolean {
    const handles = [...this.#sessions.values()].flatMap((session) => [...session.handles.values()])
    return handles.filter(({ seat }) => seat !== null).length < MOST_SEATS && this.#rate.take()
  }

  /** The stream of a camera; made when nobody looks yet. Raises `Refused`. */
  #sourceOf(id: number, withVideo: boolean): Source {
    const key = `${id} ${withVideo}`
    const running = this.#sources.get(key)
    if (running?.isStale === false) return running
    running?.end()
    if (this.#sources.size >= MOST_SOURCES) throw new Refused(null)
    const { webrtc, say, now } = this.#options
    const source: Source = new Source({
      webrtc,
      id,
      withVideo,
      say,
      now,
      onEnd: () => {
        if (this.#sources.get(key) === source) this.#sources.delete(key)
      },
    })
    this.#sources.set(key, source)
    return source
  }

  #hangUp(handle: Handle, reason: string): void {
    if (handle.seat === null) return
    handle.seat.close()
    handle.seat = null
    this.#options.answer({ janus: 'hangup', ...atOf(handle), reason })
  }

  #endHandle(handle: Handle): void {
    handle.isOver = true
    handle.session.handles.delete(handle.id)
    handle.seat?.close()
    handle.seat = null
  }

  #endSession(session: Session): void {
    for (const handle of session.handles.values()) this.#endHandle(handle)
    this.#sessions.delete(session.id)
  }

  #reply(request: Request & { readonly session_id: number }, janus: 'ack' | 'success'): void {
    this.#options.answer({ janus, transaction: request.transaction, session_id: request.session_id })
  }

  #event(
    { transaction }: Message,
    handle: Handle,
    data: NonNullable<Data>['data'],
    jsep?: { type: 'offer'; sdp: string },
  ): void {
    const plugindata = { plugin: PLUGIN, data } as const
    this.#options.answer({
      janus: 'event',
      transaction,
      ...atOf(handle),
      plugindata,
      ...(jsep ? { jsep } : {}),
    })
  }

  #refuse({ transaction }: Request, code: number): void {
    this.#options.answer({ janus: 'error', transaction, error: { code, reason: 'This is not possible.' } })
  }

  /** In the words of the Janus, where it had some. */
  #sayWhy(request: Message, handle: Handle, error: unknown): void {
    const answer = error instanceof Refused ? error.answer : null
    if (answer === null) return this.#refuse(request, 503)
    if (answer.janus === 'error') return this.#refuse(request, answer.error.code)
    this.#options.answer({ ...answer, transaction: request.transaction, ...atOf(handle) })
  }
}

/** It is waited for: nobody else's leaving ends it meanwhile. Raises `Refused`. */
async function mediaOf(source: Source): Promise<Media> {
  const nothing = () => undefined
  const stop = source.listen({ onPacket: nothing, onData: nothing, onEnd: nothing })
  return await source.media.finally(stop)
}

const newId = () => randomInt(1, 2 ** 47)
const atOf = ({ id, session }: Handle) => ({ session_id: session.id, sender: id })
