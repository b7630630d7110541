/** What went over the wire, kept for tests that ask later and told to those who listen. */
import type { WireEvent } from './types.ts'

type Listener = (event: WireEvent) => void

/** The log of one printer, of at most `most` events. */
export class EventLog {
  readonly events: WireEvent[] = []
  #listeners = new Set<Listener>()
  #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(event: WireEvent): void {
    if (this.#most) this.events.push(event)
    if (this.events.length > this.#most) this.events.shift()
    for (const listener of this.#listeners) listener(event)
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The first event that fits and is not older than `from`; rejects after `ms`. */
  wait(fits: (event: WireEvent) => boolean, ms: number, from: number): Promise<WireEvent> {
    const known = this.events.find((event) => event.at >= from && fits(event))
    if (known) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      const stop = this.listen((event) => {
        if (event.at < from || !fits(event)) return
        clearTimeout(timer)
        stop()
        resolve(event)
      })
      const timer = setTimeout(() => {
        stop()
        const last = this.events.slice(-5).map((event) => JSON.stringify(event).slice(0, 300))
        reject(new Error(`No such event in ${ms} ms; the last were\n${last.join('\n')}`))
      }, ms)
    })
  }
}
