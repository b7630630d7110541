import * as fs from 'node:fs'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

/** Of Node's two ways to the same system calls these cost half as much. */
const openNew = promisify(fs.open) as (path: string, flags: 'wx', mode: number) => Promise<number>
const write = promisify(fs.write) as (file: number, bytes: Uint8Array) => Promise<{ bytesWritten: number }>
const [sync, close] = [promisify(fs.fdatasync), promisify(fs.close)]

/**
 * Writes a file that is not there yet, for the server's user alone; returns its size in bytes. With `isDurable` it is
 * on the disk before. What fails may leave a part of it.
 */
export async function writeNew(
  path: string,
  content: Uint8Array | Readable,
  isDurable: boolean,
): Promise<number> {
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
