import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashOf } from '../../../lib/signing.ts'

const CODE_BYTES = 8
const SECRET_BYTES = 32

/** The tunnel's name in its address: 16 hexadecimal digits. */
export const newCode = () => randomBytes(CODE_BYTES).toString('hex')

/** A user name or password of an app's tunnel: 64 hexadecimal digits. */
export const newSecret = () => randomBytes(SECRET_BYTES).toString('hex')

/** Whether this is the password of that hash; takes as long for each wrong one. */
export const isPassword = (password: string, hash: Buffer) => timingSafeEqual(hashOf(password), hash)

const SECRET = /^[0-9a-f]{64}$/

/** Whether a user name can be one of ours at all: anything else is not looked for. */
export const isUsername = (text: string) => SECRET.test(text)
