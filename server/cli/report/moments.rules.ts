import { firstDecisions } from '../../modules/watch/deciding/again.rules.ts'

/** What the judge of a folder saw in one frame. */
export interface Seen {
  readonly file: string
  /** Seconds since the first frame. */
  readonly t: number
  /** 0 to 1; null for a frame that could not be read. */
  readonly score: number | null
  readonly smoothed: number
  /** 0 to 100. */
  readonly gauge: number
  readonly decision: 'none' | 'warn' | 'pause'
  readonly error?: string
}

const MOST = 8

/**
 * The frames worth looking at, in order of time: where it would have warned and paused, then those at which the
 * gauge (then the score) stood highest, none closer than a fortieth of the print to another.
 */
export function moments<T extends Seen>(frames: readonly T[]): T[] {
  const apart = Math.max(1, Math.floor(frames.length / 40))
  const { warned, paused } = firstDecisions(frames)
  const chosen = new Map<number, T>()
  const take = (frame: T, at: number) => chosen.set(at, frame)
  for (const frame of [warned, paused]) if (frame !== undefined) take(frame, frames.indexOf(frame))
  const highest = frames
    .map((frame, at) => ({ frame, at }))
    .filter(({ frame }) => frame.score !== null)
    .toSorted((a, b) => b.frame.gauge - a.frame.gauge || (b.frame.score ?? 0) - (a.frame.score ?? 0))
  for (const { frame, at } of highest) {
    if (chosen.size >= MOST) break
    if ([...chosen.keys()].every((other) => Math.abs(other - at) >= apart)) take(frame, at)
  }
  return [...chosen].toSorted(([a], [b]) => a - b).map(([, frame]) => frame)
}

/** `1:02:05`, `12:05`. */
export function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
