import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import { type Live, LiveUnavailable } from '../../../engines/live/port.ts'
import { onFrame } from '../agents/index.ts'
import { AgentSession } from '../agents/session.ts'
import { openStatuses } from '../../printers/reports/statuses.receiver.ts'
import { Gate, PRINTER, type Sent, WAY_BACK_MS, world } from './simulated-world.fixture.ts'
import { asId } from '../../../test/ids.ts'

/** The socket of an agent that may have stopped reading. */
export class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  isStuck = false
  session: AgentSession | null = null
  readonly #unsent = new Set<(error?: Error) => void>()

  send(text: string, done: (error?: Error) => void): void {
    if (this.readyState !== 1) return void world.in(0, () => done(new Error('not open')))
    if (text.startsWith('{"commands"')) this.#check(JSON.parse(text).commands[0].args.retract)
    this.bufferedAmount += text.length
    this.#unsent.add(done)
    if (this.isStuck) return
    world.in(world.random() * 5, () => {
      if (!this.#unsent.delete(done)) return
      this.bufferedAmount -= text.length
      world.onReceived(JSON.parse(text))
      done()
    })
  }

  ping(): void {
    if (!this.isStuck) world.in(world.delay(), () => this.readyState === 1 && this.emit('pong'))
  }

  close(): void {
    this.terminate()
  }

  terminate(): void {
    if (this.readyState !== 1) return
    this.readyState = 3
    for (const done of this.#unsent) done(new Error('terminated'))
    this.#unsent.clear()
    this.emit('close', 1006)
  }

  #check(id: number): void {
    const command = world.sent.get(id)
    const epoch = this.session?.epoch ?? -1
    const { violations, now, takenAt } = world
    if (command === undefined) return void violations.push('unknown')
    if (++command.written > 1) violations.push('twice')
    if (now > command.expiresAt) violations.push('late')
    if (command.printId !== null && command.printId !== world.print) violations.push('other print')
    if (now - (takenAt[epoch] ?? Infinity) > WAY_BACK_MS) violations.push('stale holder')
  }
}

/** One node: its way to the store may be cut, and its process killed. */
export class Node {
  isCut = false
  isDown = false
  readonly sockets: FakeSocket[] = []
  ctx: Ctx
  #gate: Gate
  readonly #more: (gate: Gate) => object

  /** `more`: what else its context has. */
  constructor(more: (gate: Gate) => object = () => ({})) {
    this.#more = more
    this.#gate = new Gate()
    this.ctx = this.#born()
  }

  #born(): Ctx {
    const quiet = () => undefined
    const done = { values: () => done, execute: () => Promise.resolve([]) }
    const gate = this.#gate
    const live: Pick<Live, 'publish' | 'subscribe' | 'respond' | 'request' | 'put' | 'get' | 'claim'> = {
      publish: quiet,
      subscribe: async () => quiet,
      put: (key, value) =>
        this.#ask(
          gate,
          () => void (value === null ? world.store.delete(key) : world.store.set(key, Buffer.from(value))),
        ),
      get: (key) => this.#ask(gate, () => world.store.get(key) ?? null),
      claim: (key, owner) => this.#ask(gate, () => this.#claim(gate, key, owner)),
      respond: async (topic, fn) => {
        await this.#ask(gate, () => world.responders.set(topic, { node: this, gate, fn }))
        return () => void world.responders.delete(topic)
      },
      request: (topic, message, ms) => this.#request(gate, topic, Buffer.from(message), ms),
    }
    const ctx = {
      live,
      db: { insertInto: () => done },
      clock: { now: () => world.now, monotonic: () => world.now },
      log: { debug: quiet, warn: quiet, error: quiet, info: quiet },
      events: { emit: quiet },
      stopping: new AbortController().signal,
      ...this.#more(gate),
    } as unknown as Ctx
    onFrame(ctx, 'status', openStatuses)
    return ctx
  }

  /** There and back; with the way cut, an error in the end. What was asked may have been done all the same. */
  async #ask<T>(gate: Gate, question: () => T): Promise<T> {
    await gate.pass(world.delay())
    if (this.isCut) throw new LiveUnavailable('cut')
    const answer = question()
    await gate.pass(world.delay())
    if (this.isCut) throw new LiveUnavailable('cut')
    return answer
  }

  #claim(gate: Gate, key: string, owner: string) {
    const epoch = ++world.epoch
    world.takenAt[epoch - 1] = world.now
    world.store.set(key, Buffer.from(owner))
    const isMine = () => world.epoch === epoch
    return {
      epoch,
      renew: () => this.#ask(gate, isMine),
      release: () => this.#ask(gate, () => void (isMine() && world.store.delete(key))),
    }
  }

  /** As pub/sub does it: at most once by promise, in truth also twice, in any order, or never. */
  async #request(gate: Gate, topic: string, message: Buffer, ms: number): Promise<Buffer | null> {
    const { kind, expiresAt, frame } = JSON.parse(message.toString() || '{}')
    if (kind === 'command') (world.sent.get(frame.commands[0].args.retract) as Sent).expiresAt = expiresAt
    await gate.pass(world.delay())
    const holder = world.responders.get(topic)
    if (this.isCut || holder === undefined) return null
    const asked = new Promise<Buffer | null>((resolve) => {
      const timer = world.in(ms, () => resolve(null))
      const copies = world.random() < 0.2 ? 2 : 1
      for (let copy = 0; copy < copies; copy++) world.in(world.delay() * (copy + 1), () => void arrive())
      const arrive = async () => {
        if (holder.node.isCut || holder.node.isDown || holder.gate.isDead || world.random() < 0.03) return
        const answer = await holder.fn(message).catch(() => null)
        if (answer === null || holder.gate.isDead) return
        world.in(world.delay(), () => {
          if (this.isCut || holder.node.isCut) return
          world.cancel(timer)
          resolve(Buffer.from(answer))
        })
      }
    })
    const answer = await asked
    await gate.pass(0)
    return answer
  }

  connect(): void {
    const ws = new FakeSocket()
    const session = new AgentSession(this.ctx, ws as unknown as WebSocket, asId(PRINTER), {
      onClosed: () => undefined,
      onMute: () => undefined,
      reachesUsAt: 'http://127.0.0.1',
    })
    ws.session = session
    this.sockets.push(ws)
    session.begin().catch(() => session.drop())
  }

  /** The process ends between two steps, whatever it was about to do. */
  kill(): void {
    this.#gate.close()
    this.#gate = new Gate()
    this.ctx = this.#born()
    this.restart()
  }

  restart(): void {
    this.isDown = true
    for (const ws of this.sockets.splice(0)) ws.terminate()
    world.in(500, () => (this.isDown = false))
  }
}
