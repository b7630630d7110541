import { createHash, randomBytes } from 'node:crypto'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A remembered session lives this long after its last use (api-contract 7.3). */
const REMEMBERED_MS = 60 * DAY

/** The server's end of a session that the browser forgets when it closes: a tab that watches a long print stays. */
const BROWSER_MS = 3 * DAY

export const lifetimeOf = (remember: boolean) => (remember ? REMEMBERED_MS : BROWSER_MS)

/** A session's end moves on at most once a day (remembered) or once an hour, so that most requests write nothing. */
export const renewalAfter = (remember: boolean) => (remember ? DAY : HOUR)

/** "Last active" is written at most once an hour. */
export const activity = (now: number) => ({ now: new Date(now), before: new Date(now - HOUR) })

/** Highest number of tries in a window (api-contract 1.5). */
export const LIMITS = {
  login: { tries: 30, windowMs: MINUTE },
  failedAddress: { tries: 10, windowMs: MINUTE },
  failedAccount: { tries: 5, windowMs: 5 * MINUTE },
  signUp: { tries: 20, windowMs: MINUTE },
  setUp: { tries: 10, windowMs: MINUTE },
  changePassword: { tries: 5, windowMs: MINUTE },
} as const

/** 256 random bits as text for a cookie or a header. */
export const newToken = () => randomBytes(32).toString('base64url')

/** What is stored of a token: it has full entropy, a fast hash is enough. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** One key for one account, known or not, whatever was typed. */
export const accountKey = (email: string) => hashOf(email.trim().toLowerCase()).toString('base64url')

/** One key for one client: an IPv6 customer owns a whole /64. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':')
}

/** The legacy user name: the address and the number of the brand (api-contract 1.6). */
export const usernameOf = (email: string, brandId: number) => `${email}_${brandId}`
