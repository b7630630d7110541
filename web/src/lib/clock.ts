import { useSyncExternalStore } from 'react'

/**
 * The server's time, as far as its answers tell it: ages beside claims must not depend on a browser
 * whose own clock is wrong.
 */
let offsetMs = 0

/** Learns from the `Date` header of an answer that took `roundTripMs`. */
export function learnServerTime(header: string | null, roundTripMs: number): void {
  const told = header ? Date.parse(header) : NaN
  if (!Number.isFinite(told) || roundTripMs > 5000) return
  // The header is cut to whole seconds: half a second is the best guess of the rest.
  const offset = told + 500 - (Date.now() - roundTripMs / 2)
  offsetMs = Math.abs(offset) < 1500 ? 0 : offset
}

/** Now, in ms, on the server's clock. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

const listeners = new Set<() => void>()
let tick = 0
let timer: ReturnType<typeof setInterval> | undefined

/** Runs with the tick of the page's clock: what is shown once a second is shown together. */
export function everySecond(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    tick = serverNow()
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

function current(): number {
  if (!timer || serverNow() - tick > 1500) tick = Math.floor(serverNow() / 1000) * 1000
  return tick
}

/** The server's time, once a second: for ages that tick. One timer serves the whole page. */
export function useNow(): number {
  return useSyncExternalStore(everySecond, current)
}
