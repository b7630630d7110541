import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashOf } from '../../../lib/signing.ts'

const CODE_BYTES = 8
const SECRET_BYTES = 32

/** The tunnel's name in its address: 16 hexadecimal digits. */
export const newCode = () => randomBytes(CODE_BYTES).toString('hex')

/** A user name or password of an app's tunnel: 64 hexadecimal digits. */
export const newSecret = () => randomBytes(SECRET_BYTES).toString('hex')

const HASH_BYTES = 32

/** Whether this is the password of that hash; takes as long for each wrong one. */
export const isPassword = (password: string, hash: Buffer) =>
  hash.length === HASH_BYTES && timingSafeEqual(hashOf(password), hash)

/** The hash that came with a tunnel from a server of Obico's; null for one of ours. */
export const foreignHashOf = (hash: Buffer): string | null =>
  hash.length === HASH_BYTES ? null : hash.toString('utf8')

const SECRET = /^[0-9a-f]{64}$/

/** Whether a user name can be one of ours at all: anything else is not looked for. */
export const isUsername = (text: string) => SECRET.test(text)
