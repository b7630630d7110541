/**
 * Log-odds of scores: natural logarithm of s / (1 - s). At this scale a camera whose sound pictures score 0.001 and
 * whose failure scores 0.1 shows a rise of 4.7, which the scores themselves hide. A byte holds -12..8 (docs/detector.md).
 */

const LEAST = -12
const MOST = 8
const PER_LEVEL = 255 / (MOST - LEAST)

/** The log-odds of a score 0..1, within -12..8; anything that is no number is -12. */
export function levelOfScore(score: number): number {
  const level = Math.log(score / (1 - score))
  return Number.isNaN(level) ? LEAST : Math.min(MOST, Math.max(LEAST, level))
}

/** The score of a level. */
export const scoreOfLevel = (level: number) => 1 / (1 + Math.exp(-level))

/** The level of a byte. */
export const levelOfByte = (byte: number) => LEAST + byte / PER_LEVEL

/** The byte nearest to a level. */
export const byteOfLevel = (level: number) =>
  Math.floor(Math.min(255, Math.max(0, (level - LEAST) * PER_LEVEL)) + 0.5)

/** The byte of log-odds of a byte that is a share of 255; 0 stays nothing. */
export const byteOfShare = (share: number) => (share === 0 ? 0 : byteOfLevel(levelOfScore(share / 255)))
