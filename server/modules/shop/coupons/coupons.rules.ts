import { createHash, randomInt } from 'node:crypto'
import type { CodePattern, Offer, Plans } from '../../../brands/plans.ts'

/** Letters and digits that nobody takes for one another. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** So many of them are guessed by nobody. */
const RANDOM = 12

const randomSigns = (count: number) =>
  Array.from({ length: count }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** A new code of a look. */
export function newCode(begins: string, length = begins.length + RANDOM): string {
  return begins + randomSigns(Math.max(length - begins.length, 4))
}

/** What is kept of a code until it is redeemed. */
export const hashOfCode = (code: string): string =>
  createHash('sha256').update(`coupon\n${code.trim()}`).digest('hex')

/** Whether a code looks like one of these. */
export const looksLike = (code: string, patterns: readonly CodePattern[]): boolean =>
  code !== '' &&
  patterns.some((one) =>
    'is' in one
      ? code === one.is
      : code.startsWith(one.begins) && (one.length === undefined || code.length === one.length),
  )

/** The offer of this name, of whichever partner; undefined for none. */
export const offerNamed = (plans: Plans, name: string): Offer | undefined =>
  plans.partners.flatMap(({ offers }) => offers).find(({ offer }) => offer === name)
