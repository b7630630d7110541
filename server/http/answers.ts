import { codeOf, textOf } from '../lib/thrown.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { isDatabaseDown, isDiskFull } from '../engines/db/postgres.ts'
import { DiskFull } from '../engines/files/port.ts'
import { LiveUnavailable } from '../engines/live/port.ts'
import { AppError, badRequest, diskFull, tooLarge, unavailable } from './errors.ts'

const DATABASE_AWAY = 'The database is not reachable right now. Please try again.'

/** PostgreSQL's class 22: a value that slipped past our checks and cannot be stored (NUL, out of range). */
function isBadValue(error: unknown): boolean {
  return error instanceof Error && /^22[0-9A-Z]{3}$/.test(codeOf(error))
}

const FRAMEWORK: Readonly<Record<number, (detail: string) => AppError>> = {
  413: tooLarge,
  415: () => new AppError(415, { detail: 'Unsupported media type in request.' }),
}

/** The one table from failure to answer. */
export function answerFor(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DiskFull) return diskFull(error.where)
  if (isDiskFull(error)) return diskFull('database')
  if (isDatabaseDown(error)) return unavailable(DATABASE_AWAY)
  if (error instanceof LiveUnavailable)
    return unavailable('The server is busy starting or stopping. Please try again.')
  if (isBadValue(error)) return badRequest('A value is out of range or cannot be stored.')
  const status = statusOf(error)
  if (status >= 400 && status < 500) {
    const message = textOf(error)
    return FRAMEWORK[status]?.(message) ?? new AppError(status, { detail: message })
  }
  return new AppError(500, { detail: 'Server error' })
}

function statusOf(error: unknown): number {
  const status = fieldsOf(error)['statusCode']
  return typeof status === 'number' ? status : 500
}
