import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Place } from '../../../engines/backups/place.ts'
import { CannotBackUp } from '../../../engines/db/backup.ts'
import { restoreBackup } from '../../../engines/db/backup.restore.ts'
import { openEmbedded } from '../../../engines/db/embedded.ts'
import { openDb } from '../../../engines/db/postgres.ts'
import { openFolderFiles } from '../../../engines/files/folder.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { countMissingFiles } from '../stored/index.ts'
import { eachEntry, fetchDatabase, putBack } from './back.service.ts'
import { hashOf } from './whole.service.ts'
import { readSummary } from './sets.ts'

/** What was found to be as it was. */
export interface Verified {
  readonly set: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** Files that rows of the backup name, and that it does not have: they were gone when it was made, or went meanwhile. */
  readonly missing: number
}

type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/**
 * Restores a set into a scratch folder with a PostgreSQL of its own, and compares: every table row by row, every file byte by byte. The
 * folder goes afterwards. Raises `CannotBackUp` at the first thing that is not as it was.
 */
export async function verifySet(
  place: Place,
  set: string,
  { scratch, log }: { readonly scratch: string; readonly log: Log },
): Promise<Verified> {
  const summary = await readSummary(place, set)
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const embedded = await openEmbedded({ dataFolder: scratch, log })
  try {
    const file = join(scratch, 'database.vbk')
    await fetchDatabase(place, set, file)
    const { tables, rows } = await restoreBackup({ url: embedded.url, file, log, compares: true })
    if (rows !== summary.rows)
      throw new CannotBackUp(`The backup ${set} has ${summary.rows} rows, ${rows} came back.`)
    const { count, named } = await compareFiles(place, set, scratch)
    if (count.files !== summary.files)
      throw new CannotBackUp(`The backup ${set} has ${summary.files} files, ${count.files} came back.`)
    const missing = await countMissing(embedded.url, named, log)
    return { set, tables, rows, ...count, missing }
  } finally {
    await embedded.stop()
    await rm(scratch, { recursive: true, force: true })
  }
}

const keyOf = ({ container, path }: MediaRef) => `${container}/${path}`

/** Each file is put back, read, and removed again: room for the largest is enough. */
async function compareFiles(place: Place, set: string, scratch: string) {
  const files = await openFolderFiles(join(scratch, 'files'))
  const named = new Map<string, number>()
  const count = { files: 0, bytes: 0 }
  try {
    await eachEntry(place, set, async (entry) => {
      await putBack(place, set, { entry, files })
      const back = await files.get(entry)
      const read = back && (await hashOf(back))
      if (read?.hash !== entry.sha256)
        throw new CannotBackUp(`${keyOf(entry)} came back otherwise than it was.`)
      await files.remove(entry)
      named.set(keyOf(entry), entry.bytes)
      count.files += 1
      count.bytes += entry.bytes
    })
  } finally {
    await files.close()
  }
  return { count, named }
}

/** How many files rows name that the backup does not have. */
async function countMissing(url: string, named: ReadonlyMap<string, number>, log: Log): Promise<number> {
  const { db, close } = openDb(url, { log, poolSize: 2 })
  const stat = async (ref: MediaRef) => {
    const numBytes = named.get(keyOf(ref))
    return numBytes === undefined ? null : { numBytes, modifiedAt: new Date(0) }
  }
  try {
    return await countMissingFiles({ db, files: { stat }, log }, new AbortController().signal)
  } finally {
    await close()
  }
}
