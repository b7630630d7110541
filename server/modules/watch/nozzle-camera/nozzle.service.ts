import { createHash } from 'node:crypto'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { Id, PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { Authorized } from '../../core/access/index.ts'
import { readStatus } from '../../core/presence/index.ts'
import { cleanPicture } from '../detection/index.ts'
import {
  findCurrentLayer,
  insertImage,
  lockUnfinished,
  openInspection,
  updateInspection,
} from './layers.queries.ts'
import { gapAfter } from './layers.rules.ts'
import { JUDGE_LAYER } from './judge.service.ts'

/** Where the files of an inspection are: they go together. */
export const folderOf = (printerId: PrinterId, inspectionId: Id<'firstLayerInspections'>) =>
  `first_layer/${printerId}/${inspectionId}`

/**
 * Keeps a nozzle camera's picture for the first layer of the print that runs (docs/wire/agents.md 3.5). Not kept are
 * those that come too fast, twice, without a print, or after the layer was done. Raises 400 for no picture.
 */
export async function takeNozzlePicture(
  ctx: Ctx,
  { id: printerId }: Authorized<'control'>,
  bytes: Buffer,
): Promise<void> {
  const picture = await cleanPicture(bytes)
  const layer = await findCurrentLayer(ctx.db, printerId)
  if (layer === undefined || layer.doneAt !== null) return
  const at = ctx.clock.now()
  if (layer.lastPictureAt && at - layer.lastPictureAt.getTime() < gapAfter(layer.pictures ?? 0)) return
  const inspectionId = layer.inspectionId ?? (await openInspection(ctx.db, layer.printId))
  const hash = createHash('sha256').update(picture.bytes).digest('hex').slice(0, 32)
  // Named by its content: the same picture again is the same file.
  const ref: MediaRef = { container: 'tsd-pics', path: `${folderOf(printerId, inspectionId)}/${hash}.jpg` }
  await ctx.files.put(ref, picture.bytes)
  await inTransaction(ctx.db, async (tx) => {
    const open = await lockUnfinished(tx, printerId)
    if (!open.some(({ id }) => id === inspectionId)) return
    await insertImage(tx, { inspectionId, picture: JSON.stringify(ref), hash, takenAt: new Date(at) })
  })
}

/**
 * The same for a nozzle camera that is posted beside the webcam, all print long (docs/api.md): only while
 * the agent says that the first layer is being printed.
 */
export async function takeWebcamPicture(
  ctx: Ctx,
  printer: Authorized<'control'>,
  bytes: Buffer,
): Promise<void> {
  const layer = statusOf(await readStatus(ctx, printer.id))?.layer
  if (layer === 0 || layer === 1) await takeNozzlePicture(ctx, printer, bytes)
}

/** The first layer is complete: no picture is added to it any more, and it is judged. Again: nothing. */
export async function endLayer(ctx: Ctx, { id: printerId }: Authorized<'control'>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    for (const layer of await lockUnfinished(tx, printerId)) await closeLayer({ ...ctx, db: tx }, layer)
  })
}

/** Ends an inspection and has it judged, in the caller's transaction. */
export async function closeLayer(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock'>,
  { id, userId }: { readonly id: Id<'firstLayerInspections'>; readonly userId: UserId },
): Promise<void> {
  await updateInspection(ctx.db, id, { doneAt: new Date(ctx.clock.now()) })
  await ctx.jobs.enqueue(
    ctx.db,
    JUDGE_LAYER,
    { inspectionId: id },
    { singletonKey: String(id), owner: userId },
  )
}
