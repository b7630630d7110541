import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { deleteLayer, emptyLayer, findDeletedLayers, findOldLayers } from './expire.queries.ts'
import { findForgotten, findInspection } from '../nozzle-camera/layers.queries.ts'
import { closeLayer, folderOf } from '../nozzle-camera/nozzle.service.ts'

const DAY_MS = 86_400_000
/** Its pictures and figures, and its film. */
const CONTAINERS = ['tsd-pics', 'tsd-timelapses'] as const
/** A nozzle camera that is silent so long has seen its first layer, whether the agent said so or not. */
const SILENT_MS = 30 * 60_000

/** Ends first layers whose end nobody told, and has judged what a broken detector left. */
export async function endForgotten(ctx: Ctx): Promise<void> {
  for (const { id } of await findForgotten(ctx.db, new Date(ctx.clock.now() - SILENT_MS))) {
    await inTransaction(ctx.db, async (tx) => {
      const inspection = await findInspection(tx, id)
      if (inspection !== undefined) await closeLayer({ ...ctx, db: tx }, inspection)
    })
  }
}

/**
 * Pictures of first layers go after FRAME_RETENTION_DAYS, like frames, and leave the score; those of a deleted
 * print go whole. Files whose rows went with a printer or an account go by the sweep of all that is stored.
 */
export async function expireLayers(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.clock.now() - ctx.config.FRAME_RETENTION_DAYS * DAY_MS)
  const sweeps = [
    { find: () => findDeletedLayers(ctx.db), drop: deleteLayer },
    { find: () => findOldLayers(ctx.db, before), drop: emptyLayer },
  ]
  for (const { find, drop } of sweeps) {
    for (let layers = await find(); layers.length > 0 && !signal.aborted; layers = await find()) {
      for (const { id, printerId } of layers) {
        if (printerId !== null) await removeFiles(ctx, folderOf(printerId, id))
        await drop(ctx.db, id)
      }
    }
  }
}

async function removeFiles(ctx: Ctx, folder: string): Promise<void> {
  for (const container of CONTAINERS) await ctx.files.removeAll(container, folder)
}
