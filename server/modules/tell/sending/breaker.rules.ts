import { LRUCache } from 'lru-cache'

/** So many failures one after the other, and nobody is called for a while. */
const FAILURES = 5
const FIRST_MS = 10_000
const LONGEST_MS = 5 * 60_000
const MOST_RECEIVERS = 5_000

interface Receiver {
  failures: number
  /** Until then it is not called; from then on one call tries it. */
  openUntil: number
}

/** Keeps from calling receivers that are away, each by its name: one that answers again is used again at once. */
export interface Breaker {
  /** Milliseconds until this receiver may be called; 0: now. Asking for a try of one that was away takes that try. */
  wait(receiver: string, now: number): number
  succeeded(receiver: string): void
  failed(receiver: string, now: number): void
}

export function createBreaker(): Breaker {
  const receivers = new LRUCache<string, Receiver>({ max: MOST_RECEIVERS })
  return {
    wait(name, now) {
      const receiver = receivers.get(name)
      if (receiver === undefined || receiver.failures < FAILURES) return 0
      if (receiver.openUntil > now) return receiver.openUntil - now
      // This call tries it; the others wait for what comes of it.
      receiver.openUntil = now + FIRST_MS
      return 0
    },
    succeeded(name) {
      receivers.delete(name)
    },
    failed(name, now) {
      const receiver = receivers.get(name) ?? { failures: 0, openUntil: 0 }
      receiver.failures++
      const pause = FIRST_MS * 2 ** Math.max(0, receiver.failures - FAILURES)
      if (receiver.failures >= FAILURES) receiver.openUntil = now + Math.min(pause, LONGEST_MS)
      receivers.set(name, receiver)
    },
  }
}

const BACKOFF_FIRST_MS = 1_000
const BACKOFF_LONGEST_MS = 10 * 60_000

/** Milliseconds until the next try: longer each time, and never the same for two, so that they do not come in step. */
export function backOff(attempts: number, random: () => number = Math.random): number {
  const most = Math.min(BACKOFF_FIRST_MS * 2 ** (attempts - 1), BACKOFF_LONGEST_MS)
  return most * (0.5 + random())
}
