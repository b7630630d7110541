import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { pictureBlocks } from '../../../engines/slicer/pictures.ts'
import { takeRoom } from '../../../http/room.ts'
import { keep } from '../../../http/upload.ts'
import type { FileId, UserId } from '../../../lib/id.ts'
import { placeOf, recordFile } from '../../files/gcode-files/index.ts'

/** A G-code file that was sliced. */
interface Made {
  readonly path: string
  readonly name: string
  readonly thumbnail: MediaRef | null
  /** In the transaction that writes the file's row. */
  readonly within: (tx: Db, id: FileId) => Promise<void>
}

/** Puts what was sliced among its owner's files, with its picture. Raises 413 when there is no room for it. */
export async function storeGCode(
  ctx: Ctx,
  door: Pick<FastifyInstance, 'space'>,
  userId: UserId,
  { path, name, thumbnail, within }: Made,
): Promise<void> {
  const place = await placeOf(ctx, userId)
  const pictures = await picturesFor(ctx, thumbnail)
  const numBytes = (await stat(path)).size + pictures.length
  const owner = `slice:${userId}`
  const room = await takeRoom(ctx, door, { ...place, id: randomUUID(), owner, numBytes })
  try {
    if (numBytes > room.maxBytes) throw room.tooLarge
    const hash = createHash('sha256')
    const content = withPictures(path, pictures, (part) => void hash.update(part))
    await keep(ctx.files, place.ref, async () => {
      await ctx.files.put(place.ref, Readable.from(content, { objectMode: false }))
      const stored = { ref: place.ref, filename: name, numBytes, sha256: hash.digest('hex') }
      await recordFile(ctx, userId, stored, { filename: name }, (tx, { id }) => within(tx, id))
    })
  } finally {
    await room.release()
  }
}

/** Its pictures stand below the first line, which says who made it. */
async function* withPictures(path: string, pictures: Buffer, onPart: (part: Buffer) => void) {
  let isBelow = false
  const whole: AsyncIterable<Buffer> = createReadStream(path)
  for await (const part of whole) {
    const end: number = isBelow ? 0 : part.indexOf(10) + 1
    const parts: Buffer[] = end === 0 ? [part] : [part.subarray(0, end), pictures, part.subarray(end)]
    isBelow ||= end > 0
    for (const one of parts) {
      onPart(one)
      yield one
    }
  }
}

/** As slicers write them; none when the picture cannot be read. */
async function picturesFor({ files, log }: Ctx, ref: MediaRef | null): Promise<Buffer> {
  const bytes = ref && (await files.get(ref))
  if (!bytes) return Buffer.alloc(0)
  try {
    return await pictureBlocks(await buffer(bytes))
  } catch (error) {
    log.debug({ err: error }, 'a picture of what is sliced cannot be read')
    return Buffer.alloc(0)
  }
}
