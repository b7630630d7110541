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
