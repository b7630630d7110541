import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../ctx.ts'
import { type Live, LiveUnavailable } from '../../engines/live/port.ts'
import { AgentSession } from '../agents/session.ts'
import { sendCommand } from './index.ts'

/**
 * Two nodes, one printer, its agent that comes and goes, and a store between them that delays, repeats, reorders and
 * loses: whatever happens in whatever order, a command reaches the agent in time, once, for the print it was meant
 * for, and from the holder of the lease, or not at all. Time is ours, so that 100,000 lives pass in seconds.
 */
const SEQUENCES = 100_000
const PRINTER = 1
/** The longest way back of the store's answer to a renewal: a lease may be taken meanwhile. */
const WAY_BACK_MS = 2_900

vi.mock('../agents/facts.service.ts', () => ({ awaitFacts: () => world.readFacts() }))

interface Sent {
  /** As the envelope says. */
  expiresAt: number
  readonly printId: number | null
  written: number
}

class World {
  now = 1_000_000
  print = 1
  readonly random: () => number
  readonly sent = new Map<number, Sent>()
  readonly violations: string[] = []
  readonly outcomes: string[] = []
  readonly store = new Map<string, Buffer>()
  /** What sessions know of the print. */
  readonly facts: { print: { id: number } }[] = []
  readonly responders = new Map<
    string,
    { node: Node; fn: (message: Buffer) => Promise<Uint8Array | string> }
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
    const facts = { printerId: PRINTER, print: { id: this.print }, isShown: false, seen: null }
    this.facts.push(facts)
    return Promise.resolve({ facts, printer: { id: PRINTER, userId: 1, name: 'P' }, shouldWatch: true })
  }
}

let world: World

const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))

/** The socket of an agent that may have stopped reading. */
class FakeSocket extends EventEmitter {
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

/** One node: its way to the store may be cut. */
class Node {
  isCut = false
  isDown = false
  readonly sockets: FakeSocket[] = []
  readonly ctx: Ctx

  constructor() {
    const quiet = () => undefined
    const done = { values: () => done, execute: () => Promise.resolve([]) }
    const live: Pick<Live, 'publish' | 'subscribe' | 'respond' | 'request' | 'put' | 'get' | 'claim'> = {
      publish: quiet,
      subscribe: async () => quiet,
      put: (key, value) =>
        this.#ask(
          () => void (value === null ? world.store.delete(key) : world.store.set(key, Buffer.from(value))),
        ),
      get: (key) => this.#ask(() => world.store.get(key) ?? null),
      claim: (key, owner) => this.#ask(() => this.#claim(key, owner)),
      respond: async (topic, fn) => {
        await this.#ask(() => world.responders.set(topic, { node: this, fn }))
        return () => void world.responders.delete(topic)
      },
      request: (topic, message, ms) => this.#request(topic, Buffer.from(message), ms),
    }
    this.ctx = {
      live,
      db: { insertInto: () => done },
      clock: { now: () => world.now, monotonic: () => world.now },
      log: { debug: quiet, warn: quiet, error: quiet, info: quiet },
      events: { emit: quiet },
      stopping: new AbortController().signal,
    } as unknown as Ctx
  }

  /** There and back; with the way cut, an error in the end. What was asked may have been done all the same. */
  async #ask<T>(question: () => T): Promise<T> {
    await world.wait(world.delay())
    if (this.isCut) throw new LiveUnavailable('cut')
    const answer = question()
    await world.wait(world.delay())
    if (this.isCut) throw new LiveUnavailable('cut')
    return answer
  }

  #claim(key: string, owner: string) {
    const epoch = ++world.epoch
    world.takenAt[epoch - 1] = world.now
    world.store.set(key, Buffer.from(owner))
    const isMine = () => world.epoch === epoch
    return {
      epoch,
      renew: () => this.#ask(isMine),
      release: () => this.#ask(() => void (isMine() && world.store.delete(key))),
    }
  }

  /** As pub/sub does it: at most once by promise, in truth also twice, in any order, or never. */
  async #request(topic: string, message: Buffer, ms: number): Promise<Buffer | null> {
    const { kind, expiresAt, frame } = JSON.parse(message.toString() || '{}')
    if (kind === 'command') (world.sent.get(frame.commands[0].args.retract) as Sent).expiresAt = expiresAt
    await world.wait(world.delay())
    const holder = world.responders.get(topic)
    if (this.isCut || holder === undefined) return null
    return await new Promise((resolve) => {
      const timer = world.in(ms, () => resolve(null))
      const copies = world.random() < 0.2 ? 2 : 1
      for (let copy = 0; copy < copies; copy++) world.in(world.delay() * (copy + 1), () => void arrive())
      const arrive = async () => {
        if (holder.node.isCut || holder.node.isDown || world.random() < 0.03) return
        const answer = await holder.fn(message).catch(() => null)
        if (answer === null) return
        world.in(world.delay(), () => {
          if (this.isCut || holder.node.isCut) return
          world.cancel(timer)
          resolve(Buffer.from(answer))
        })
      }
    })
  }

  connect(): void {
    const ws = new FakeSocket()
    const session = new AgentSession(this.ctx, ws as unknown as WebSocket, PRINTER, {
      onClosed: () => undefined,
      onMute: () => undefined,
    })
    ws.session = session
    this.sockets.push(ws)
    session.begin().catch(() => session.drop())
  }

  restart(): void {
    this.isDown = true
    for (const ws of this.sockets.splice(0)) ws.terminate()
    world.in(500, () => (this.isDown = false))
  }
}

let lastId = 0

async function command(from: Node): Promise<void> {
  const id = ++lastId
  const expiresInMs = 200 + world.random() * 10_000
  const printId = world.random() < 0.8 ? world.print : null
  const answer = sendCommand(from.ctx, {
    printerId: PRINTER,
    printId,
    cmd: 'pause',
    args: { retract: id },
    initiator: 'web',
    userId: 1,
    expiresInMs,
  }).catch(() => null)
  const sent: Sent = { expiresAt: 0, printId, written: 0 }
  world.sent.set(id, sent)
  const got = await answer
  world.outcomes.push(got === null ? 'away' : got.sent ? 'sent' : got.reason)
  if (got?.sent && sent.written !== 1) world.violations.push('said to be sent, but was not')
  if (got?.sent === false && got.reason !== 'not_responding' && sent.written > 0)
    world.violations.push(`said to be ${got.reason}, but was sent`)
}

async function live(seed: number): Promise<World> {
  world = new World(seed)
  const { random } = world
  const nodes = [new Node(), new Node()]
  const any = () => nodes[random() < 0.5 ? 0 : 1] as Node
  const sockets = () => nodes.flatMap((node) => node.sockets)
  const happenings: (() => void)[] = [
    () => any().connect(),
    () => {
      for (const ws of sockets()) if (random() < 0.5) ws.isStuck = true
    },
    () => {
      for (const ws of sockets())
        if (!ws.isStuck && ws.readyState === 1) ws.emit('message', Buffer.from('{}'), false)
    },
    () => {
      world.print++
      for (const facts of world.facts) facts.print = { id: world.print }
    },
    () => {
      const node = any()
      node.isCut = true
      world.in(random() * 8_000, () => (node.isCut = false))
    },
    () => any().restart(),
    () => {
      for (const ws of sockets()) ws.session?.tick(world.now)
    },
    () => sockets().at(-1)?.terminate(),
  ]
  any().connect()
  const count = 1 + Math.floor(random() * 3)
  for (let i = 0; i < count; i++)
    world.in(100 + random() * 6_000, () => happenings[Math.floor(random() * happenings.length)]?.())
  const commands = 1 + Math.floor(random() * 2)
  for (let i = 0; i < commands; i++) world.in(50 + random() * 6_000, () => void command(any()))
  await world.run()
  return world
}

beforeAll(() => {
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) => world.in(ms, run))
  vi.stubGlobal('clearTimeout', (entry: unknown) => world.cancel(entry))
})
afterAll(() => vi.unstubAllGlobals())

it(`keeps its promise in ${SEQUENCES.toLocaleString('en')} random lives`, async () => {
  const outcomes: Record<string, number> = {}
  const violations: string[] = []
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const lived = await live(seed * 2_654_435)
    for (const outcome of lived.outcomes) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    for (const violation of lived.violations) violations.push(`${violation} (seed ${seed})`)
  }
  console.log(JSON.stringify(outcomes))
  expect(violations.slice(0, 10)).toEqual([])
  // Lives in which nothing happens would prove nothing.
  for (const outcome of [
    'sent',
    'offline',
    'not_responding',
    'busy',
    'expired',
    'other_print',
    'stale_holder',
    'away',
  ])
    expect(outcomes[outcome], outcome).toBeGreaterThan(50)
}, 120_000)
