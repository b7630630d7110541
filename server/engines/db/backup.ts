import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  CannotBackUp,
  connect,
  inPublic,
  listMigrations,
  listMonths,
  listSequences,
  listTables,
  quoted,
} from './backup.catalog.ts'
export { CannotBackUp } from './backup.catalog.ts'
import { type BackupHeader, endFrame, headerBytes, rowFrames } from './backup.format.ts'

/** Room that a backup leaves on the disk: above what the doctor calls too little. */
const RESERVE_BYTES = 256 * 1024 * 1024
/** Rows shrink to a third of their place in the database, or less. */
const USUAL_SHRINK = 3
const LOOK_EVERY_BYTES = 16 * 1024 * 1024
const OUR_NAME = /^vigil-\d{4}-\d\d-\d\dT\d\d-\d\d(-\d+)?\.vbk$/
const ABANDONED_MS = 24 * 3_600_000

/** What to back up, and where to. */
export interface BackupOptions {
  readonly url: string
  /** The file; it must not exist. */
  readonly file: string
  /** Of this program, for the header. */
  readonly version: string
  /** Stops the backup and removes what there is of it. */
  readonly signal?: AbortSignal
  /** Free bytes where the file goes (tests bring their own). */
  readonly freeBytes?: () => Promise<number>
}

/** What was backed up. */
export interface BackupDone {
  readonly file: string
  readonly bytes: number
  readonly tables: number
  readonly rows: number
}

/** Where backups go unless told otherwise. */
export const backupFolder = (dataFolder: string): string => join(dataFolder, 'backups')

/** A name for a backup made at a time (UTC) that the folder does not have yet. */
export function backupName(folder: string, at: Date): string {
  const name = `vigil-${at.toISOString().slice(0, 16).replace(':', '-')}`
  for (let n = 1; ; n++) {
    const file = join(folder, `${name}${n > 1 ? `-${n}` : ''}.vbk`)
    if (!existsSync(file)) return file
  }
}

/**
 * Writes all rows of the product as they are at one instant, while everybody goes on working. The file has its name
 * only once it is whole and on the disk. Raises `CannotBackUp`.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupDone> {
  const file = resolve(options.file)
  if (existsSync(file)) throw new CannotBackUp(`${file} exists already. Nothing was written.`)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const client = await connect(options.url, 'vigil backup')
  const stop = () => void client.end().catch(() => undefined)
  options.signal?.addEventListener('abort', stop, { once: true })
  const draft = `${file}.${process.pid}.part`
  try {
    options.signal?.throwIfAborted()
    const header = await openSnapshot(client, options.version)
    const room = watchRoom(dirname(file), options.freeBytes)
    await room(await guessBytes(client))
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    let done: { bytes: number; rows: number }
    try {
      done = await fill(handle, client, header, room)
      await handle.sync()
    } finally {
      await handle.close()
    }
    options.signal?.throwIfAborted()
    await rename(draft, file)
    await syncFolder(dirname(file))
    return { file, tables: header.tables.length, ...done }
  } catch (error) {
    await rm(draft, { force: true })
    options.signal?.throwIfAborted()
    throw error
  } finally {
    options.signal?.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}

/** Locks come first: the snapshot must not be older than them, or a table could go or change under it. */
async function openSnapshot(client: Client, version: string): Promise<BackupHeader> {
  const tables = await listTables(client)
  await client.query('begin isolation level repeatable read read only')
  if (tables.length > 0) {
    await client.query(
      `lock table ${tables.map(({ name }) => inPublic(name)).join(', ')} in access share mode`,
    )
  }
  const migrations = await listMigrations(client)
  if (migrations.length === 0) throw new CannotBackUp('There is nothing to back up: the database is new.')
  const { rows } = await client.query<{ now: Date; postgres: string }>(
    `select now() as now, current_setting('server_version') as postgres`,
  )
  return {
    version,
    at: rows[0]!.now.toISOString(),
    postgres: rows[0]!.postgres,
    migrations,
    months: await listMonths(client),
    tables: await listTables(client),
    sequences: await listSequences(client),
  }
}

async function guessBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return Number(rows[0]!.bytes) / USUAL_SHRINK
}

type Room = (bytes: number) => Promise<void>

/** Refuses when so many bytes more would leave too little on the disk. */
function watchRoom(folder: string, freeBytes = () => freeIn(folder)): Room {
  return async (bytes) => {
    const free = await freeBytes()
    if (free - bytes >= RESERVE_BYTES) return
    throw new CannotBackUp(
      `There is not enough room for a backup in ${folder}: ${megabytes(free)} are free, ` +
        `${megabytes(bytes + RESERVE_BYTES)} are wanted. Make room, or write it elsewhere (--to).`,
    )
  }
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MB`

async function fill(handle: FileHandle, client: Client, header: BackupHeader, room: Room) {
  const hash = createHash('sha256')
  const count = { bytes: 0, rows: 0 }
  let lookAt = LOOK_EVERY_BYTES
  const write = async (chunk: Buffer) => {
    hash.update(chunk)
    await handle.appendFile(chunk)
    count.bytes += chunk.length
    if (count.bytes < lookAt) return
    lookAt += LOOK_EVERY_BYTES
    await room(0)
  }
  async function* frames(): AsyncGenerator<Buffer> {
    for (const { name, columns } of header.tables) {
      const rows = client.query(
        copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${inPublic(name)}) to stdout`),
      )
      for await (const chunk of rows) yield* rowFrames(chunk as Buffer)
      count.rows += rows.rowCount
      yield endFrame(name, rows.rowCount)
    }
  }
  await write(headerBytes(header))
  await pipeline(
    Readable.from(frames(), { objectMode: true, highWaterMark: 1 }),
    createZstdCompress(),
    async (packed) => {
      for await (const chunk of packed) await write(chunk as Buffer)
    },
  )
  // What was still on its way may not have been asked about.
  await room(0)
  await handle.appendFile(hash.digest())
  count.bytes += 32
  return count
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes all but the newest backups of a folder, and what killed ones left a day ago; returns what went. */
export async function pruneBackups(folder: string, keep: number): Promise<string[]> {
  const names = await readdir(folder)
  const old = names
    .filter((name) => OUR_NAME.test(name))
    .sort(byAge)
    .slice(0, -keep)
  for (const name of names.filter((one) => /\.vbk\.\d{1,20}\.part$/.test(one))) {
    const left = await stat(join(folder, name)).catch(() => null)
    if (left !== null && Date.now() - left.mtimeMs > ABANDONED_MS) old.push(name)
  }
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}

/** The second of one minute is `…-2`, after the one without a number. */
function byAge(one: string, other: string): number {
  return basename(one, '.vbk') < basename(other, '.vbk') ? -1 : 1
}
