import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** A frame as an agent gets it: beside what is said stands what kind of message it is (docs/wire/agents.md 4.2). */
export const textOf = (frame: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ ...frame, type: 'printer.message' })

type Done = (error?: Error | null) => void

interface Waiting {
  readonly data: string | Uint8Array
  readonly done: Done
  readonly isWanted: () => boolean
}

const always = () => true

/** The right to say something at once, while no message in parts may begin. */
export interface Turn {
  release(): void
}

/** What waits behind a message in parts. */
const MOST_WAITING = 1_000
/** How long what is urgent waits for a message in parts to end. */
const PATIENCE_MS = 2_000
/** One part that takes so long: the agent does not read any more. */
const PART_MS = 60_000
const DRAIN_MS = 10
const NOTHING = Buffer.alloc(0)

/** A message in parts was broken off, since something urgent was to be said or its own source failed. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
}

/**
 * What one agent is told, one message after the other: nothing can pass a message in parts while it is under way, so it
 * gives way to what is urgent (docs/wire/agents.md 4.2).
 */
export class Outgoing {
  readonly #ws: WebSocket
  readonly #waiting: Waiting[] = []
  readonly #turns = new Set<() => void>()
  #parts: AbortController | null = null
  #turnsHeld = 0
  #whenQuiet: (() => void)[] = []

  constructor(ws: WebSocket) {
    this.#ws = ws
    ws.on('close', () => this.#end())
  }

  /**
   * Says something, in its turn: it has left when `done` is called. A message in parts may take minutes: what nobody wants any more when it
   * has ended, as `isWanted` says, is not said.
   */
  say(data: string | Uint8Array, done: Done = () => undefined, isWanted = always): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return done(new Error('the socket has closed'))
    if (!isWanted()) return done(new Error('it came too late'))
    if (this.#parts === null) return this.#ws.send(data, done)
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ data, done, isWanted })
    else done(new Error('too much waits to be said'))
  }

  /**
   * Waits until something can be said at once. A message in parts that stands in the way for two seconds is broken off for what
   * is urgent; for anything else there is no turn then: null. Who has one releases it.
   */
  async turn(isUrgent: boolean): Promise<Turn | null> {
    this.#turnsHeld++
    let isHeld = true
    const release = () => {
      if (isHeld && --this.#turnsHeld === 0) this.#wakeParts()
      isHeld = false
    }
    if (this.#parts !== null && !(await this.#whenFree(isUrgent))) {
      release()
      return null
    }
    // Commands are never left to a buffer: what is in it leaves first, if it does.
    for (let waited = 0; isUrgent && this.#ws.bufferedAmount > 0 && waited < PATIENCE_MS; waited += DRAIN_MS)
      await sleep(DRAIN_MS)
    return { release }
  }

  /** False: it is not, and what wants to be said is not urgent. */
  async #whenFree(isUrgent: boolean): Promise<boolean> {
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        if (isUrgent) return this.#parts?.abort(new BrokenOff('something urgent was to be said'))
        this.#turns.delete(go)
        resolve(false)
      }, PATIENCE_MS)
      const go = () => {
        clearTimeout(timer)
        resolve(true)
      }
      this.#turns.add(go)
    })
  }

  /**
   * Says one binary message in parts, at the pace at which they leave; resolves when the last one has. Raises `BrokenOff` when
   * it gave way, and whatever `parts` raises: the agent then gets a message that ends too early, which it throws away.
   */
  async sayInParts(parts: AsyncIterable<Uint8Array>): Promise<void> {
    while (this.#parts !== null || this.#turnsHeld > 0)
      await new Promise<void>((wake) => this.#whenQuiet.push(wake))
    const stop = new AbortController()
    this.#parts = stop
    let hasBegun = false
    try {
      for await (const part of parts) {
        stop.signal.throwIfAborted()
        await this.#write(part, false)
        hasBegun = true
        stop.signal.throwIfAborted()
      }
    } finally {
      if (hasBegun) await this.#write(NOTHING, true).catch(() => undefined)
      this.#parts = null
      this.#goOn()
    }
  }

  async #write(part: Uint8Array, isLast: boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      if (this.#ws.readyState !== WebSocket.OPEN) return reject(new BrokenOff('the socket has closed'))
      const timer = setTimeout(() => this.#ws.terminate(), PART_MS)
      this.#ws.send(part, { binary: true, fin: isLast }, (error) => {
        clearTimeout(timer)
        if (error) reject(new BrokenOff('the socket has closed', { cause: error }))
        else resolve()
      })
    })
  }

  /** Who is urgent goes first, then what waits, then the next message in parts. */
  #goOn(): void {
    for (const go of this.#turns) go()
    this.#turns.clear()
    for (const { data, done, isWanted } of this.#waiting.splice(0)) this.say(data, done, isWanted)
    if (this.#turnsHeld === 0) this.#wakeParts()
  }

  #wakeParts(): void {
    for (const wake of this.#whenQuiet.splice(0)) wake()
  }

  #end(): void {
    this.#parts?.abort(new BrokenOff('the socket has closed'))
    this.#goOn()
  }
}
