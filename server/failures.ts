import { codeOf, textOf } from './lib/thrown.ts'
import { isDatabaseDown, isDiskFull } from './engines/db/trouble.ts'

/** What stands in the way, and how an operator mends it. */
export interface Explained {
  readonly found: string
  readonly cure: string | null
}

/** Failures whose message is a sentence for the operator already. */
const SPOKEN = new Set([
  'AlreadyRunning',
  'BadConfig',
  'CannotBackUp',
  'CannotMigrate',
  'CannotReadSecret',
  'CannotRunPostgres',
  'CannotServe',
  'DetectorUnavailable',
  'FilesUnavailable',
  'LiveUnavailable',
])
const DATA_ELSEWHERE = 'or set VIGIL_DATA to another folder'

/** What is the operator's to mend, in sentences; null for a defect, whose stack is wanted. */
export function explainFailure(error: unknown): Explained | null {
  if (!(error instanceof Error)) return { found: String(error), cure: null }
  const { name, code = '', path } = error as NodeJS.ErrnoException
  if (isDamage(error)) return damaged(error)
  if (SPOKEN.has(name)) return { found: error.message, cure: null }
  if (isDiskFull(error))
    return { found: `There is no room: ${error.message}.`, cure: 'Make room on that disk.' }
  if (isDatabaseDown(error) || /^(?:28|3D)/.test(code)) {
    const cure = 'Start it, or correct DATABASE_URL. ./vigil doctor tells more.'
    return { found: `The database is not reachable: ${reasonOf(error)}.`, cure }
  }
  if (code === '42501') {
    const cure = 'Let the user of DATABASE_URL own its database.'
    return { found: `The database refuses its user: ${error.message}.`, cure }
  }
  return path === undefined ? null : ofFile(code, path, error.message)
}

/** A page whose checksum is wrong, a file of the database that is gone or cannot be read. */
export function isDamage(error: Error): boolean {
  const { cause } = error
  return /^(?:XX00[12]|58030|58P01)$/.test(codeOf(error)) || (cause instanceof Error && isDamage(cause))
}

function damaged({ message }: Error): Explained {
  return {
    found: `The database is damaged: ${message}. Perhaps the disk is failing.`,
    cure:
      'Stop Vigil, copy its data folder away, and restore the newest backup into a new one ' +
      '(docs/self-hosting.md, Restore).',
  }
}

function ofFile(code: string, path: string, message: string): Explained | null {
  if (code === 'EACCES' || code === 'EPERM') {
    const cure = `Give it to the user Vigil runs as, ${DATA_ELSEWHERE}.`
    return { found: `This user may not use ${path} (${code}).`, cure }
  }
  if (code === 'EROFS') {
    const cure = `Mount it for writing, ${DATA_ELSEWHERE}.`
    return { found: `${path} cannot be written: its file system is read-only.`, cure }
  }
  if (['ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP', 'ENOTEMPTY'].includes(code)) {
    return { found: `${path} is not what it should be: ${message}.`, cure: 'Move away what is in its place.' }
  }
  if (code === 'EIO') {
    return {
      found: `${path} cannot be read or written: ${message}.`,
      cure: 'The disk may be failing: look at it.',
    }
  }
  return null
}

/** Why a connection failed; to a name with several addresses it failed several times, and says nothing itself. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const cause = error instanceof Error && !('code' in error) ? error.cause : undefined
  return cause instanceof Error ? reasonOf(cause) : textOf(error)
}
