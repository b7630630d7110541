/** How often a print is looked at (docs/rules/watch.md 1). Pure; milliseconds. */

/** Agents post a picture so often while a print is watched, and none is looked at sooner. */
export const PICTURE_MS = 10_000
/** A verdict may be older than two intervals by so much: a busy detector. */
const LATE_MS = 5_000
/** A gap between two looks counts as watched up to this much more than the interval. */
const SKIPPED_MS = 20_000

interface Standing {
  /** What the plan of the owner gives. */
  readonly planMs: number
  readonly actionOnFailure: string
  readonly alertedAt: Date | null
  readonly alertAcknowledgedAt: Date | null
  readonly pauseId: string | null
  readonly pausedAt: Date | null
}

/**
 * Time between two looks: what the plan gives; but each picture while a pause is under way (a warning waits that may
 * become one, or one could not be sent), or while something is strange about what the camera shows.
 */
export function lookEveryMs(print: Standing, isCameraStrange: boolean): number {
  return isCameraStrange || isPauseUnderWay(print) ? PICTURE_MS : print.planMs
}

function isPauseUnderWay({ actionOnFailure, alertedAt, alertAcknowledgedAt, pauseId, pausedAt }: Standing) {
  if (actionOnFailure !== 'PAUSE' || pausedAt !== null) return false
  return pauseId !== null || (alertedAt !== null && alertedAt > (alertAcknowledgedAt ?? 0))
}

/** A print that nobody has looked at for two intervals is not watched, whatever the cause. */
export const checkLimitMs = (planMs: number): number => 2 * planMs + LATE_MS

/** A gap between two looks counts as watched up to this long. */
export const gapMs = (planMs: number): number => planMs + SKIPPED_MS
