import { frameBytes } from '../../../lib/frame-bytes.ts'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { WebSocket } from 'ws'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { answerOnLine, onDisconnect, tell } from '../presence/index.ts'
import { Audience } from '../frames/audience.ts'
import { decodeFrame, type Message } from '../frames/decode.ts'
import { EarlyMessages } from '../frames/early.ts'
import { type Holder, Letterbox } from '../frames/envelopes.ts'
import { type Line, Receivers } from '../frames/frames.ts'
import { Hold } from '../frames/hold.ts'
import { Outgoing, textOf } from '../frames/outgoing.ts'
import { Pulse } from './pulse.ts'
import { Teller } from './standing.ts'

/** An agent that stopped reading. */
const MAX_UNSENT = 16 * 1_048_576

/** What a session asks of those around it. */
export interface Surroundings {
  readonly onClosed: () => void
  /** The agent is connected but mute: its owner is to be told, once. */
  readonly onMute: () => void
  /** The address under which the agent reached us. */
  readonly reachesUsAt: string
}

/** One open socket of an agent, from the upgrade to the end (docs/wire/agents.md 4). What it says is taken by `onFrame`. */
export class AgentSession implements Line {
  readonly printerId: PrinterId
  readonly #ctx: Ctx
  readonly #ws: WebSocket
  readonly #around: Surroundings
  readonly #hold: Hold
  readonly #pulse: Pulse
  readonly #teller: Teller
  readonly #audience: Audience
  readonly #outgoing: Outgoing
  readonly #cleanUps: (() => void)[] = []
  #early: EarlyMessages | null = new EarlyMessages()
  #receivers: Receivers | null = null

  constructor(ctx: Ctx, ws: WebSocket, printerId: PrinterId, around: Surroundings) {
    this.#ctx = ctx
    this.#ws = ws
    this.#around = around
    this.printerId = printerId
    this.#outgoing = new Outgoing(ws)
    this.#hold = new Hold(ctx, printerId)
    this.#pulse = new Pulse(ctx.clock)
    this.#teller = new Teller(ctx, printerId, this.#pulse, around)
    this.#audience = new Audience(ctx, printerId, (viewing) => this.send({ remote_status: { viewing } }))
    ws.on('message', (data, isBinary) => this.#hear({ data: frameBytes(data), isBinary }))
    ws.on('pong', () => this.#feelAlive())
    ws.on('error', (error) => ctx.log.debug({ err: error, printerId }, 'an agent socket failed'))
    const unclean = (error: unknown) =>
      ctx.log.warn({ err: error, printerId }, 'an agent socket did not end cleanly')
    ws.on('close', () => void this.#end().catch(unclean))
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  get epoch(): number | null {
    return this.#hold.epoch
  }

  /** Resolves when nothing that was said on this socket waits any more. */
  get settled(): Promise<unknown> {
    return this.#receivers?.settled ?? Promise.resolve()
  }

  /** Takes the lease, opens the receivers, greets the agent, then works off what it has said meanwhile. */
  async begin(): Promise<void> {
    const { printerId } = this
    const revoke = (why: string) => this.close(CLOSE.revoked, why)
    this.#cleanUps.push(await onDisconnect(this.#ctx, printerId, revoke))
    if (!this.isOpen) return await this.#end()
    // Before the rows are read: what an older socket on another node still wants to write is refused from here on.
    await this.#hold.claim()
    const receivers = await Receivers.open(this.#ctx, this)
    if (receivers === null) return revoke('gone')
    this.#receivers = receivers
    const { epoch } = this
    if (!this.isOpen || epoch === null) return await this.#end()
    const letterbox = new Letterbox(this.#asHolder())
    const open = (envelope: unknown) => letterbox.open(envelope)
    this.#cleanUps.push(await answerOnLine(this.#ctx, { printerId, epoch }, open))
    await this.#audience.begin()
    if (!this.isOpen) return await this.#end()
    this.send({ remote_status: { viewing: this.#audience.viewing, ...receivers.greeting } })
    this.#tellStanding(this.#pulse.hasReported ? 'connected' : 'waiting')
    const early = this.#early?.all ?? []
    this.#early = null
    for (const message of early) this.#handle(message)
  }

  /** One heart-beat of the shared clock. */
  tick(now: number): void {
    if (!this.isOpen) return
    const diagnosis = this.#pulse.diagnose(this.#teller.last, this.#receivers?.printId ?? null, now)
    if (diagnosis.isDead || this.#ws.bufferedAmount > MAX_UNSENT) return this.drop()
    if (diagnosis.isPingDue) this.#ws.ping()
    if (diagnosis.isBeckonDue) this.beckon()
    if (this.#hold.isDue(now)) void this.#renew(now)
    if (this.#early !== null) return
    if (diagnosis.isRecordDue) this.#teller.tell(diagnosis.record, this.epoch ?? 0)
    if (this.#audience.isDue(now)) void this.#audience.look(false)
  }

  /** Has OctoPrint's agent report within 10 s instead of 50 (docs/wire/agents.md 8.1). */
  readonly beckon = (): void => this.send({ remote_status: { viewing: this.#audience.viewing } })

  /** The server restarts: the agent is given something to say, for which it knocks again (docs/wire/agents.md 8.3). */
  leaveToReturn(): void {
    const farewell = this.#receivers?.farewell
    if (farewell === undefined) this.beckon()
    else for (const frame of farewell) this.send(frame)
    this.close(CLOSE.going, 'the server restarts')
  }

  /** Whether the agent gives any sign of life within a few seconds. */
  async probe(): Promise<boolean> {
    return this.isOpen && (await this.#pulse.probe(() => this.#ws.ping()))
  }

  send(frame: Record<string, unknown>): void {
    if (this.isOpen) this.#outgoing.say(textOf(frame))
  }

  async sendBytes(message: Uint8Array, isWanted?: () => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#outgoing.say(message, (error) => (error ? reject(error) : resolve()), isWanted)
    })
  }

  async sendParts(parts: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#outgoing.sayInParts(parts)
  }

  close(code: number, why: string): void {
    if (this.isOpen) this.#ws.close(code, why)
  }

  /** Cuts the connection without a close frame: nobody is there to read one (docs/wire/agents.md 8.2 b). */
  drop(): void {
    this.#ws.terminate()
  }

  isReplaced(): Promise<boolean> {
    return this.#hold.isReplaced()
  }

  noteReport(what: Parameters<Line['noteReport']>[0]): void {
    const { away } = this.#pulse
    const isFirst = this.#pulse.noteReport(what)
    if (isFirst || this.#pulse.away !== away) this.#tellStanding('connected')
  }

  noteAway(why: Parameters<Line['noteAway']>[0]): void {
    const { away } = this.#pulse
    this.#pulse.noteAway(why)
    if (this.#pulse.away !== away) this.#tellStanding('connected')
  }

  #feelAlive(): void {
    this.#pulse.feel()
    const { heardAt } = this.#pulse
    if (this.#hold.isDue(heardAt)) this.tick(heardAt) // the beat is late
  }

  #hear(message: Message): void {
    this.#feelAlive()
    if (this.#early === null) this.#handle(message)
    else this.#early.keep(message)
  }

  /** A failure in here never closes the socket (docs/rules/prints.md 1). */
  #handle(message: Message): void {
    const { printerId } = this
    const frame = decodeFrame(message.data, message.isBinary)
    if (frame.kind === 'bad')
      return this.#ctx.log.debug({ printerId, why: frame.why }, 'an agent frame was not understood')
    try {
      this.#receivers?.hear(frame, message)
    } catch (error) {
      this.#ctx.log.error({ err: error, printerId }, 'an agent frame could not be processed')
    }
  }

  #tellStanding(state: 'connected' | 'waiting'): void {
    const { heardAt, away } = this.#pulse
    this.#teller.tell({ state, heardAt, needsRestart: false, away }, this.epoch ?? 0)
  }

  /** Somebody else may have taken the lease: then this socket is a stale one and goes without a close frame. */
  async #renew(now: number): Promise<void> {
    if (!(await this.#hold.keep(now))) this.drop()
  }

  /** What an envelope sees of this socket. */
  #asHolder(): Holder {
    return {
      ws: this.#ws,
      turn: (isUrgent) => this.#outgoing.turn(isUrgent),
      look: () => ({
        epoch: this.epoch ?? 0,
        printId: this.#receivers?.printId ?? null,
        now: this.#ctx.clock.now(),
        silentMs: this.#ctx.clock.monotonic() - this.#pulse.heardAt,
      }),
      renewLease: () => this.#hold.isMine(),
      isAlive: () => this.probe(),
      lookForViewers: () => this.#audience.look(true),
    }
  }

  /** The socket has closed: the printer is offline, unless another socket speaks for it by now. */
  async #end(): Promise<void> {
    this.#around.onClosed()
    this.#pulse.end()
    this.#receivers?.end()
    for (const clean of this.#cleanUps.splice(0)) clean()
    if (!(await this.#hold.release())) return
    if (this.#ctx.stopping.aborted) return await this.#teller.keepPlace()
    const left = this.#teller.left()
    this.#receivers?.leave()
    tell(this.#ctx, this.printerId, 'live')
    await left
  }
}
