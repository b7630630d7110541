import { createHmac, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_S = 30
const DIGITS = 6
/** A clock may be off by so many steps. */
const WINDOW = 1
const HOW_MANY = 10
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12

const totpOf = (secret: string, { issuer = '', label = '' } = {}) =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), digits: DIGITS, period: STEP_S })

/** A new key for an authenticator app, as these write it. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The address behind the QR code. */
export const totpUri = (secret: string, named: { issuer: string; label: string }): string =>
  totpOf(secret, named).toString()

/** The step of time that a code is of; null for a wrong one. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / 1000 / STEP_S) + delta
}

/** The code that an app shows at a time. */
export const codeAt = (secret: string, now: number): string => totpOf(secret).generate({ timestamp: now })

/** Ten codes of 59 bits for when the factors are lost: `abcd-efgh-jkmn`, without letters that look alike. */
export const newRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, newRecoveryCode)

function newRecoveryCode(): string {
  const letters: string[] = []
  // A byte above the largest multiple would make some letters likelier.
  const most = 256 - (256 % ALPHABET.length)
  while (letters.length < LENGTH)
    for (const byte of randomBytes(LENGTH))
      if (byte < most) letters.push(ALPHABET[byte % ALPHABET.length] ?? '')
  const word = letters.slice(0, LENGTH).join('')
  return `${word.slice(0, 4)}-${word.slice(4, 8)}-${word.slice(8)}`
}

/** What is kept of one: with the server's secret in it the database alone opens nothing. Null for what is none. */
export function recoveryHash(secret: string, userId: number, code: string): Buffer | null {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  if (plain.length !== LENGTH) return null
  return createHmac('sha256', secret).update(`recovery\n${userId}\n${plain}`).digest()
}
