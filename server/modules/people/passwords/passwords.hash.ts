import { hash, verify } from '@node-rs/argon2'
import { throttled } from '../../../http/errors.ts'
import { isForeignHash, verifyForeignHash } from '../../../lib/foreign-hash.ts'

/** Hashing is heavy by design: two at a time leave the thread pool and the processor to the printers. */
const AT_ONCE = 2
const WAITING_AT_MOST = 200

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_AT_MOST) throw throttled(5)
    // The one that ends hands its place over: `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** argon2id with the parameters OWASP names (19 MiB, 2 passes), as a PHC string. */
export const hashPassword = (password: string) => inTurn(() => hash(password))

let dummy: Promise<string> | undefined

/**
 * True when the password belongs to the hash. Without a hash the same work is done for nothing, so that time does
 * not tell which accounts exist.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash('no account has this password')
  const against = stored ?? (await dummy)
  const matches = await inTurn(() =>
    isForeignHash(against) ? verifyForeignHash(against, password) : verify(against, password),
  )
  return stored !== null && matches
}
