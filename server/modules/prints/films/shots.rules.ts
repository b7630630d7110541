/** A frame that was looked at. */
interface Scored {
  readonly at: Date
  /** Of the picture alone, 0 to 1. */
  readonly p: number
}

/** A frame that scores no more is none to ask about (docs/rules/watch.md 3). */
const CANDIDATE_ABOVE = 0.38 * 0.2
const MOST = 7
const APART_MS = 120_000

/**
 * The frames that an owner is asked about: the highest scores, none within two minutes of another, seven at most, in the
 * order of time.
 */
export function chooseShots<F extends Scored>(frames: readonly F[]): F[] {
  const chosen: F[] = []
  const byScore = frames.filter(({ p }) => p > CANDIDATE_ABOVE).toSorted((a, b) => b.p - a.p)
  for (const frame of byScore) {
    if (chosen.length === MOST) break
    const isApart = ({ at }: F) => Math.abs(at.getTime() - frame.at.getTime()) >= APART_MS
    if (chosen.every(isApart)) chosen.push(frame)
  }
  return chosen.sort((a, b) => a.at.getTime() - b.at.getTime())
}
