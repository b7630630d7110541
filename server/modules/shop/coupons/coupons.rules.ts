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

/** Codes that the operator has given out as they are, to many: each account redeems one once. */
export const isFixed = (code: string, patterns: readonly CodePattern[]): boolean =>
  patterns.some((one) => 'is' in one && one.is === code.trim())

/** The offer of a partner that a code looks to be for, the first that fits; undefined for none. */
export const offerLike = (offers: readonly Offer[], code: string): Offer | undefined =>
  offers.find(({ codes }) => looksLike(code.trim(), codes))

/** The offer of this name, of whichever partner; undefined for none. */
export const offerNamed = (plans: Plans, name: string): Offer | undefined =>
  plans.partners.flatMap(({ offers }) => offers).find(({ offer }) => offer === name)

/** Whether codes of an offer are made here: not those that the operator has named. */
export const canBeMade = ({ codes }: Offer): boolean => codes.some((one) => 'begins' in one)
