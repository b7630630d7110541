import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../config.ts'
import type { Place } from '../../../engines/backups/place.ts'
import { CannotBackUp } from '../../../engines/db/backup.ts'
import type { Files } from '../../../engines/files/port.ts'
import { secretsFile } from '../../../lib/secrets.ts'
import { codeOf } from '../../../lib/thrown.ts'
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
    throw isDamage(error) ? damagedFile(set, 'its database', error) : error
  })
}

const damagedFile = (set: string, what: string, cause?: unknown) =>
  new CannotBackUp(`The backup ${set} is damaged: ${what} cannot be read.`, { cause })

/** What was sealed and cannot be opened is raised without a name; a disk or a server that is full or away says its own. */
const isDamage = (error: unknown) => error instanceof Error && error.name === 'Error' && codeOf(error) === ''

/** Puts the key of sessions and links back where there is none. Raises `CannotBackUp` where there is another: it opens nothing of the backup. */
export async function putSecretsBack(
  place: Place,
  set: string,
  config: Pick<Config, 'dataFolder' | 'VIGIL_SECRET'>,
): Promise<void> {
  const target = secretsFile(config.dataFolder)
  const content = await place.get(secretsOf(set))
  if (content === null) return
  const secrets = await buffer(content)
  if (!existsSync(target)) {
    await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
    await writeFile(target, secrets, { flag: 'wx', mode: 0o600 })
  } else if (config.VIGIL_SECRET === undefined && !secrets.equals(await readFile(target)))
    throw new CannotBackUp(
      `${target} holds another key than the backup ${set}, and would open nothing of it. Move it away and try again.`,
    )
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
      throw isDamage(error) ? damagedFile(set, what, error) : error
    })
}

/** Where a set is tried out. */
export const scratchFolder = (dataFolder: string): string => join(dataFolder, 'backups', '.verify')
