/** The waiting line of the detector: newest picture wins. Pure bookkeeping, no threads, no clock. */

/** Something that waits under a key, and is told when it will not be served. */
export interface Waiting {
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
