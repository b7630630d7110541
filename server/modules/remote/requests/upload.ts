import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../../../ctx.ts'
import { reasonOf, TunnelFailed } from '../wire/port.ts'

/** A body that waits to be sent: in memory when it is small, else in a file that nobody else can find. */
export interface Kept {
  readonly length: number
  /** All of it, when it is small; null: it comes by `parts`. */
  readonly whole: Buffer | null
  /** At the pace at which they are taken; they grow where that is fast. */
  parts(): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** Bodies up to here go to the agent in one piece, and never lie on the disk. */
export const SMALL = 65_536
/** Of a message in parts; agents put larger messages together in a time that grows with the square of the number of parts. */
const FIRST_PART = 262_144
const LARGEST_PART = 1_048_576
const FAST_MS = 100
/** A browser that sends nothing for so long has gone. */
const SILENT_MS = 60_000

/**
 * Takes a body in before anything is said to the agent: while it is sent to the agent nothing else is, so it must not be at the pace of a
 * browser. Raises `TunnelFailed` when it is not as long as it says, or there is no room; or the signal's reason.
 */
export async function keepBody(
  { config }: Pick<Ctx, 'config'>,
  body: AsyncIterable<Uint8Array>,
  length: number,
  signal: AbortSignal,
): Promise<Kept> {
  if (length <= SMALL) {
    const parts: Uint8Array[] = []
    for await (const part of exactly(body, length, signal)) parts.push(part)
    return {
      length,
      whole: Buffer.concat(parts, length),
      parts: async function* () {},
      close: async () => {},
    }
  }
  const file = await openUnseen(join(config.dataFolder, 'tunnel'))
  try {
    for await (const part of inLarge(exactly(body, length, signal))) await file.appendFile(part)
  } catch (error) {
    await file.close()
    throw noRoom(error) ? new TunnelFailed('busy', { cause: error }) : error
  }
  return { length, whole: null, parts: () => partsOf(file, length), close: () => file.close() }
}

/** The same bytes in fewer pieces, of `least` bytes and more: each costs a call of the system, or a frame to another node. */
export async function* inLarge(
  parts: AsyncIterable<Uint8Array>,
  least = LARGEST_PART,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    gathered.push(part)
    if (size < least) continue
    yield Buffer.concat(gathered, size)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered, size)
}

const noRoom = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** A file without a name: it goes with the process, whatever happens. */
async function openUnseen(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** The body, as long as it said it would be. */
async function* exactly(
  body: AsyncIterable<Uint8Array>,
  length: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]()
  let left = length
  try {
    for (;;) {
      const { done, value } = await soon(source.next(), signal)
      if (done) break
      left -= value.length
      if (left < 0) throw new TunnelFailed('tooLarge')
      yield value
    }
    if (left > 0) throw new TunnelFailed('lost')
  } finally {
    // Not waited for: one that is silent would never answer.
    source.return?.().catch(() => undefined)
  }
}

async function soon<T>(next: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TunnelFailed('timeout')), SILENT_MS)
  const onAbort = () => reject(reasonOf(signal))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([next, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

async function* partsOf(file: FileHandle, length: number): AsyncGenerator<Buffer> {
  let size = FIRST_PART
  for (let at = 0; at < length;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(size, length - at)), {
      position: at,
    })
    if (bytesRead === 0) throw new TunnelFailed('lost')
    at += bytesRead
    const began = performance.now()
    yield buffer.subarray(0, bytesRead)
    if (performance.now() - began < FAST_MS) size = Math.min(2 * size, LARGEST_PART)
  }
}
