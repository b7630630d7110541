import { useSyncExternalStore } from 'react'
import { serverUrl } from './base.ts'

/**
 * The one truth about the line to the server. Each socket, and the calls together, say when they have lost it and when
 * it is back; a page with neither asks by itself. What is shown is no longer now while any of them has lost it.
 */
export interface Line {
  readonly lost: boolean
  /** ms since 1970 on this browser's clock when the server was last heard. */
  readonly since: number
  /** The browser itself says that there is no network. */
  readonly offline: boolean
}

/** Shorter gaps, such as a restart of the server, are nobody's news. */
const GRACE_MS = 2_500
/** With nothing heard for so long the server is asked whether it is there, and given so long to answer. */
const QUIET_MS = 15_000
const ANSWER_MS = 8_000
const LOOK_MS = 5_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 15_000

/** How long to wait before attempt `n` (from 0), spread so that a restart is not met by all at once. */
export function retryDelay(attempt: number, random = Math.random()): number {
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt)
  return ceiling / 2 + (ceiling / 2) * random
}

/** Who has lost it, and when each last heard of the server. */
const losers = new Map<object, number>()
const CALLS = {}
const NETWORK = {}
const listeners = new Set<() => void>()
const attempts = new Set<() => void>()
const returns = new Set<() => void>()
let line: Line = { lost: false, since: 0, offline: false }
let heardAt = Date.now()
let grace: ReturnType<typeof setTimeout> | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let tries = 0

function show(): void {
  const offline = losers.has(NETWORK)
  const since = losers.size > 0 ? Math.min(...losers.values()) : 0
  const lost = losers.size > 0 && (line.lost || offline || Date.now() - since >= GRACE_MS)
  clearTimeout(grace)
  if (losers.size > 0 && !lost) grace = setTimeout(show, GRACE_MS)
  if (line.lost === lost && line.offline === offline && (!lost || line.since === since)) return
  line = { lost, since, offline }
  if (lost) document.documentElement.dataset['line'] = 'lost'
  else delete document.documentElement.dataset['line']
  for (const listener of listeners) listener()
}

/** `who` has lost the line and heard of the server last at `at`. */
export function loseLine(who: object, at: number): void {
  if (losers.has(who)) return
  losers.set(who, at)
  show()
}

/** `who` has it again, or doesn't want it any more. */
export function regainLine(who: object): void {
  if (!losers.delete(who)) return
  show()
  if (losers.size === 0) for (const listener of returns) listener()
}

/** The server was heard, over whatever way. */
export function heardServer(): void {
  heardAt = Date.now()
}

/** A call had an answer, whatever it says, or none. */
export function callWent(answered: boolean): void {
  if (answered) {
    heardServer()
    clearTimeout(retry)
    tries = 0
    regainLine(CALLS)
    // It can be reached, whatever the browser thinks of the network.
    regainLine(NETWORK)
  } else {
    loseLine(CALLS, heardAt)
    clearTimeout(retry)
    retry = setTimeout(() => void askServer(), retryDelay(tries++))
  }
}

/** Asks the server whether it is there. */
export async function askServer(): Promise<boolean> {
  const answer = await fetch(serverUrl('/hc/'), {
    cache: 'no-store',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null)
  // A proxy that stands before a server that is gone says so with these.
  const answered = answer !== null && answer.status !== 502 && answer.status !== 504
  callWent(answered)
  return answered
}

/** Everything that has lost the line tries again, now. */
export function tryNow(): void {
  tries = 0
  for (const attempt of attempts) attempt()
  void askServer()
}

function register(set: Set<() => void>, listener: () => void): () => void {
  set.add(listener)
  return () => void set.delete(listener)
}

/** Runs when it is time to try again at once. */
export const onTryNow = (listener: () => void) => register(attempts, listener)
/** Runs when a line that was lost is back. */
export const onLineBack = (listener: () => void) => register(returns, listener)

/** How the line stands. */
export function useLine(): Line {
  return useSyncExternalStore(
    (listener) => register(listeners, listener),
    () => line,
  )
}

/** Keeps looking after the line for as long as the page is open. */
export function watchLine(): void {
  addEventListener('offline', () => loseLine(NETWORK, heardAt))
  addEventListener('online', tryNow)
  if (!navigator.onLine) loseLine(NETWORK, heardAt)
  setInterval(() => {
    if (losers.size > 0 || document.hidden) return
    if (Date.now() - heardAt > QUIET_MS) void askServer()
  }, LOOK_MS)
}
