import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../config.ts'
import type { Place } from '../../../engines/backups/place.ts'
import { CannotBackUp } from '../../../engines/db/backup.ts'
import type { Files } from '../../../engines/files/port.ts'
import { secretsFile } from '../../../lib/secrets.ts'
import { databaseOf, type Entry, listSets, readEntries, readSummary, secretsOf } from './sets.ts'

const AT_ONCE = 8

/** The set that is meant: the newest unless one is named. Raises `CannotBackUp` when there is none. */
export async function findSet(place: Place, named?: string): Promise<string> {
  const sets = await listSets(place)
  const found = named === undefined ? sets.at(-1) : sets.find((name) => name === named)
  if (found !== undefined) return found
  const there = sets.length === 0 ? 'There are none.' : `There are: ${sets.slice(-20).join(', ')}.`
  throw new CannotBackUp(
    named === undefined
      ? `There is no whole backup in ${place.name}.`
      : `There is no backup ${named}. ${there}`,
  )
}

/** Brings the database's file of a set to this machine. */
export async function fetchDatabase(place: Place, set: string, to: string): Promise<void> {
  const content = await place.get(databaseOf(set))
  if (content === null) throw new CannotBackUp(`The backup ${set} is damaged: its database is missing.`)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rm(to, { force: true })
  await pipeline(content, createWriteStream(to, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    throw error instanceof CannotBackUp ? error : damagedFile(set, 'its database', error)
  })
}

const damagedFile = (set: string, what: string, cause?: unknown) =>
  new CannotBackUp(`The backup ${set} is damaged: ${what} cannot be read.`, { cause })

/** Puts the key of sessions and links back where there is none. */
export async function putSecretsBack(
  place: Place,
  set: string,
  config: Pick<Config, 'dataFolder'>,
): Promise<void> {
  const target = secretsFile(config.dataFolder)
  const content = existsSync(target) ? null : await place.get(secretsOf(set))
  if (content === null) return
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
}

/** What was put back. */
export interface FilesBack {
  readonly files: number
  readonly bytes: number
}

/** Puts the files of a set back; each is compared with what was stored. Raises `CannotBackUp` at the first that is not what it was. */
export async function putFilesBack(place: Place, set: string, files: Files): Promise<FilesBack> {
  const count = { files: 0, bytes: 0 }
  await eachEntry(place, set, async (entry) => {
    await putBack(place, set, { entry, files })
    count.files += 1
    count.bytes += entry.bytes
  })
  return count
}

/** Calls `each` with every file of a set, some at once. */
export async function eachEntry(
  place: Place,
  set: string,
  each: (entry: Entry) => Promise<void>,
): Promise<void> {
  await readSummary(place, set)
  let some: Entry[] = []
  for await (const entry of readEntries(place, set)) {
    if (some.push(entry) < AT_ONCE) continue
    await Promise.all(some.map(each))
    some = []
  }
  await Promise.all(some.map(each))
}

/** Puts one file back, and raises `CannotBackUp` when it is not what it was. */
export async function putBack(
  place: Place,
  set: string,
  { entry, files }: { readonly entry: Entry; readonly files: Files },
): Promise<void> {
  const { container, path, sha256, bytes } = entry
  const stored = await place.get(place.objectPath(sha256))
  const what = `${container}/${path}`
  if (stored === null) throw new CannotBackUp(`The backup ${set} is damaged: ${what} is missing.`)
  const hash = createHash('sha256')
  let length = 0
  async function* watched(content: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      const piece = Buffer.from(chunk)
      hash.update(piece)
      if ((length += piece.length) > bytes) throw damagedFile(set, what)
      yield piece
    }
    // Before it has its name.
    if (hash.digest('hex') !== sha256) throw damagedFile(set, what)
  }
  await files
    .put({ container, path }, Readable.from(watched(stored), { objectMode: false }))
    .catch((error: unknown) => {
      stored.destroy()
      throw error instanceof Error && /provided|decrypt|tag|age/i.test(error.message)
        ? damagedFile(set, what, error)
        : error
    })
}

/** Where a set is tried out. */
export const scratchFolder = (dataFolder: string): string => join(dataFolder, 'backups', '.verify')
