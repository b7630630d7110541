import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { PRINT_ENDED } from '../prints/index.ts'
import { keepUp } from './due.service.ts'
import { makeTimelapse } from './make.service.ts'
import { governStorage } from '../retention/governor.service.ts'
import { archiveOld, expireFrames, removeDeleted } from '../retention/retention.service.ts'
import { uploadRoutes } from '../uploads/uploads.routes.ts'
import { timelapseRoutes } from './timelapse.routes.ts'

export { findFrames as framesOf, type StoredFrame } from '../films/frames.queries.ts'
export { setKept } from '../retention/retention.queries.ts'
export { scoresOf, type StoredScore } from '../films/scores.service.ts'

/** What becomes of a print's pictures when it is over: films, figures, what is kept of them and for how long. */
export function registerTimelapse(app: FastifyInstance, ctx: Ctx): void {
  timelapseRoutes(app, ctx)
  uploadRoutes(app, ctx)
  ctx.jobs.handle(PRINT_ENDED, ({ printId }, signal) => makeTimelapse(ctx, printId, signal))
  ctx.jobs.schedule('timelapse-due', '* * * * *', () => keepUp(ctx))
  ctx.jobs.schedule('timelapse-deleted', '*/10 * * * *', (signal) => removeDeleted(ctx, signal))
  ctx.jobs.schedule('storage-governor', '*/10 * * * *', (signal) => governStorage(ctx, signal))
  ctx.jobs.schedule('timelapse-retention', '47 3 * * *', async (signal) => {
    await archiveOld(ctx, signal)
    await expireFrames(ctx, signal)
  })
}
