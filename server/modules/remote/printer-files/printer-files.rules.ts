import type { PrinterFileReason } from '@vigil/contract/remote/printer-files.ts'
import type { StatusReading } from '@vigil/contract/core/status.ts'

/** Why it was not deleted; `words` are the printer's own. */
export interface NotDeleted {
  readonly reason: PrinterFileReason
  readonly words?: string
}

/** A path as agents compare them: without the name of the storage that some put before it. */
const plain = (path: string) => path.replace(/^\//, '').replace(/^(?:gcodes|local)\//, '')

/** Whether a file is loaded on a printer that is not idle: to print it, paused in it, or about to. */
export function isInUse(status: StatusReading, path: string): boolean {
  const isIdle = status.operational && status.ready && !status.printing && !status.standsPaused
  if (isIdle) return false
  const { path: loaded, name } = status.file
  if (typeof loaded === 'string' && loaded !== '') return plain(loaded) === plain(path)
  // Busy, and it does not say with what: then any could be it.
  return typeof name !== 'string' || plain(path).endsWith(name)
}

/** Where Moonraker has the call about a file among those to print. */
export const moonrakerPath = (path: string): string =>
  `/server/files/gcodes/${plain(path).split('/').map(encodeURIComponent).join('/')}`
