import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { access, type FileHandle, mkdir, open, opendir, readdir, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { checkFolder, checkPath } from './paths.ts'
import { type Container, CONTAINERS, DiskFull, type Files, type MediaRef } from './port.ts'
import { codeOf } from '../../lib/thrown.ts'

/** Of Node's two ways to the same system calls these cost half as much. */
const openNew = promisify(fs.open) as (path: string, flags: 'wx', mode: number) => Promise<number>
const write = promisify(fs.write) as (file: number, bytes: Uint8Array) => Promise<{ bytesWritten: number }>
const [sync, close] = [promisify(fs.fdatasync), promisify(fs.close)]

/**
 * Writes a file that is not there yet, for the server's user alone; returns its size in bytes. With `isDurable` it is
 * on the disk before. What fails may leave a part of it.
 */
async function writeNew(path: string, content: Uint8Array | Readable, isDurable: boolean): Promise<number> {
  if (!isDurable && !(content instanceof Readable)) return writeAtOnce(path, content)
  const file = await openNew(path, 'wx', 0o600)
  try {
    let numBytes = 0
    for await (const chunk of content instanceof Readable ? content : [content]) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
      for (let left = bytes; left.length > 0;) left = left.subarray((await write(file, left)).bytesWritten)
      numBytes += bytes.length
    }
    if (isDurable) await sync(file)
    return numBytes
  } finally {
    await close(file)
  }
}

/** Pictures come by the hundred: a promise for all three system calls together. */
function writeAtOnce(path: string, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.open(path, 'wx', 0o600, (refused, file) => {
      if (refused) return reject(refused)
      const end = (failed: Error | null): void =>
        fs.close(file, (lost) => {
          const error = failed ?? lost
          if (error) reject(error)
          else resolve(bytes.length)
        })
      const writeFrom = (at: number): void =>
        fs.write(file, bytes, at, (failed, written) =>
          failed || at + written === bytes.length ? end(failed) : writeFrom(at + written),
        )
      writeFrom(0)
    })
  })
}

/**
 * Pictures come anew every few seconds: the last ones before a power cut may be lost. What a user uploaded or
 * waited for is on the disk before it is acknowledged.
 */
const FLEETING: ReadonlySet<string> = new Set<Container>(['tsd-pics'])
/** Unfinished files lie here, on the same disk: to find those of a crash takes no walk through millions. */
const PARTS = '.part'
/** An unfinished file that nobody wrote to for so long is nobody's. */
const STALE_MS = 3_600_000
const SWEEP_MS = 3_600_000

/** Of Node's two ways to the same system call the cheaper one. */
const rename = promisify(fs.rename)

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))
const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))

/** Keeps files below `root`, for the server's user alone (0700, 0600). Raises what keeps it from writing there. */
export const openFolderFiles = (root: string): Promise<Files> => openFolder(root, CONTAINERS)

/** The same with other containers. */
export async function openFolder<C extends string>(
  root: string,
  containers: readonly C[],
): Promise<Files<C>> {
  await makeFolders(root, containers)
  let sweep = sweepParts(root, containers)
  const sweeping = setInterval(() => void (sweep = sweepParts(root, containers)), SWEEP_MS).unref()
  const pathOf = ({ container, path }: MediaRef<C>) => join(root, container, checkPath(path))

  return {
    async put(ref, content) {
      const target = pathOf(ref)
      const part = join(root, ref.container, PARTS, randomBytes(12).toString('hex'))
      const isDurable = !FLEETING.has(ref.container)
      try {
        const numBytes = await writeNew(part, content, isDurable)
        await moveInto(part, target, isDurable)
        return numBytes
      } catch (error) {
        if (content instanceof Readable) content.destroy()
        await rm(part, { force: true }).catch(() => undefined)
        return orDiskFull(root)(error)
      }
    },
    async get(ref, range) {
      const file = await openFile(pathOf(ref))
      return (
        file?.createReadStream({ start: range?.start ?? 0, ...(range ? { end: range.end } : {}) }) ?? null
      )
    },
    async stat(ref) {
      const found = await stat(pathOf(ref)).catch(orMissing)
      return found?.isFile() ? { numBytes: found.size, modifiedAt: found.mtime } : null
    },
    async remove(ref) {
      await unlink(pathOf(ref)).catch(orMissing)
    },
    async removeAll(container, folder) {
      await rm(pathOf({ container, path: checkFolder(folder) }), { recursive: true, force: true })
    },
    list: (container, folder) => list(join(root, container), checkFolder(folder)),
    async close() {
      clearInterval(sweeping)
      await sweep
    },
  }
}

async function makeFolders(root: string, containers: readonly string[]): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const container of containers) {
    const parts = join(root, container, PARTS)
    await mkdir(parts, { recursive: true, mode: 0o700 }).catch(orDiskFull(root))
    for (const folder of [join(root, container), parts])
      await access(folder, fs.constants.W_OK | fs.constants.X_OK)
  }
}

function orMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

const orDiskFull =
  (root: string) =>
  (error: unknown): never => {
    throw isFull(error) ? new DiskFull(root, { cause: error }) : error
  }

/** Renames; makes the folder when it isn't there (or just went away), and lets the disk know of all of it. */
async function moveInto(part: string, target: string, isDurable: boolean): Promise<void> {
  const folder = dirname(target)
  let made: string | undefined
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(part, target)
      break
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === 3) throw error
      made = (await mkdir(folder, { recursive: true, mode: 0o700 })) ?? made
    }
  }
  if (!isDurable) return
  const highest = made === undefined ? folder : dirname(made)
  for (let path = folder; ; path = dirname(path)) {
    await syncFolder(path)
    if (path === highest) return
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openFile(path: string): Promise<FileHandle | null> {
  const file = await open(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW).catch(orMissing)
  if (file === null || (await file.stat()).isFile()) return file
  await file.close()
  return null
}

async function* list(container: string, folder: string): AsyncIterable<string> {
  const entries: fs.Dir | null = await opendir(join(container, folder)).catch(orMissing)
  if (entries === null) return
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = relative(container, join(container, folder, entry.name))
    if (entry.isDirectory()) yield* list(container, path)
    else if (entry.isFile()) yield path
  }
}

/** Removes what a crash left unfinished; another process's upload that still grows stays. */
async function sweepParts(root: string, containers: readonly string[]): Promise<void> {
  for (const container of containers) {
    const parts = join(root, container, PARTS)
    for (const name of await readdir(parts).catch(() => [])) {
      const path = join(parts, name)
      const found = await stat(path).catch(() => null)
      if (found && Date.now() - found.mtimeMs > STALE_MS)
        await rm(path, { force: true }).catch(() => undefined)
    }
  }
}
