import { digestOf } from '../../../lib/signing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A remembered session lives this long after its last use (docs/rules/people.md 2). */
const REMEMBERED_MS = 60 * DAY

/** The server's end of a session that the browser forgets when it closes: a tab that watches a long print stays. */
const BROWSER_MS = 3 * DAY

const lifetimeOf = (remember: boolean) => (remember ? REMEMBERED_MS : BROWSER_MS)

/** Until when a session lasts that is used now: its lifetime on, and where `maxDays` says so no longer than that after its beginning. */
export function endOf(
  { remember, createdAt, now }: { readonly remember: boolean; readonly createdAt: Date; readonly now: Date },
  { SESSION_MAX_DAYS: maxDays }: { readonly SESSION_MAX_DAYS: number },
): Date {
  const end = now.getTime() + lifetimeOf(remember)
  return new Date(maxDays === 0 ? end : Math.min(end, createdAt.getTime() + maxDays * DAY))
}

/** A session's end moves on at most once a day (remembered) or once an hour, so that most requests write nothing. */
export const renewalAfter = (remember: boolean) => (remember ? DAY : HOUR)

/** "Last active" is written at most once an hour. */
export const activity = (now: number) => ({ now: new Date(now), before: new Date(now - HOUR) })

/**
 * Highest number of tries in a window. Wrong passwords of one account are counted by the address they come from,
 * and only far more of them from everywhere: a stranger locks out himself, not the owner.
 */
export const LIMITS = {
  login: { name: 'login', tries: 30, windowMs: MINUTE },
  failedHere: { name: 'failed-here', tries: 5, windowMs: 5 * MINUTE, grows: true },
  failedAddress: { name: 'failed-address', tries: 10, windowMs: MINUTE, grows: true },
  failedAccount: { name: 'failed-account', tries: 50, windowMs: 5 * MINUTE },
  signUp: { name: 'sign-up', tries: 20, windowMs: MINUTE },
  setUp: { name: 'set-up', tries: 10, windowMs: MINUTE },
  reset: { name: 'password-reset', tries: 20, windowMs: MINUTE },
  resetOf: { name: 'password-reset-of', tries: 5, windowMs: MINUTE },
  confirmReset: { name: 'confirm-reset', tries: 20, windowMs: MINUTE },
  changePassword: { name: 'change-password', tries: 5, windowMs: MINUTE },
  unknownToken: { name: 'unknown-token', tries: 60, windowMs: MINUTE },
  /** Of one slicer: Cura asks twice in two seconds. */
  slicer: { name: 'slicer', tries: 600, windowMs: MINUTE },
  factorHere: { name: 'factor-here', tries: 5, windowMs: 5 * MINUTE, grows: true },
  factorAddress: { name: 'factor-address', tries: 10, windowMs: MINUTE, grows: true },
  /** A code of an app is one of a million, and three are right at a time. */
  factorAccount: { name: 'factor-account', tries: 20, windowMs: HOUR },
  exported: { name: 'exported', tries: 6, windowMs: DAY },
  makeToken: { name: 'make-token', tries: 30, windowMs: HOUR },
} as const

/** One key for one account of a brand, known or not, whatever was typed. */
export const accountKey = ({ brand, email }: { readonly brand: string; readonly email: string }) =>
  digestOf(`${brand} ${email.trim().toLowerCase()}`)

/** The legacy user name: the address and the number of the brand (docs/wire/rest.md 5). */
export const usernameOf = (email: string, brandId: number) => `${email}_${brandId}`
