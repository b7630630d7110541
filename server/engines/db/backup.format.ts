/**
 * A backup file: a line of magic, a line of JSON (so that `head -n 2` tells what it is), frames through zstd, and
 * the SHA-256 of all that. A frame is one byte of kind, four of length, and that many bytes: `D` rows in PostgreSQL's
 * COPY text format, `E` the end of a table as JSON.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { CannotBackUp } from './backup.catalog.ts'
import { textOf } from '../../lib/thrown.ts'

const MAGIC = 'vigil backup 1\n'
const HASH_BYTES = 32
const LONGEST_HEADER = 4 * 1024 * 1024
const LONGEST_FRAME = 1024 * 1024
const READ_BYTES = 256 * 1024
/** Rows of text become a tenth or a fiftieth; what unpacks to more than this is no backup of ours. */
const MOST_TIMES = 1_000
/** Whatever the file's size: a small one may be all but empty tables. */
const ALWAYS_BYTES = 64 * 1024 * 1024

const headerShape = z.object({
  version: z.string(),
  at: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()).min(1),
  months: z.array(z.iso.date()).max(1_200),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.string().regex(/^\d+$/) })),
})
const endShape = z.object({ table: z.string(), rows: z.int().min(0) })

/** What the file says about itself before its rows. */
export type BackupHeader = z.infer<typeof headerShape>

/** A frame as it is read. */
export type Frame = { readonly rows: Buffer } | { readonly end: z.infer<typeof endShape> }

/** The two lines before the compressed part. */
export const headerBytes = (header: BackupHeader): Buffer =>
  Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`)

/** Frames of rows, none longer than a reader takes. */
export function* rowFrames(rows: Buffer): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += LONGEST_FRAME)
    yield frame('D', rows.subarray(at, at + LONGEST_FRAME))
}

/** The frame after the last rows of a table. */
export const endFrame = (table: string, rows: number): Buffer =>
  frame('E', Buffer.from(JSON.stringify({ table, rows })))

function frame(kind: 'D' | 'E', payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(5 + payload.length)
  bytes.write(kind, 0, 'latin1')
  bytes.writeUInt32BE(payload.length, 1)
  payload.copy(bytes, 5)
  return bytes
}

/**
 * Opens a backup to be read. Raises `CannotBackUp` for what is no ordinary file: a pipe would be waited for, and a
 * device has no end.
 */
export async function openBackup(path: string): Promise<FileHandle> {
  try {
    if (!(await stat(path)).isFile())
      throw new CannotBackUp(`${path} is no ordinary file. Copy the backup into one, and name that.`)
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof CannotBackUp) throw error
    throw new CannotBackUp(`The backup cannot be opened: ${textOf(error)}.`, { cause: error })
  }
}

/** Reads the file once from end to end and returns its header. Raises `CannotBackUp` when a byte is wrong. */
export async function verify(file: FileHandle): Promise<{ header: BackupHeader; bodyStart: number }> {
  const { size } = await file.stat()
  const start = await head(file, size)
  const hash = createHash('sha256')
  for await (const chunk of part(file, 0, size - HASH_BYTES)) hash.update(chunk)
  const kept = Buffer.alloc(HASH_BYTES)
  await file.read(kept, 0, HASH_BYTES, size - HASH_BYTES)
  if (!hash.digest().equals(kept)) {
    throw new CannotBackUp(
      'This backup is damaged: it is cut short or was changed (its SHA-256 does not fit).',
    )
  }
  const parsed = headerShape.safeParse(parseJson(start.header))
  if (!parsed.success) throw new CannotBackUp('This backup is damaged: its header cannot be read.')
  return { header: parsed.data, bodyStart: start.end }
}

async function head(file: FileHandle, size: number): Promise<{ header: string; end: number }> {
  const buffer = Buffer.alloc(Math.min(size, LONGEST_HEADER))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
  const bytes = buffer.subarray(0, bytesRead)
  if (!bytes.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC))) {
    const isOurs = bytes.subarray(0, 13).equals(Buffer.from('vigil backup '))
    throw new CannotBackUp(
      isOurs
        ? 'This backup was made by a newer version of Vigil. Install that version.'
        : 'This file is not a backup of Vigil.',
    )
  }
  const end = bytes.indexOf('\n', MAGIC.length)
  if (end < 0 || end + 1 > size - HASH_BYTES)
    throw new CannotBackUp('This backup is damaged: it is cut short.')
  return { header: bytes.toString('utf8', MAGIC.length, end), end: end + 1 }
}

async function* part(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, to - at))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) throw new CannotBackUp('This backup is damaged: it is cut short.')
    yield chunk.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** The frames after the header, as long as they hold no more than `room` bytes and than their size allows. */
export async function* readFrames(
  file: FileHandle,
  bodyStart: number,
  room = Infinity,
): AsyncGenerator<Frame> {
  const { size } = await file.stat()
  const watch = watchSize(size - bodyStart, room)
  const source = Readable.from(part(file, bodyStart, size - HASH_BYTES))
  const plain = pipeline(source, createZstdDecompress(), () => undefined)
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of unpacked(plain)) {
    watch(chunk.length)
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length >= 5) {
      const length = pending.readUInt32BE(1)
      if (length > LONGEST_FRAME) throw new CannotBackUp('This backup is damaged: a part of it is too long.')
      if (pending.length < 5 + length) break
      yield readFrame(pending.toString('latin1', 0, 1), pending.subarray(5, 5 + length))
      pending = pending.subarray(5 + length)
    }
  }
  if (pending.length > 0) throw new CannotBackUp('This backup is damaged: it is cut short.')
}

async function* unpacked(plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* plain
  } catch (error) {
    if (error instanceof CannotBackUp) throw error
    throw new CannotBackUp(`This backup is damaged: it cannot be unpacked (${textOf(error)}).`, {
      cause: error,
    })
  }
}

function watchSize(packed: number, room: number): (bytes: number) => void {
  let bytes = 0
  return (more) => {
    bytes += more
    if (bytes > ALWAYS_BYTES && bytes > packed * MOST_TIMES) {
      throw new CannotBackUp(
        `This backup unpacks to more than ${MOST_TIMES} times its size: it is damaged, or made to fill the disk. ` +
          'Nothing was changed.',
      )
    }
    if (bytes > room) {
      throw new CannotBackUp(
        'There is not enough room for the rows of this backup. Make room, or set VIGIL_DATA to a folder on a larger ' +
          'disk. Nothing was changed.',
      )
    }
  }
}

function readFrame(kind: string, payload: Buffer): Frame {
  if (kind === 'D') return { rows: payload }
  const end = kind === 'E' ? endShape.safeParse(parseJson(payload.toString('utf8'))) : null
  if (!end?.success) throw new CannotBackUp('This backup is damaged: a part of it cannot be read.')
  return { end: end.data }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
