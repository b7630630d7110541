/** Free bytes at a moment, in milliseconds. */
export interface Sample {
  readonly at: number
  readonly free: number
}

const HOUR_MS = 3_600_000
/** So long the forecast looks back. */
export const LOOK_BACK_MS = 14 * 24 * HOUR_MS
/** One look more than this after the last counts; more often tells no more. */
const APART_MS = 50 * 60_000
/** What was seen for less than a day tells nothing of the next. */
const LEAST_MS = 24 * HOUR_MS
/** Farther than this is not worth a date. */
const FARTHEST_MS = 2 * 365 * 24 * HOUR_MS

/** The samples with another one; those that are too old go. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  const kept = samples.filter(({ at }) => at > next.at - LOOK_BACK_MS && at <= next.at)
  const last = kept.at(-1)
  return last !== undefined && next.at - last.at < APART_MS ? kept : [...kept, next]
}

/**
 * When so little is free as must be, by the straight line that lies nearest to all samples; null when it does not fall, when that is years away, or when
 * less than a day was seen.
 */
export function fullAt(samples: readonly Sample[], reserve: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return null
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [at, free] = [mean((one) => one.at), mean((one) => one.free)]
  const across = samples.reduce((sum, one) => sum + (one.at - at) * (one.free - free), 0)
  const along = samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0)
  const perMs = across / along
  if (!(perMs < 0)) return null
  const inMs = Math.max(0, (last.free - reserve) / -perMs)
  return inMs > FARTHEST_MS ? null : last.at + inMs
}
