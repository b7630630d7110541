const MOST_TRIES = 3
const DOWN_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
])
const DOWN_MESSAGES =
  /^Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** True when the database cannot be reached now, but may be later: answered 503. */
export function isDatabaseDown(error: unknown): boolean {
  return someCause(error, ({ code, message, syscall }) => {
    if (code === undefined) return DOWN_MESSAGES.test(message)
    if (code === 'ENOENT' || code === 'ETIMEDOUT' || code === 'EACCES') return syscall === 'connect'
    return DOWN_CODES.has(code) || code.startsWith('08')
  })
}

/** True when there was no room to write, in the database or in a file: answered 507. */
export function isDiskFull(error: unknown): boolean {
  return someCause(
    error,
    ({ code, message }) =>
      code === '53100' ||
      code === 'ENOSPC' ||
      code === 'EDQUOT' ||
      (code === '58030' && /No space left/.test(message)),
  )
}

/** True when another transaction was in the way (deadlock, serialization): PostgreSQL asks to try again. */
export function isConflict(error: unknown): boolean {
  return someCause(error, ({ code }) => code === '40P01' || code === '40001')
}

/** Does it again where another transaction was in the way, `MOST_TRIES` times in all; `work` is a whole transaction. */
export async function againOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (tries === MOST_TRIES || !isConflict(error)) throw error
    }
}

interface Failure {
  code?: string
  message: string
  syscall?: string
}

function someCause(error: unknown, matches: (failure: Failure) => boolean): boolean {
  for (let depth = 0, cause = error; cause instanceof Error && depth < 5; depth++, cause = cause.cause) {
    if (matches(cause)) return true
    if (cause instanceof AggregateError) return cause.errors.some((one) => someCause(one, matches))
  }
  return false
}
