/** Lets a burst through and then a steady rate. */
export class Bucket {
  readonly #now: () => number
  readonly #burst: number
  readonly #perSecond: number
  #tokens: number
  #at: number

  /** `now` in milliseconds, on a clock that nobody sets. */
  constructor(now: () => number, { burst, perSecond }: { burst: number; perSecond: number }) {
    this.#now = now
    this.#burst = burst
    this.#perSecond = perSecond
    this.#tokens = burst
    this.#at = now()
  }

  take(): boolean {
    const now = this.#now()
    this.#tokens = Math.min(
      this.#burst,
      this.#tokens + (Math.max(0, now - this.#at) / 1000) * this.#perSecond,
    )
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
