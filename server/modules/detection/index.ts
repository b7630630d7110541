import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { detectionRoutes } from './detection.routes.ts'
import { forgetLook } from './intake.service.ts'
import { FOLLOW_PAUSE, followPause } from './pause.service.ts'
import { forgetCamera, keepViews } from './views.service.ts'

export { acknowledge, afterResume, mute, pushShouldWatch, resetPrediction } from './answers.service.ts'
export { cleanPicture } from './intake.service.ts'
export { sawPause } from './pause.service.ts'
export { predict } from './predict.service.ts'
export { presentAlert } from './outlook.service.ts'
export { type AlertSight, findAlertSights, findHeat } from './sights.queries.ts'
export { shouldWatchOf, watchOf, type WatchFacts } from './watch.service.ts'

/** Snapshots in, decisions out. */
export function registerDetection(app: FastifyInstance, ctx: Ctx): void {
  detectionRoutes(app, ctx)
  ctx.jobs.handle(FOLLOW_PAUSE, (data) => followPause(ctx, data))
  ctx.events.on('print.started', ({ printerId }) => forgetLook(printerId))
  ctx.events.on('print.ended', ({ printerId }) => {
    forgetLook(printerId)
    void keepViews(ctx, [printerId])
  })
  ctx.events.on('printer.deleted', ({ printerId, why }) => {
    if (why === 'deleted') void forgetCamera(ctx, printerId)
  })
  app.addHook('onClose', () => keepViews(ctx))
}
