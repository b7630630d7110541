/** A few worker threads behind one bounded line in which the newest picture of each key wins. */
import { DetectorUnavailable } from './port.ts'
import { type SlotOptions, WorkerSlot } from './worker-slot.ts'

/** Something that waits under a key, and is told when it will not be served. */
interface Waiting {
  key: string
  /** Called once if it leaves the line unserved. */
  leave(how: 'superseded' | 'dropped'): void
}

/**
 * A bounded line with at most one entry of each key. A newer entry takes the place in the line of the older one,
 * so that a busy printer is neither served twice nor put back; over capacity the oldest is dropped.
 */
export class WaitingLine<T extends Waiting> {
  readonly #entries = new Map<string, T>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity)
  }

  get size(): number {
    return this.#entries.size
  }

  add(entry: T): void {
    const older = this.#entries.get(entry.key)
    this.#entries.set(entry.key, entry)
    older?.leave('superseded')
    if (this.#entries.size > this.#capacity) this.take()?.leave('dropped')
  }

  /** Takes the one that waits longest. */
  take(): T | undefined {
    const first = this.#entries.values().next().value
    if (first) this.#entries.delete(first.key)
    return first
  }

  /** Empties the line and returns what waited. */
  clear(): T[] {
    const all = [...this.#entries.values()]
    this.#entries.clear()
    return all
  }
}

export interface PoolOptions extends Omit<SlotOptions, 'onChange'> {
  workers: number
  /** How many may wait. */
  capacity: number
}

/** What became of a task. */
type PoolOutcome<Result> = { kind: 'done'; result: Result } | { kind: 'superseded' } | { kind: 'dropped' }

interface Entry<Result> {
  key: string
  message: unknown
  transfer: ArrayBuffer[]
  resolve(outcome: PoolOutcome<Result>): void
  reject(error: Error): void
  leave(how: 'superseded' | 'dropped'): void
}

/** Owns its worker threads; `close` ends them. */
export class WorkerPool<Result> {
  readonly #slots: WorkerSlot[]
  readonly #line: WaitingLine<Entry<Result>>
  #settled: (() => void)[] = []
  #closed = false

  constructor({ workers, capacity, ...slot }: PoolOptions) {
    this.#line = new WaitingLine(capacity)
    const onChange = () => this.#changed()
    this.#slots = Array.from({ length: workers }, () => new WorkerSlot({ ...slot, onChange }))
  }

  /** Resolves once the first worker is ready or has failed to start. */
  async started(): Promise<void> {
    if (this.#slots.some((slot) => slot.state !== 'starting')) return
    await new Promise<void>((resolve) => this.#settled.push(resolve))
  }

  /** The name of a worker that has started, or ''. */
  get name(): string {
    return this.#slots.find((slot) => slot.name)?.name ?? ''
  }

  get queued(): number {
    return this.#line.size
  }

  /** Null when at least one worker serves, else why none does. */
  get error(): string | null {
    if (this.#closed) return 'the detector is closed'
    if (this.#slots.some(({ state }) => state === 'idle' || state === 'busy' || state === 'asleep'))
      return null
    // One that has been woken has its task.
    if (this.#slots.some((slot) => slot.state === 'starting' && slot.isWanted)) return null
    return this.#slots[0]?.error ?? 'there is no worker'
  }

  /** Queues a task; rejects with {@link DetectorUnavailable} when no worker serves or starts. */
  submit(key: string, message: unknown, transfer: ArrayBuffer[]): Promise<PoolOutcome<Result>> {
    return new Promise((resolve, reject) => {
      if (!this.#hasHope()) return reject(new DetectorUnavailable(this.error ?? 'no worker serves'))
      const leave = (how: 'superseded' | 'dropped') => resolve({ kind: how })
      this.#line.add({ key, message, transfer, resolve, reject, leave })
      this.#serve()
    })
  }

  /** Ends all workers; what waits or runs is rejected with {@link DetectorUnavailable}. */
  async close(): Promise<void> {
    this.#closed = true
    this.#rejectWaiting()
    await Promise.all(this.#slots.map((slot) => slot.close()))
    this.#changed()
  }

  #hasHope(): boolean {
    return !this.#closed && this.#slots.some((slot) => slot.state !== 'resting')
  }

  #changed(): void {
    for (const settled of this.#settled.splice(0)) settled()
    if (this.#hasHope()) this.#serve()
    else this.#rejectWaiting()
  }

  #serve(): void {
    const idle = this.#slots.filter((slot) => slot.state === 'idle')
    for (const slot of [...idle, ...this.#slots.filter((one) => one.state === 'asleep')]) {
      const next = this.#line.take()
      if (!next) return
      slot.run({
        message: next.message,
        transfer: next.transfer,
        resolve: (result) => next.resolve({ kind: 'done', result: result as Result }),
        reject: (error) => next.reject(error),
      })
    }
  }

  #rejectWaiting(): void {
    const reason = this.error ?? 'no worker serves'
    for (const entry of this.#line.clear()) entry.reject(new DetectorUnavailable(reason))
  }
}
