import { EventEmitter } from 'node:events'
import { vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../ctx.ts'
import { type Live, LiveUnavailable } from '../../engines/live/port.ts'
import { onFrame } from '../agents/index.ts'
import { AgentSession } from '../agents/session.ts'
import { openStatuses } from '../reports/statuses.receiver.ts'

/**
 * A world in which whole lives of two nodes and an agent pass in no time: two nodes, one printer, its agent that comes
 * and goes, and a store between them that delays, repeats, reorders and loses. Time is ours.
 */
export const PRINTER = 1
/** The longest way back of the store's answer to a renewal: a lease may be taken meanwhile. */
const WAY_BACK_MS = 2_900
/** Print N is known to its agent as this. */
export const extIdOf = (print: number): number => print * 1_000_000

export interface Sent {
  /** As the envelope says. */
  expiresAt: number
  readonly printId: number | null
  written: number
}

export class World {
  now = 1_000_000
  print = 1
  readonly random: () => number
  readonly sent = new Map<number, Sent>()
  readonly violations: string[] = []
  readonly outcomes: string[] = []
  /** Commands whose sender has not heard what came of them. */
  unanswered = 0
  readonly store = new Map<string, Buffer>()
  /** What sessions know of the print. */
  readonly facts: { print: { id: number; extId: number } }[] = []
  readonly responders = new Map<
    string,
    { node: Node; gate: Gate; fn: (message: Buffer) => Promise<Uint8Array | string> }
  >()
  /** When the lease of an epoch was taken by the next one. */
  readonly takenAt: number[] = []
  epoch = 0
  #agenda: { at: number; run: () => void }[] = []

  constructor(seed: number) {
    let state = seed
    this.random = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
      return state / 4_294_967_296
    }
  }

  in(ms: number, run: () => void): { unref(): void; at: number; run: () => void } {
    const entry = { at: this.now + ms, run, unref: () => undefined }
    let index = this.#agenda.length
    while (index > 0 && (this.#agenda[index - 1]?.at ?? 0) > entry.at) index--
    this.#agenda.splice(index, 0, entry)
    return entry
  }

  cancel(entry: unknown): void {
    const index = this.#agenda.indexOf(entry as { at: number; run: () => void })
    if (index >= 0) this.#agenda.splice(index, 1)
  }

  /** Mostly a moment, at times nearly for ever. */
  delay(): number {
    const chance = this.random()
    return chance < 0.85 ? chance * 10 : this.random() * WAY_BACK_MS
  }

  wait = (ms: number) => new Promise<void>((resolve) => this.in(ms, resolve))

  /** The next print begins. */
  startNext(): void {
    this.print++
    for (const facts of this.facts) Object.assign(facts.print, { id: this.print, extId: extIdOf(this.print) })
  }

  /** What an agent's printer is told. */
  onReceived: (frame: { commands?: { cmd: string }[] }) => void = () => undefined

  /** One thing after the other, each to its end. */
  async run(): Promise<void> {
    await settled()
    for (let next = this.#agenda.shift(); next !== undefined; next = this.#agenda.shift()) {
      this.now = Math.max(this.now, next.at)
      next.run()
      await settled()
    }
  }

  readFacts() {
    const facts = {
      printerId: PRINTER,
      settings: { settings: {}, agentName: null, agentVersion: null },
      print: { id: this.print, extId: extIdOf(this.print), gCodeFileId: null },
      trackers: new Map(),
      isShown: false,
      isPaused: false,
      seen: null,
      last: null,
      refusedExtId: null,
      refusedFileId: null,
    }
    this.facts.push(facts)
    return Promise.resolve({ facts, shouldWatch: true })
  }
}

/** The world that is lived in. */
export let world: World

/** A new world. */
export function begin(seed: number): World {
  world = new World(seed)
  return world
}

/** Time is the world's; call in `beforeAll`. */
export function takeTime(): void {
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) => world.in(ms, run))
  vi.stubGlobal('clearTimeout', (entry: unknown) => world.cancel(entry))
}

const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))

/** What keeps a process going: once it is closed, nothing that waits in it ever goes on. */
export class Gate {
  isDead = false
  readonly #mourners = new Set<() => void>()

  async pass(ms: number): Promise<void> {
    if (ms > 0) await world.wait(ms)
    if (this.isDead) await new Promise<never>(() => undefined)
  }

  /** Calls `fn` when the process is killed, until the returned function is called. */
  onDeath(fn: () => void): () => void {
    this.#mourners.add(fn)
    return () => void this.#mourners.delete(fn)
  }

  close(): void {
    this.isDead = true
    for (const fn of this.#mourners) fn()
  }
}

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
    const session = new AgentSession(this.ctx, ws as unknown as WebSocket, PRINTER, {
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
