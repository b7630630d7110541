import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const FOREIGN = /^pbkdf2_(sha256|sha1)\$(\d{1,8})\$([^$]{1,200})\$([A-Za-z0-9+/=]{20,100})$/
const LONGEST = 400
const MOST_ITERATIONS = 5_000_000

/** Whether a hash came with its account from a server of Obico's (`./vigil import obico`): who comes with the password has it made anew. */
export const isForeignHash = (stored: string): boolean => stored.startsWith('pbkdf2_')

/** Whether a password belongs to a hash of Django's: PBKDF2, `pbkdf2_sha256$iterations$salt$base64`. */
export async function verifyForeignHash(stored: string, password: string): Promise<boolean> {
  const [, algorithm = '', rounds, salt = '', hashed = ''] = FOREIGN.exec(stored.slice(0, LONGEST)) ?? []
  const iterations = Number(rounds)
  if (!(iterations >= 1 && iterations <= MOST_ITERATIONS)) return false
  const right = Buffer.from(hashed, 'base64')
  const given = await promisify(pbkdf2)(password, salt, iterations, right.length, algorithm)
  return timingSafeEqual(given, right)
}
