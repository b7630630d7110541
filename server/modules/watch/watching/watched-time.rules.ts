import { statusOf } from '@vigil/contract/core/status.ts'

/**
 * How much of a print was watched, in the print's own time: its printer may run faster than our clock (a demo), or its
 * agent may count otherwise than we do. Looks come every 10 or 30 s and the print's time only with a status, so what lies
 * between two statuses counts by the share of it that was looked at. Pure; plain JSON.
 */
import { z } from 'zod'

/** Where counting stands. */
const watchMark = z.object({
  /** The print's time up to which it was counted, in seconds. */
  of: z.number(),
  /** When the first look of that time was, and when the newest one: milliseconds since 1970. */
  since: z.number(),
  at: z.number(),
  /** Milliseconds by our clock that were watched since. */
  watched: z.number(),
})
export type WatchMark = Readonly<z.infer<typeof watchMark>>

/** The mark kept in a row; null where there is none, or one that can't be read: what came before is not counted. */
export const readWatchMark = (stored: unknown): WatchMark | null => watchMark.safeParse(stored).data ?? null

/**
 * One more usable look at a print that runs for `printTime` seconds by its own account. Returns where counting stands
 * now, and how many of the print's seconds were watched since it was counted last.
 * @param gapMs a gap between two looks counts as watched up to so many milliseconds
 */
export function watchFurther(
  mark: WatchMark | null,
  at: number,
  printTime: number,
  gapMs: number,
): { mark: WatchMark; seconds: number } {
  // Nothing was seen of what came before the first look.
  if (mark === null || printTime < mark.of)
    return { mark: { of: printTime, since: at, at, watched: 0 }, seconds: 0 }
  const watched = mark.watched + Math.min(Math.max(0, at - mark.at), gapMs)
  const passed = at - mark.since
  if (printTime === mark.of || passed <= 0)
    return { mark: { ...mark, at: Math.max(at, mark.at), watched }, seconds: 0 }
  const share = Math.min(1, watched / passed)
  return { mark: { of: printTime, since: at, at, watched: 0 }, seconds: (printTime - mark.of) * share }
}

/** Seconds that the print runs by its own account; null when its agent doesn't say. */
export function printTimeOf(status: Record<string, unknown> | null): number | null {
  const seconds = statusOf(status)?.elapsedS ?? null
  return seconds !== null && seconds >= 0 ? seconds : null
}
