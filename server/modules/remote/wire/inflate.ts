import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createInflate, inflate } from 'node:zlib'
import { TunnelFailed } from './port.ts'
import type { Reply } from './reply.rules.ts'

/** Of what is compressed, up to here it is unpacked at once, into as much as this. */
const SMALL = 262_144
const SMALL_UNPACKED = 1_048_576
/** More than that no page has; a bomb is a thousand times as large as what carries it. */
const MOST = 1_073_741_824
const PIECE = 65_536

const inflateAll = promisify(inflate)

/** The body of a reply, and how long it is where that is known before. */
export interface Body {
  readonly body: AsyncIterable<Uint8Array>
  readonly length?: number
}

/** As `Body`, in the bytes that the agent sent. */
export interface PackedBody extends Body {
  readonly length: number
  readonly packing: 'deflate'
}

/**
 * The body as the agent packed it, for a browser that unpacks it; null where it has to be unpacked here: it is not packed, a part of a file (a
 * `Content-Range` counts bytes of the file), or does not even begin as zlib's does.
 */
export function packedBodyOf({
  status,
  isCompressed,
  content,
}: Pick<Reply, 'status' | 'isCompressed' | 'content'>): PackedBody | null {
  if (!isCompressed || status !== 200 || !isZlib(content)) return null
  return { body: pieces(content), length: content.length, packing: 'deflate' }
}

/** The first two bytes say deflate, in a window that anybody has, without a dictionary, and check themselves (RFC 1950, 2.2). */
const isZlib = (content: Buffer) =>
  content.length > 2 &&
  (content.readUInt8(0) & 0x8f) === 0x08 &&
  (content.readUInt8(1) & 0x20) === 0 &&
  content.readUInt16BE(0) % 31 === 0

/** The body as the printer's page gave it: unpacked as it is read, in bounded memory. Raises `TunnelFailed` when it is broken. */
export async function bodyOf({
  isCompressed,
  content,
}: Pick<Reply, 'isCompressed' | 'content'>): Promise<Body> {
  if (!isCompressed) return { body: pieces(content), length: content.length }
  if (content.length <= SMALL) {
    const whole = await inflateAll(content, { maxOutputLength: SMALL_UNPACKED }).catch((error: unknown) => {
      if (error instanceof RangeError) return null
      throw new TunnelFailed('agent', { cause: error })
    })
    if (whole !== null) return { body: pieces(whole), length: whole.length }
  }
  return { body: unpacked(content) }
}

async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE)
}

async function* unpacked(content: Buffer): AsyncGenerator<Uint8Array> {
  const out = Readable.from(pieces(content)).pipe(createInflate({ chunkSize: PIECE }))
  let size = 0
  try {
    for await (const each of out) {
      const piece: Buffer = each
      size += piece.length
      if (size > MOST) throw new TunnelFailed('agent')
      yield piece
    }
  } catch (error) {
    throw error instanceof TunnelFailed ? error : new TunnelFailed('agent', { cause: error })
  } finally {
    out.destroy()
  }
}
