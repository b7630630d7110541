import { randomInt } from 'node:crypto'
import type { Id, PrinterId, PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { batched } from '../../../lib/batch.ts'
import type { PictureRef } from '../../core/presence/index.ts'
import { showPicture } from '../watching/picture.service.ts'
import { findAllWatched, type Watched } from '../watching/watched.queries.ts'
import type { Picture } from './clean.service.ts'
import { insertFrames } from './frames.queries.ts'
import { keptBy } from '../../../lib/of-server.ts'
import { codeOf } from '../../../lib/thrown.ts'

/** Pictures that come at once share a statement: hundreds a second cost a few dozen. */
const MAX_ROUND = 200
/** Agents open a connection for each picture, so that hardly two come in the same turn; nobody sees a picture a few milliseconds later. */
const GATHER_MS = 5
/** Of a batch of frames, one may name a print that has just gone; or two nodes may lock prints crosswise. */
const isOneFrames = (error: unknown) => /^(?:22|23|40P01)/.test(codeOf(error))

/** Reading and writing of this database in rounds. */
const tableOf = keptBy((db: Ctx['db']) => ({
  find: batched((printerIds: readonly PrinterId[]) => findAllWatched(db, printerIds), {
    atMost: MAX_ROUND,
    gatherMs: GATHER_MS,
    isOneItems: () => false,
  }),
  insert: batched(
    (frames: readonly Parameters<typeof insertFrames>[1][number][]) => insertFrames(db, frames),
    {
      atMost: MAX_ROUND,
      gatherMs: GATHER_MS,
      isOneItems: isOneFrames,
    },
  ),
}))

/** What a snapshot needs to know of its printer; undefined when it is gone. */
export async function watchedOf(ctx: Ctx, printerId: PrinterId): Promise<Watched | undefined> {
  return await tableOf(ctx.db).find(printerId)
}

const folderOf = (printerId: PrinterId, printId: PrintId) => `raw/${printerId}/${printId}/`

/** Stores a frame of the running print and shows it. `isFirst`: the picture before it was none of this print. */
export async function storeFrame(
  ctx: Ctx,
  { printerId, printId }: { printerId: PrinterId; printId: PrintId },
  picture: Picture,
  at: number,
): Promise<{ raw: PictureRef; frameId: Id<'frames'>; isFirst: boolean }> {
  // Names sort by time, and two pictures of one millisecond do not meet.
  const name = `${(at / 1000).toFixed(3)}-${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`
  const raw = { container: 'tsd-pics', path: `${folderOf(printerId, printId)}${name}.jpg` } as const
  const numBytes = await ctx.files.put(raw, picture.bytes)
  const { width, height } = picture
  const frameId = await tableOf(ctx.db).insert({
    printerId,
    printId,
    picture: JSON.stringify(raw),
    numBytes,
    width,
    height,
    createdAt: new Date(at),
  })
  const before = await showPicture(ctx, printerId, { raw, at })
  return { raw, frameId, isFirst: !before?.raw?.path.startsWith(folderOf(printerId, printId)) }
}
