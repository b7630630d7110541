import { reasonOf, type TunnelClass, TunnelFailed } from './port.ts'

/** Answers of an agent that may be on their way at once: a Klipper agent throws away those above 50 that wait to be sent. */
const PLACES: Readonly<Record<TunnelClass, number>> = { document: 8, asset: 7, bulk: 2 }
const CLASSES = ['document', 'asset', 'bulk'] as const
/** Requests that may wait for a place. */
const MOST_WAITING = 500
/** And for so long; browsers then show that the agent is busy. */
const PATIENCE_MS = 60_000

/** So long after a page has asked for something it is likely to ask for more. */
const PAGE_MS = 1_000

interface Waiting {
  readonly go: () => void
}

/** The few requests that one agent works on at a time; the others wait, by class and in their order. */
export class Window {
  readonly #queues: Readonly<Record<TunnelClass, Waiting[]>> = { document: [], asset: [], bulk: [] }
  readonly #taken: Record<TunnelClass, number> = { document: 0, asset: 0, bulk: 0 }
  /** Since when nothing is asked, on the monotonic clock; null: something is. */
  quietSince: number | null = performance.now()
  /** When something else than a file was last asked for. */
  #pageAt = -Infinity

  get inFlight(): number {
    return CLASSES.reduce((sum, one) => sum + this.#taken[one], 0)
  }

  get waiting(): number {
    return CLASSES.reduce((sum, one) => sum + this.#queues[one].length, 0)
  }

  /** Somebody uses the page now: what is asked for of a file meanwhile is to be little, as they wait behind it. */
  get isPageInUse(): boolean {
    const asked = this.#taken.document + this.#taken.asset
    return asked > 0 || performance.now() - this.#pageAt < PAGE_MS
  }

  /**
   * Does `work` when there is a place. Raises the signal's reason when it is aborted before, `TunnelFailed` when too many wait
   * or it takes too long: a minute, or less where `patienceMs` says so.
   */
  async enter<T>(
    kind: TunnelClass,
    signal: AbortSignal,
    work: () => Promise<T>,
    patienceMs = Infinity,
  ): Promise<T> {
    signal.throwIfAborted()
    if (this.#mayGo(kind)) this.#take(kind)
    else await this.#wait(kind, signal, Math.min(patienceMs, PATIENCE_MS))
    try {
      return await work()
    } finally {
      this.#taken[kind]--
      this.#next()
      if (this.inFlight === 0 && this.waiting === 0) this.quietSince = performance.now()
    }
  }

  /** A place is left, in all and for those of this class and below. */
  #mayGo(kind: TunnelClass): boolean {
    let taken = 0
    for (const one of CLASSES.toReversed()) {
      taken += this.#taken[one]
      if (CLASSES.indexOf(one) <= CLASSES.indexOf(kind) && taken >= PLACES[one]) return false
    }
    return true
  }

  #take(kind: TunnelClass): void {
    this.#taken[kind]++
    this.quietSince = null
    if (kind !== 'bulk') this.#pageAt = performance.now()
  }

  async #wait(kind: TunnelClass, signal: AbortSignal, patienceMs: number): Promise<void> {
    if (this.waiting >= MOST_WAITING) throw new TunnelFailed('busy')
    const queue = this.#queues[kind]
    await new Promise<void>((resolve, reject) => {
      const leave = (why: Error) => {
        const at = queue.indexOf(one)
        if (at < 0) return
        queue.splice(at, 1)
        end()
        reject(why)
      }
      const onAbort = () => leave(reasonOf(signal))
      const timer = setTimeout(() => leave(new TunnelFailed('busy')), patienceMs)
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const one: Waiting = {
        go: () => {
          end()
          resolve()
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      queue.push(one)
    })
  }

  #next(): void {
    for (const kind of CLASSES)
      while (this.#queues[kind].length > 0 && this.#mayGo(kind)) {
        this.#take(kind)
        this.#queues[kind].shift()?.go()
      }
  }
}
