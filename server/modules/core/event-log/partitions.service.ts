import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import {
  deleteExpiredDecisions,
  deleteFrames,
  dropIfEmpty,
  ensurePartitions,
  findExpiredFrames,
  findOldPartitions,
} from './events.queries.ts'

const DAY_MS = 86_400_000
const BATCH = 500

/**
 * Makes the coming months' partitions; frames of ended prints older than FRAME_RETENTION_DAYS go with their
 * files, their decisions too, and months that are empty by then are dropped. A running print keeps all.
 */
export async function expireFrames(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const now = ctx.clock.now()
  const before = new Date(now - ctx.config.FRAME_RETENTION_DAYS * DAY_MS)
  await ensurePartitions(ctx.db, new Date(now))
  for (;;) {
    if (signal.aborted) return
    const frames = await findExpiredFrames(ctx.db, before, BATCH)
    if (frames.length === 0) break
    for (const frame of frames) await removeFiles(ctx, [frame.picture, frame.tagged])
    await deleteFrames(ctx.db, frames)
  }
  while (!signal.aborted && (await deleteExpiredDecisions(ctx.db, before, BATCH * 10)) > 0);
  for (const partition of await findOldPartitions(ctx.db, before)) await dropIfEmpty(ctx.db, partition)
}

async function removeFiles(ctx: Ctx, refs: readonly (MediaRef | null)[]): Promise<void> {
  for (const ref of refs) if (ref !== null) await ctx.files.remove(ref)
}
