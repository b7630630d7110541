import type { Ctx } from '../../../ctx.ts'
import { PRINT_ENDED } from '../prints/index.ts'
import { hasFfmpeg } from './make.service.ts'
import { findDue } from '../films/timelapse.queries.ts'

const BATCH = 100

/**
 * Has made what is due: what failed and is to be tried again, what somebody began who has gone, and, once there is an
 * ffmpeg, the videos of prints that ended without.
 */
export async function keepUp(ctx: Ctx): Promise<void> {
  const now = new Date(ctx.clock.now())
  const due = await findDue(ctx.db, now, ['waiting', 'working'], BATCH)
  const waiting = await findDue(ctx.db, now, ['no_ffmpeg'], BATCH)
  if (waiting.length > 0 && (await hasFfmpeg(ctx))) due.push(...waiting)
  for (const { printId, userId: owner } of due)
    await ctx.jobs.enqueue(ctx.db, PRINT_ENDED, { printId }, { singletonKey: `${printId}`, owner })
}
