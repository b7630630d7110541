import { randomUUID } from 'node:crypto'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { WebSocket } from 'ws'
import type { Ctx } from '../../ctx.ts'
import type { Lease } from '../../engines/live/port.ts'
import { hasViewers } from '../commands/index.ts'
import { keys, topics } from '../presence/index.ts'
import * as reports from '../reports/index.ts'
import { decodeFrame, type Frame } from './decode.ts'
import { EarlyFrames } from './early.ts'
import { type Holder, Letterbox } from './envelopes.ts'
import { keepPlace, tellLeft, tellStanding } from './standing.ts'
import { diagnose, type Standing } from './vitals.rules.ts'

const LEASE_TTL_MS = 60_000
const RENEW_EVERY_MS = 20_000
const LOOK_EVERY_MS = 30_000
/** How long the old socket has to show that it lives, when a second one comes. */
const PROBE_MS = 4_000
/** An agent that stopped reading. */
const MAX_UNSENT = 16 * 1_048_576

/** What a session asks of those around it. */
export interface Surroundings {
  readonly onClosed: () => void
  /** The agent is connected but mute: its owner is to be told, once. */
  readonly onMute: (printer: { id: number; userId: number; name: string }) => void
}

/** One open socket of an agent: all its state, from the upgrade to the end (docs/wire/agents.md 4). */
export class AgentSession {
  readonly printerId: number
  readonly #ctx: Ctx
  readonly #ws: WebSocket
  readonly #around: Surroundings
  readonly #openedAt: number
  /** Of the owner of the lease. */
  readonly #name = randomUUID()
  readonly #waiters = new Set<(isAlive: boolean) => void>()
  readonly #cleanUps: (() => void)[] = []
  #early: EarlyFrames | null = new EarlyFrames()
  #beginning: reports.Beginning | null = null
  #queue: reports.LetterQueue | null = null
  #lease: Lease | null = null
  /** What stands in `live` about this agent; null before the greeting. */
  #record: Standing | null
  #heardAt: number
  #reportedAt: number
  #pingedAt: number
  #renewedAt: number
  #lookedAt: number
  #hasReported = false
  /** When the status that browsers are shown came. */
  #shownAt: number | null = null
  #viewing = false

  constructor(ctx: Ctx, ws: WebSocket, printerId: number, around: Surroundings) {
    this.#ctx = ctx
    this.#ws = ws
    this.#around = around
    this.printerId = printerId
    const now = ctx.clock.monotonic()
    this.#openedAt = this.#heardAt = this.#reportedAt = now
    this.#pingedAt = this.#renewedAt = this.#lookedAt = now
    this.#record = null
    ws.on('message', (data, isBinary) => this.#hear(data as Buffer, isBinary))
    ws.on('pong', () => this.#feelAlive())
    ws.on('error', (error) => ctx.log.debug({ err: error, printerId }, 'an agent socket failed'))
    ws.on(
      'close',
      () =>
        void this.#end().catch((error: unknown) =>
          ctx.log.warn({ err: error, printerId }, 'an agent socket did not end cleanly'),
        ),
    )
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  get epoch(): number | null {
    return this.#lease?.epoch ?? null
  }

  /** Resolves when the rows know all that was said on this socket. */
  get settled(): Promise<void> {
    return this.#queue?.settled ?? Promise.resolve()
  }

  /** Takes the lease, reads the rows, greets the agent, then works off what it has said meanwhile. */
  async begin(): Promise<void> {
    const { live } = this.#ctx
    const control = (message: Buffer) =>
      this.close(CLOSE.revoked, (JSON.parse(message.toString()) as { close: string }).close)
    this.#cleanUps.push(await live.subscribe(topics.agentControl(this.printerId), control))
    if (!this.isOpen) return await this.#end()
    // Before the rows are read: what an older socket on another node still wants to write is refused from here on.
    this.#lease = await live.claim(keys.socket(this.printerId), this.#name, LEASE_TTL_MS)
    const beginning = await reports.awaitFacts(this.#ctx, this.printerId, () => this.isOpen)
    if (beginning === null) return this.close(CLOSE.revoked, 'gone')
    if (!this.isOpen || this.#lease === null) return await this.#end()
    const letterbox = new Letterbox(this.#asHolder())
    const topic = topics.agent(this.printerId, this.#lease.epoch)
    this.#cleanUps.push(
      await live.respond(topic, async (message) => JSON.stringify(await letterbox.open(message))),
    )
    this.#viewing = await hasViewers(this.#ctx, this.printerId)
    if (!this.isOpen) return await this.#end()
    this.#beginning = beginning
    this.#hasReported = beginning.facts.isShown
    this.#queue = new reports.LetterQueue(this.#ctx, beginning.facts, {
      onTaken: (taken) => this.#afterLetter(taken),
      isReplaced: () => this.#isReplaced(),
    })
    this.#send({ remote_status: { viewing: this.#viewing, should_watch: beginning.shouldWatch } })
    this.#writeRecord({
      state: this.#hasReported ? 'connected' : 'waiting',
      heardAt: this.#heardAt,
      needsRestart: false,
    })
    const early = this.#early?.all ?? []
    this.#early = null
    for (const frame of early) this.#handle(frame)
  }

  /** One heart-beat of the shared clock. */
  tick(now: number): void {
    if (!this.isOpen) return
    const diagnosis = diagnose(
      {
        openedAt: this.#openedAt,
        heardAt: this.#heardAt,
        reportedAt: this.#reportedAt,
        hasReported: this.#hasReported,
        pingedAt: this.#pingedAt,
        record: this.#record,
      },
      now,
    )
    if (diagnosis.isDead || this.#ws.bufferedAmount > MAX_UNSENT) return this.drop()
    if (diagnosis.isPingDue) {
      this.#pingedAt = now
      this.#ws.ping()
    }
    if (now - this.#renewedAt >= RENEW_EVERY_MS) void this.#renew(now)
    if (this.#beginning === null) return
    if (diagnosis.isRecordDue) this.#writeRecord(diagnosis.record)
    if (this.#viewing && now - this.#lookedAt >= LOOK_EVERY_MS) void this.#lookForViewers(false)
  }

  /** Has OctoPrint's agent report within 10 s instead of 50, and so come back sooner (docs/wire/agents.md 8.1). */
  readonly beckon = (): void => this.#send({ remote_status: { viewing: this.#viewing } })

  /** Whether the agent gives any sign of life within a few seconds. */
  async probe(): Promise<boolean> {
    if (!this.isOpen) return false
    return await new Promise((resolve) => {
      const finish = (isAlive: boolean) => {
        clearTimeout(timer)
        this.#waiters.delete(finish)
        resolve(isAlive)
      }
      const timer = setTimeout(() => finish(false), PROBE_MS)
      this.#waiters.add(finish)
      this.#ws.ping()
    })
  }

  close(code: number, why: string): void {
    if (this.isOpen) this.#ws.close(code, why)
  }

  /** Cuts the connection without a close frame: nobody is there to read one (docs/wire/agents.md 8.2 b). */
  drop(): void {
    this.#ws.terminate()
  }

  #feelAlive(): void {
    this.#heardAt = this.#ctx.clock.monotonic()
    if (this.#heardAt - this.#renewedAt >= RENEW_EVERY_MS) this.tick(this.#heardAt) // the beat is late
    for (const finish of this.#waiters) finish(true)
  }

  #hear(data: Buffer, isBinary: boolean): void {
    this.#feelAlive()
    const frame = decodeFrame(data, isBinary)
    if (this.#early === null) this.#handle(frame)
    else this.#early.keep(frame, data.length)
  }

  /** A failure in here never closes the socket (docs/rules/prints.md 1). */
  #handle(frame: Frame): void {
    try {
      if (frame.kind === 'passthru')
        this.#ctx.live.publish(topics.passthru(this.printerId), JSON.stringify({ passthru: frame.item }))
      else if (frame.kind === 'status') this.#takeStatus(frame.message, frame.bytes)
      else if (frame.kind === 'bad')
        this.#ctx.log.debug(
          { printerId: this.printerId, why: frame.why },
          'an agent frame was not understood',
        )
    } catch (error) {
      this.#ctx.log.error({ err: error, printerId: this.printerId }, 'an agent frame could not be processed')
    }
  }

  #takeStatus(fields: Record<string, unknown>, bytes: number): void {
    const facts = this.#beginning?.facts
    if (facts === undefined) return
    this.#reportedAt = this.#ctx.clock.monotonic()
    const message = reports.readStatusMessage(fields)
    const { isStale } = reports.showStatus(this.#ctx, facts, message)
    if (message.status !== null && !isStale) this.#shownAt = this.#reportedAt
    if (message.status !== null && !this.#hasReported) {
      this.#hasReported = true
      this.#writeRecord({ state: 'connected', heardAt: this.#heardAt, needsRestart: false })
    }
    this.#queue?.add({ message, isStale, bytes })
  }

  #afterLetter({ isGone, shouldWatch }: reports.Taken): void {
    if (isGone) this.close(CLOSE.revoked, 'gone')
    else if (shouldWatch !== null) this.#send({ remote_status: { should_watch: shouldWatch } })
  }

  /** Tells everybody how the agent stands; only a change is news to browsers. */
  #writeRecord(record: Standing): void {
    const before = this.#record
    this.#record = record
    const { state, needsRestart } = record
    const { printerId, epoch } = this
    tellStanding(this.#ctx, { printerId, epoch: epoch ?? 0, shownAt: this.#shownAt }, record)
    const printer = this.#beginning?.printer
    if (needsRestart && !before?.needsRestart && printer) this.#around.onMute(printer)
    const isNews = before?.state !== state || before.needsRestart !== needsRestart
    if (isNews) this.#ctx.live.publish(topics.news(this.printerId), '{"kind":"live"}')
  }

  /** Somebody else may have taken the lease: then this socket is a stale one and goes without a close frame. */
  async #renew(now: number): Promise<void> {
    this.#renewedAt = now
    const isMine = await this.#lease?.renew().catch(() => true)
    if (isMine === false) this.drop()
  }

  /** A released lease has no owner: then this socket was the last one. */
  async #isReplaced(): Promise<boolean> {
    const owner = await this.#ctx.live.get(keys.socket(this.printerId)).catch(() => null)
    return owner !== null && owner.toString() !== this.#name
  }

  async #lookForViewers(isNews: boolean): Promise<void> {
    this.#lookedAt = this.#ctx.clock.monotonic()
    const viewing = await hasViewers(this.#ctx, this.printerId)
    if (viewing === this.#viewing && !(isNews && viewing)) return
    this.#viewing = viewing
    this.#send({ remote_status: { viewing } })
  }

  #send(frame: Record<string, unknown>): void {
    if (this.isOpen) this.#ws.send(JSON.stringify(frame), () => undefined)
  }

  /** What an envelope sees of this socket. */
  #asHolder(): Holder {
    return {
      ws: this.#ws,
      look: () => ({
        epoch: this.epoch ?? 0,
        printId: this.#beginning?.facts.print?.id ?? null,
        now: this.#ctx.clock.now(),
        silentMs: this.#ctx.clock.monotonic() - this.#heardAt,
      }),
      renewLease: async () => (await this.#lease?.renew()) === true,
      isAlive: () => this.probe(),
      lookForViewers: () => this.#lookForViewers(true),
    }
  }

  /** The socket has closed: the printer is offline, unless another socket speaks for it by now. */
  async #end(): Promise<void> {
    this.#around.onClosed()
    for (const finish of this.#waiters) finish(false)
    for (const clean of this.#cleanUps.splice(0)) clean()
    const lease = this.#lease
    const facts = this.#beginning?.facts
    this.#lease = null
    if (lease === null || !(await lease.renew())) return
    await lease.release()
    if (this.#ctx.stopping.aborted) return await keepPlace(this.#ctx, this.printerId)
    const left = tellLeft(this.#ctx, this.printerId, this.#heardAt)
    if (facts) reports.hideStatus(this.#ctx, facts)
    this.#ctx.live.publish(topics.news(this.printerId), '{"kind":"live"}')
    await left
  }
}
