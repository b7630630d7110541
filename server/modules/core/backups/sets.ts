import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer, text } from 'node:stream/consumers'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import type { Place } from '../../../engines/backups/place.ts'
import { CannotBackUp } from '../../../engines/db/backup.ts'
import { CONTAINERS } from '../../../engines/files/port.ts'

/** A set is one whole backup: the database and what files there were. Its folder has this last, when it is whole. */
const SUMMARY = 'set.json'
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d(?:-\d{1,3})?$/

export const databaseOf = (set: string) => `sets/${set}/database.vbk`
export const secretsOf = (set: string) => `sets/${set}/secrets.json`
const filesOf = (set: string) => `sets/${set}/files.jsonl.zst`
const summaryOf = (set: string) => `sets/${set}/${SUMMARY}`

const summary = z.object({
  version: z.string(),
  rows: z.int(),
  tables: z.int(),
  files: z.int(),
  /** Of all its files. */
  bytes: z.number(),
  /** What this set had to store, as the one before had the rest. */
  newFiles: z.int(),
  newBytes: z.number(),
})
export type Summary = z.infer<typeof summary>

const line = z.tuple([z.enum(CONTAINERS), z.string(), z.number(), z.number(), z.string()])

/** A stored file as it was: where, how large, when it was written, and the SHA-256 of its content. */
export interface Entry {
  readonly container: (typeof CONTAINERS)[number]
  readonly path: string
  readonly bytes: number
  readonly at: number
  readonly sha256: string
}

/** The names of the whole sets of a place, oldest first. */
export async function listSets(place: Place): Promise<string[]> {
  const names: string[] = []
  for await (const path of place.list('sets')) {
    const [, name = '', file] = path.split('/')
    if (file === SUMMARY && NAME.test(name)) names.push(name)
  }
  return names.toSorted()
}

/** A name for a set that is made at this time. */
export function nameSet(at: number, taken: readonly string[]): string {
  const name = new Date(at).toISOString().slice(0, 16).replace(':', '-')
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name}-${n}`
    if (!taken.includes(one)) return one
  }
}

export async function writeSummary(place: Place, set: string, given: Summary): Promise<void> {
  await place.put(summaryOf(set), Buffer.from(JSON.stringify(given)))
}

/** Raises `CannotBackUp` when there is no such set, or it cannot be read. */
export async function readSummary(place: Place, set: string): Promise<Summary> {
  const content = await place.get(summaryOf(set))
  if (content === null) throw new CannotBackUp(`There is no backup ${set} in ${place.name}.`)
  const read = summary.safeParse(parsed(await text(content)))
  if (!read.success) throw damaged(set)
  return read.data
}

/** A set that is half gone is none. */
export async function removeSet(place: Place, set: string): Promise<void> {
  await place.remove(summaryOf(set))
  await place.removeAll(`sets/${set}`)
}

/** Stores the list of a set's files once all are told: which may take hours, and a file that nobody writes to is swept away (engines/files). */
export async function writeEntries(place: Place, set: string, entries: AsyncIterable<Entry>): Promise<void> {
  const packed = createZstdCompress()
  async function* lines() {
    for await (const { container, path, bytes, at, sha256 } of entries)
      yield Buffer.from(`${JSON.stringify([container, path, bytes, at, sha256])}\n`)
  }
  const [list] = await Promise.all([buffer(packed), pipeline(Readable.from(lines()), packed)])
  await place.put(filesOf(set), list)
}

/** The files of a set, one after the other. Raises `CannotBackUp` when the list is damaged. */
export async function* readEntries(place: Place, set: string): AsyncGenerator<Entry> {
  const content = await place.get(filesOf(set))
  if (content === null) throw damaged(set)
  const unpacked = createZstdDecompress()
  const fed = pipeline(content, unpacked).catch((error: unknown) => {
    throw damaged(set, error)
  })
  fed.catch(() => undefined)
  for await (const said of createInterface({ input: unpacked })) {
    const read = line.safeParse(parsed(said))
    if (!read.success) throw damaged(set)
    const [container, path, bytes, at, sha256] = read.data
    yield { container, path, bytes, at, sha256 }
  }
  await fed
}

const damaged = (set: string, cause?: unknown) =>
  new CannotBackUp(`The backup ${set} is damaged: the list of its files cannot be read.`, { cause })

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
