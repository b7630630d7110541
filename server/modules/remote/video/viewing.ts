import { type IceServer, RESTING } from '@vigil/contract/remote/video.ts'
import { z } from 'zod'
import { idOf, type PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type Stream, StreamClosed } from '../../../engines/live/stream.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import type { Answer } from '../janus/answers.rules.ts'
import { type Carries, mayAsk, watchOf } from '../janus/cameras.rules.ts'
import { beginCycle, type Cycle, readCycle } from './cycle.service.ts'
import { iceServersFor } from '../janus/ice.rules.ts'
import { PLUGIN, readRequest, type Request } from '../janus/janus.rules.ts'
import { findCameras } from './video.queries.ts'

/** What a viewing needs of those around it: the way to the Janus, and whose session is whose. */
export interface Hall {
  readonly ctx: Ctx
  readonly printerId: PrinterId
  /** Cycles of users whose plan has one, as they were last read or begun. */
  readonly cycles: Map<number, Cycle>
  /** Says something to the Janus, so that its answer finds back to who has this prefix. */
  ask(prefix: string, request: Request): void
  /** False when the session is somebody's already: an agent that gives one twice is not believed. */
  claim(sessionId: number, viewing: Viewing): boolean
  /** The session is over, or shall be. */
  release(sessionId: number): void
}

const guest = z.object({ isGuest: z.boolean(), userId: idOf<'users'>() })
/** Who looks: the owner, or whoever has a share link of theirs. */
export type Guest = z.infer<typeof guest>

/** Who comes, as the other node says. */
export function guestOf(hello: unknown): Guest | null {
  const parsed = guest.safeParse(hello)
  return parsed.success ? parsed.data : null
}

/** A page shows some cameras, each in a session of its own. */
const MOST_SESSIONS = 8
const MOST_HANDLES = 2
/** Of what a viewer is told and has not read, in messages. */
const MOST_UNREAD = 1_000

interface Arrived {
  readonly stream: Stream
  readonly guest: Guest
  /** Of their transactions. */
  readonly prefix: string
}

interface Handle {
  carries: Carries | null
  /** Pictures go to the viewer. */
  isUp: boolean
}
type Asked = Request & { readonly session_id: number }
type AskedMessage = Extract<Request, { janus: 'message' }>

const WORDS: Readonly<Record<number, string>> = {
  403: 'This is not allowed.',
  429: 'Too much at once.',
  454: 'Invalid JSON object',
  458: 'No such session',
  459: 'No such handle',
  503: 'This is not possible at the moment.',
}

/** One viewer of one printer, on the node that speaks with its agent: what they may say, what is theirs, what they are told. */
export class Viewing {
  readonly stream: Stream
  readonly guest: Guest
  readonly #hall: Hall
  readonly #prefix: string
  readonly #sessions = new Map<number, Map<number, Handle>>()
  /** Transactions of `create` and `attach` without an answer; what is attached to. */
  readonly #creating = new Set<string>()
  readonly #attaching = new Map<string, number>()
  #cycleMs: number | null = null
  #unread = 0
  #isGone = false

  constructor(hall: Hall, { stream, guest: who, prefix }: Arrived) {
    this.#hall = hall
    this.stream = stream
    this.guest = who
    this.#prefix = prefix
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Passes on what the viewer says until they have gone; then nothing of theirs is left at the Janus. */
  async serve(): Promise<void> {
    const { log } = this.#hall.ctx
    try {
      for await (const frame of this.stream) await this.#take(frame.toString())
    } catch (error) {
      if (!(error instanceof StreamClosed)) log.warn({ err: error }, 'a viewer of video was lost')
    } finally {
      this.#isGone = true
      for (const sessionId of this.#sessions.keys()) this.#destroy(sessionId)
    }
  }

  /** Something the Janus says to this viewer. */
  hear(answer: Answer): void {
    const { transaction = '', session_id: sessionId } = answer
    const isCreated = this.#creating.delete(transaction)
    if (isCreated && answer.janus === 'success') return this.#created(answer)
    const attachedTo = this.#attaching.get(transaction)
    this.#attaching.delete(transaction)
    if (attachedTo !== undefined && answer.janus === 'success' && answer.data !== undefined)
      this.#sessions.get(attachedTo)?.set(answer.data.id, { carries: null, isUp: false })
    const handle = this.#sessions.get(sessionId ?? 0)?.get(answer.sender ?? 0)
    if (answer.janus === 'webrtcup' && handle) return this.#up(answer, handle)
    if (answer.janus === 'hangup' && handle) handle.isUp = false
    if (answer.janus === 'detached') this.#sessions.get(sessionId ?? 0)?.delete(answer.sender ?? 0)
    if (answer.janus === 'timeout' && sessionId !== undefined) this.#forget(sessionId)
    this.#say(answer)
  }

  /** Ends what has played for as long as the plan lets it. */
  tick(): void {
    const cycle = this.#hall.cycles.get(this.guest.userId)
    if (this.#cycleMs === null || !cycle || this.#hall.ctx.clock.now() < cycle.playUntil) return
    for (const [sessionId, handles] of this.#sessions)
      for (const [handleId, handle] of handles)
        if (handle.isUp && handle.carries === 'video') this.#rest(sessionId, handleId, cycle)
  }

  async #take(text: string): Promise<void> {
    const read = readRequest(text)
    if (!read.ok) return this.#refuse(read.code, read)
    const { request } = read
    if (request.janus === 'create') return this.#create(request)
    const handles = this.#sessions.get(request.session_id)
    if (handles === undefined) return this.#refuse(458, request)
    if (request.janus === 'attach') return this.#attach(request, handles)
    if ('handle_id' in request && !handles.has(request.handle_id)) return this.#refuse(459, request)
    if (request.janus === 'message') return await this.#message(request, handles.get(request.handle_id))
    this.#pass(request)
    if (request.janus === 'destroy') this.#forget(request.session_id)
    if (request.janus === 'detach') handles.delete(request.handle_id)
  }

  #create(request: Request): void {
    if (this.#sessions.size + this.#creating.size >= MOST_SESSIONS) return this.#refuse(429, request)
    this.#creating.add(request.transaction)
    this.#pass(request)
  }

  #created(answer: Answer & { janus: 'success' }): void {
    const id = answer.data?.id
    if (id === undefined || !this.#hall.claim(id, this)) return this.#refuse(503, answer)
    this.#sessions.set(id, new Map())
    if (this.#isGone) return this.#destroy(id)
    this.#say(answer, { ice_servers: this.#iceServers() })
  }

  #iceServers(): IceServer[] {
    const { config, clock } = this.#hall.ctx
    return iceServersFor(config, clock.now(), this.#prefix)
  }

  #attach(request: Asked, handles: Map<number, Handle>): void {
    const isMany = handles.size >= MOST_HANDLES || this.#attaching.size >= MOST_SESSIONS * MOST_HANDLES
    if (isMany) return this.#refuse(429, request)
    this.#attaching.set(request.transaction, request.session_id)
    this.#pass(request)
  }

  async #message(request: AskedMessage, handle: Handle | undefined): Promise<void> {
    const { body } = request
    if (handle === undefined) return this.#refuse(459, request)
    try {
      if (body.request === 'info') return await this.#info(request, body.id)
      if (body.request === 'watch') return await this.#watch(request, handle)
      if (body.request === 'start' && handle.carries === 'video' && (await this.#isResting(request))) return
    } catch (error) {
      this.#hall.ctx.log.warn({ err: error }, 'a viewer could not be let in')
      return this.#refuse(503, request)
    }
    this.#pass(request)
  }

  async #info(request: AskedMessage, id: number): Promise<void> {
    const { ctx, printerId } = this.#hall
    const printer = await findCameras(ctx.db, printerId)
    if (printer === undefined || !mayAsk(id, printer.agentSettings, this.guest.isGuest))
      return this.#refuse(403, request)
    this.#pass(request)
  }

  async #watch(request: AskedMessage, handle: Handle): Promise<void> {
    const { ctx, printerId } = this.#hall
    if (request.body.request !== 'watch') return
    const printer = await findCameras(ctx.db, printerId)
    const watching = printer && watchOf(request.body, printer.agentSettings, this.guest.isGuest)
    if (!printer || !watching) return this.#refuse(403, request)
    // Links are shown by owners alone whose plan has them play on (docs/rules/remote.md 1).
    this.#cycleMs = this.guest.isGuest ? null : entitlementsOf(ctx, printer).streamCycleMs
    handle.carries = watching.carries
    if (watching.carries === 'video' && (await this.#isResting(request))) return
    this.#pass({ ...request, body: watching.body })
  }

  /** True when the plan's video rests: then the viewer has been told so. */
  async #isResting(request: AskedMessage): Promise<boolean> {
    if (this.#cycleMs === null) return false
    const cycle = await this.#findCycle()
    const now = this.#hall.ctx.clock.now()
    if (cycle === null || now < cycle.playUntil) return false
    const { session_id, handle_id: sender, transaction } = request
    const data = { streaming: 'event', error_code: RESTING, error: 'The video rests.' }
    const plugindata = { plugin: PLUGIN, data } as const
    const rest = { left_ms: cycle.restUntil - now }
    this.#say({ janus: 'event', session_id, sender, transaction, plugindata }, { rest })
    return true
  }

  /** The cycle that runs, as this line knows of it; a line that has just begun asks what was kept. */
  async #findCycle(): Promise<Cycle | null> {
    const { ctx, printerId, cycles } = this.#hall
    const { userId } = this.guest
    const kept = this.#runningCycle() ?? (await readCycle(ctx, printerId, userId))
    // It may have begun while that was read.
    const cycle = this.#runningCycle() ?? kept
    if (cycle) cycles.set(userId, cycle)
    return cycle
  }

  #runningCycle(): Cycle | null {
    const cycle = this.#hall.cycles.get(this.guest.userId)
    return cycle && cycle.restUntil > this.#hall.ctx.clock.now() ? cycle : null
  }

  /** Pictures go to the viewer: the plan's time begins, unless it runs already. */
  #up(answer: Answer, handle: Handle): void {
    handle.isUp = true
    if (this.#cycleMs === null || handle.carries !== 'video') return this.#say(answer)
    const { ctx, printerId, cycles } = this.#hall
    const { userId } = this.guest
    const now = ctx.clock.now()
    const cycle = this.#runningCycle() ?? beginCycle(ctx, { printerId, userId, ms: this.#cycleMs })
    cycles.set(userId, cycle)
    this.#say(answer, { play: { left_ms: Math.max(0, cycle.playUntil - now) } })
    this.tick()
  }

  #rest(sessionId: number, sender: number, { restUntil }: Cycle): void {
    const left = Math.max(0, restUntil - this.#hall.ctx.clock.now())
    const data = { streaming: 'event', result: { status: 'stopped' } }
    const plugindata = { plugin: PLUGIN, data } as const
    this.#say({ janus: 'event', session_id: sessionId, sender, plugindata }, { rest: { left_ms: left } })
    this.#say({ janus: 'timeout', session_id: sessionId })
    this.#destroy(sessionId)
  }

  #destroy(sessionId: number): void {
    this.#forget(sessionId)
    // By nobody's transaction: the answer is for nobody.
    this.#hall.ask('', { janus: 'destroy', session_id: sessionId, transaction: 'over' })
  }

  #forget(sessionId: number): void {
    this.#sessions.delete(sessionId)
    this.#hall.release(sessionId)
  }

  #pass(request: Request): void {
    this.#hall.ask(this.#prefix, request)
  }

  #refuse(code: number, of: { readonly transaction?: string | null | undefined }): void {
    const { transaction } = of
    const error = { code, reason: WORDS[code] ?? '' }
    this.#say({ janus: 'error', ...(transaction ? { transaction } : {}), error })
  }

  #say(answer: Answer, extras: object = {}): void {
    if (this.#isGone) return
    if (this.#unread >= MOST_UNREAD) return this.stream.end()
    this.#unread++
    this.stream
      .send(JSON.stringify({ ...answer, ...extras }))
      .catch(() => undefined)
      .finally(() => this.#unread--)
  }
}
