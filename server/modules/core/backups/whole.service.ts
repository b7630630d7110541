import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Ctx } from '../../../ctx.ts'
import type { Place } from '../../../engines/backups/place.ts'
import type { BackupDone } from '../../../engines/db/backup.ts'
import { CONTAINERS, type Files, type MediaRef } from '../../../engines/files/port.ts'
import { secretsFile } from '../../../lib/secrets.ts'
import { type KeepRule, setsToRemove } from './keep.rules.ts'
import {
  databaseOf,
  type Entry,
  listSets,
  nameSet,
  readEntries,
  removeSet,
  secretsOf,
  type Summary,
  writeEntries,
  writeSummary,
} from './sets.ts'

/** Files that are looked at, and stored, at once. */
const AT_ONCE = 8
/** What is no larger is read once; larger files are hashed first, then stored. */
const AT_A_TIME_BYTES = 8 * 1024 * 1024
/** Uploads that are not finished, and pictures that are made again when somebody asks. */
const LEFT_OUT = /^(?:incoming\/|snapshots\/\d{1,9}\/[^/]{1,200}_rotated\.jpg$)/
/** An object may belong to a set that is being made right now. */
const GRACE_MS = 86_400_000

/** What a whole backup needs of the server, or of a command. */
export type BackupCtx = Pick<Ctx, 'files' | 'config' | 'clock'>

/** What was stored, and by which name. */
export interface WholeDone extends Summary {
  readonly set: string
  readonly place: string
}

/**
 * Stores a backup of the database and, of all files, what the last set there did not have. The set counts once it is whole. A file that goes
 * meanwhile is left out; one that is written anew stands as it was read.
 */
export async function storeWhole(
  ctx: BackupCtx,
  { place, database, signal }: { place: Place; database: BackupDone; signal: AbortSignal },
): Promise<WholeDone> {
  const sets = await listSets(place)
  const before = await entriesOf(place, sets.at(-1))
  const stored = await objectsOf(place)
  const set = nameSet(ctx.clock.now(), sets)
  try {
    const summary = await storeSet(ctx, { set, database, storing: { place, before, stored, signal } })
    return { set, place: place.name, ...summary }
  } catch (error) {
    // Nobody counts what is there of it: each night that fails would leave a database more.
    await removeSet(place, set).catch(() => undefined)
    throw error
  }
}

async function storeSet(
  ctx: BackupCtx,
  {
    set,
    database,
    storing,
  }: { readonly set: string; readonly database: BackupDone; readonly storing: Storing },
): Promise<Summary> {
  const { place, signal } = storing
  const count = { files: 0, bytes: 0, newFiles: 0, newBytes: 0 }
  await place.put(databaseOf(set), createReadStream(database.file))
  const secrets = secretsFile(ctx.config.dataFolder)
  if (existsSync(secrets)) await place.put(secretsOf(set), await readFile(secrets))
  async function* entries(): AsyncGenerator<Entry> {
    for await (const { entry, isNew } of storeFiles(ctx.files, storing)) {
      count.files += 1
      count.bytes += entry.bytes
      if (isNew) count.newFiles += 1
      if (isNew) count.newBytes += entry.bytes
      yield entry
    }
  }
  await writeEntries(place, set, entries())
  signal.throwIfAborted()
  const { rows, tables } = database
  const summary = { version: ctx.config.version, rows, tables, ...count }
  await writeSummary(place, set, summary)
  return summary
}

type Before = ReadonlyMap<string, { readonly bytes: number; readonly at: number; readonly sha256: string }>

const keyOf = ({ container, path }: MediaRef) => `${container}/${path}`

async function entriesOf(place: Place, set: string | undefined): Promise<Before> {
  const found = new Map<string, { bytes: number; at: number; sha256: string }>()
  if (set === undefined) return found
  for await (const entry of readEntries(place, set))
    found.set(keyOf(entry), { bytes: entry.bytes, at: entry.at, sha256: entry.sha256 })
  return found
}

/** The contents that are there already; what the set before names and is gone is stored anew. */
async function objectsOf(place: Place): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const path of place.list('objects')) found.add(path)
  return found
}

interface Storing {
  readonly place: Place
  readonly before: Before
  readonly stored: Set<string>
  readonly signal: AbortSignal
}

async function* storeFiles(files: Files, storing: Storing): AsyncGenerator<{ entry: Entry; isNew: boolean }> {
  for (const container of CONTAINERS) {
    let some: MediaRef[] = []
    const look = async () => {
      const stored = await Promise.all(some.map((ref) => storeFile(files, ref, storing)))
      some = []
      return stored.flatMap((one) => one ?? [])
    }
    for await (const path of files.list(container, '')) {
      storing.signal.throwIfAborted()
      if (LEFT_OUT.test(path)) continue
      if (some.push({ container, path }) >= AT_ONCE) yield* await look()
    }
    yield* await look()
  }
}

/** Null: it went meanwhile. */
async function storeFile(files: Files, ref: MediaRef, storing: Storing) {
  const { place, before, stored } = storing
  const found = await files.stat(ref)
  if (found === null) return null
  const [bytes, at] = [found.numBytes, found.modifiedAt.getTime()]
  const last = before.get(keyOf(ref))
  const isStored = last !== undefined && stored.has(place.objectPath(last.sha256))
  if (isStored && last.bytes === bytes && last.at === at)
    return { entry: { ...ref, bytes, at, sha256: last.sha256 }, isNew: false }
  const store = bytes <= AT_A_TIME_BYTES ? storeSmall : storeLarge
  const done = await store(files, ref, storing)
  return done && { entry: { ...ref, bytes: done.bytes, at, sha256: done.hash }, isNew: true }
}

async function storeSmall(files: Files, ref: MediaRef, { place, stored }: Storing) {
  const content = await files.get(ref)
  if (content === null) return null
  const bytes = Buffer.concat(await content.toArray())
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = place.objectPath(hash)
  if (!stored.has(path)) await place.put(path, bytes)
  stored.add(path)
  return { hash, bytes: bytes.length }
}

async function storeLarge(files: Files, ref: MediaRef, { place, stored }: Storing) {
  for (;;) {
    const first = await files.get(ref)
    if (first === null) return null
    const { hash, bytes } = await hashOf(first)
    const path = place.objectPath(hash)
    if (stored.has(path)) return { hash, bytes }
    const second = await files.get(ref)
    if (second === null) return null
    const counting = createHash('sha256')
    await place.put(path, Readable.from(through(second, counting), { objectMode: false }))
    if (counting.digest('hex') === hash) {
      stored.add(path)
      return { hash, bytes }
    }
    // It was written anew between the two: what is there now is not what its name says.
    await place.remove(path)
  }
}

async function* through(content: Readable, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    hash.update(bytes)
    yield bytes
  }
}

/** The SHA-256 and the size of a content. */
export async function hashOf(content: Readable): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of through(content, hash)) bytes += chunk.length
  return { hash: hash.digest('hex'), bytes }
}

/** Removes the sets that the rule does not keep, and objects that no set names any more; returns the sets that went. */
export async function pruneSets(place: Place, rule: KeepRule, now: number): Promise<string[]> {
  const sets = await listSets(place)
  const gone = setsToRemove(sets, rule)
  if (gone.length === 0) return gone
  // First the sets: a set must never name what is gone.
  for (const set of gone) await removeSet(place, set)
  const named = new Set<string>()
  for (const set of await listSets(place))
    for await (const { sha256 } of readEntries(place, set)) named.add(place.objectPath(sha256))
  for await (const path of place.list('objects')) {
    if (named.has(path)) continue
    const found = await place.stat(path)
    if (found !== null && now - found.modifiedAt.getTime() > GRACE_MS) await place.remove(path)
  }
  return gone
}
