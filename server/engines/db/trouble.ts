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
