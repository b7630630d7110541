/** What one connection has sent of a body or message that has not ended yet. */
export interface Holding {
  /** So many bytes more. */
  add(bytes: number): void
  /** It has ended: nothing is held any more. */
  release(): void
}

interface Held {
  readonly who: string
  readonly cut: () => void
  bytes: number
}

/**
 * The memory that unfinished bodies and messages hold, of all connections together. A limit for each alone lets many
 * hold as much as they like; here, beyond `max` bytes, whoever holds most loses the largest of what they hold. Agents'
 * statuses are some kilobytes, so those who watch a print are the last whom this meets.
 */
export class Intake {
  readonly #max: number
  readonly #all = new Set<Held>()
  #total = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Bytes held now. */
  get total(): number {
    return this.#total
  }

  /** What a connection of `who` (a user, an address) sends from now on; `cut` ends it, and throws away what it sent. */
  open(who: string, cut: () => void): Holding {
    const held: Held = { who, cut, bytes: 0 }
    return {
      add: (bytes) => {
        if (held.bytes === 0) this.#all.add(held)
        held.bytes += bytes
        this.#total += bytes
        while (this.#total > this.#max) this.#cutLargest()
      },
      release: () => this.#release(held),
    }
  }

  #release(held: Held): void {
    this.#all.delete(held)
    this.#total -= held.bytes
    held.bytes = 0
  }

  #cutLargest(): void {
    const sums = new Map<string, number>()
    for (const { who, bytes } of this.#all) sums.set(who, (sums.get(who) ?? 0) + bytes)
    const [greediest] = [...sums].reduce((most, one) => (one[1] > most[1] ? one : most))
    const theirs = [...this.#all].filter(({ who }) => who === greediest)
    const largest = theirs.reduce((most, one) => (one.bytes > most.bytes ? one : most))
    this.#release(largest)
    largest.cut()
  }
}
