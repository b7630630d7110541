import { vi } from 'vitest'
import type { PrintId } from '../../../lib/id.ts'

/**
 * A world in which whole lives of two nodes and an agent pass in no time: two nodes, one printer, its agent that comes
 * and goes, and a store between them that delays, repeats, reorders and loses. Time is ours.
 */
export const PRINTER = 1
/** The longest way back of the store's answer to a renewal: a lease may be taken meanwhile. */
export const WAY_BACK_MS = 2_900
/** Print N is known to its agent as this. */
export const extIdOf = (print: number): number => print * 1_000_000

export interface Sent {
  /** As the envelope says. */
  expiresAt: number
  readonly printId: PrintId | null
  written: number
}

/** What a question finds of the node that answers it. */
interface Reached {
  readonly isCut: boolean
  readonly isDown: boolean
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
    { node: Reached; gate: Gate; fn: (message: Buffer) => Promise<Uint8Array | string> }
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
      refusedUntil: 0,
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
