import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { readGCodeAside } from '../../../engines/gcode/index.ts'
import { thumbnailPng } from '../../../engines/inference/reencode.ts'
import { AppError } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { Metadata } from '../../../lib/gcode/metadata.ts'
import type { Embedded } from '../../../lib/gcode/thumbnails.ts'
import { isText } from '../records/names.rules.ts'

/** Slicers say what they know in the beginning and at the end; the rest is followed for its moves, and never in memory. */
const HEAD_BYTES = 2 * 1_048_576
const TAIL_BYTES = 1_048_576
/** Moves of a longer file are not followed: that would take longer than who uploads should wait. */
const MOST_FOLLOWED_BYTES = 64 * 1_048_576
const MOST_THUMBNAILS = 3

/** What a stored file says of itself. */
export interface Content {
  readonly metadata: Metadata
  /** PNG pictures, the largest first. */
  readonly pictures: readonly Uint8Array[]
}

/** 400 with one text, as clients of uploads know it. */
export const fileRefused = (status: 400 | 413, key: string, params: Record<string, string> = {}) =>
  new AppError(status, { error: text('gcode-files-server', key, params) })

/** Reads what a stored file says. Raises 400 when it is no text; what cannot be understood is left out. */
export async function readContent(
  ctx: Pick<Ctx, 'files' | 'log'>,
  ref: MediaRef,
  numBytes: number,
): Promise<Content> {
  // What is hardly longer is one part: no line lies in two.
  const isShort = numBytes <= HEAD_BYTES + TAIL_BYTES
  const head = await part(ctx, ref, 0, isShort ? numBytes : HEAD_BYTES)
  const tail = await part(ctx, ref, isShort ? numBytes : numBytes - TAIL_BYTES, numBytes)
  if (!isText(head) || !isText(tail)) throw fileRefused(400, 'notGCode')
  const open = numBytes > MOST_FOLLOWED_BYTES ? null : () => opened(ctx, ref, 0, numBytes)
  const { metadata, embedded } = await readGCodeAside({ head, tail, open }).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'a G-code file was not read')
    return { metadata: { slicer: 'unknown' }, embedded: [] }
  })
  return { metadata, pictures: await picturesOf(ctx, embedded) }
}

type Files = Pick<Ctx, 'files'>

async function part(ctx: Files, ref: MediaRef, start: number, end: number): Promise<Buffer> {
  return end <= start ? Buffer.alloc(0) : await buffer(await opened(ctx, ref, start, end))
}

async function opened({ files }: Files, ref: MediaRef, start: number, end: number): Promise<Readable> {
  const stream = await files.get(ref, { start, end: end - 1 })
  if (stream === null) throw new Error('What was just stored is not there.')
  return stream
}

/** The pictures of a file, each made anew by a worker; a damaged one is left out. */
async function picturesOf({ log }: Pick<Ctx, 'log'>, embedded: readonly Embedded[]): Promise<Uint8Array[]> {
  const made: Uint8Array[] = []
  for (const one of embedded) {
    try {
      made.push(await thumbnailPng(one))
    } catch (error) {
      log.debug({ err: error }, 'a picture in a G-code file cannot be read')
    }
  }
  return made.toSorted((a, b) => b.length - a.length).slice(0, MOST_THUMBNAILS)
}
