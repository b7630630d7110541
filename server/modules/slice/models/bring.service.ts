import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { takeRoom } from '../../../http/room.ts'
import { keep } from '../../../http/upload.ts'
import type { UserId } from '../../../lib/id.ts'
import type { ModelRow } from './models.queries.ts'
import { placeOfMesh, recordModel } from './models.service.ts'

/** Keeps a file that holds a mesh as a model of somebody's, as if they had uploaded it. Raises what `recordModel` raises, 413 without room. */
export async function bringMesh(
  ctx: Ctx,
  door: Pick<FastifyInstance, 'space'>,
  userId: UserId,
  { filename, bytes }: { readonly filename: string; readonly bytes: Buffer },
): Promise<ModelRow> {
  const place = placeOfMesh(userId)
  const owner = `models:${userId}`
  const room = await takeRoom(ctx, door, { ...place, id: crypto.randomUUID(), owner, numBytes: bytes.length })
  try {
    return await keep(ctx.files, place.ref, async () => {
      await ctx.files.put(place.ref, Readable.from([bytes], { objectMode: false }))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return await recordModel(ctx, userId, { ref: place.ref, filename, numBytes: bytes.length, sha256 })
    })
  } finally {
    await room.release()
  }
}
