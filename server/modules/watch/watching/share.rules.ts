/** How much of a print that is over was watched, for people. Pure. */
import type { WatchCode, WatchedShare } from '@vigil/contract/watch/watch-code.ts'

/** A reason is named from so many seconds on, or from this share of what was not watched. */
const NAMED_FROM_S = 20
const NAMED_FROM_SHARE = 0.2
/** So many are named. */
const MOST = 3

interface Over {
  readonly printTime: number | null
  readonly watchedSeconds: number
}

/** For how long a print was not watched for a reason. */
export interface Unwatched {
  readonly code: WatchCode
  readonly seconds: number
}

/** The share that was watched, and why the rest was not; null where nobody knows how long it took. */
export function shareOf(
  { printTime, watchedSeconds }: Over,
  unwatched: readonly Unwatched[],
): WatchedShare | null {
  if (printTime === null) return null
  const of = Math.max(0, Math.round(printTime))
  const seconds = Math.min(of, Math.max(0, Math.round(watchedSeconds)))
  const all = unwatched.reduce((sum, one) => sum + one.seconds, 0)
  const isNamed = (one: Unwatched) =>
    one.seconds >= NAMED_FROM_S || (of - seconds > 0 && one.seconds > all * NAMED_FROM_SHARE)
  const named = seconds === of ? [] : unwatched.filter(isNamed).toSorted((a, b) => b.seconds - a.seconds)
  return { seconds, of, unseen: named.slice(0, MOST).map(({ code }) => code) }
}
