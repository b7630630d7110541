import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { detectionRoutes } from './snapshots/snapshots.routes.ts'
import { allJudged, forgetLook } from './snapshots/snapshots.service.ts'
import { FOLLOW_PAUSE, followPause } from './alerts/pause.service.ts'
import { forgetCamera, keepViews } from './looking/views.service.ts'

export { acknowledge, afterResume, mute, pushShouldWatch, resetPrediction } from './alerts/answers.service.ts'
export { allJudged, cleanPicture } from './snapshots/snapshots.service.ts'
export { sawPause } from './alerts/pause.service.ts'
export { predict } from './snapshots/predict.service.ts'
export { presentAlert } from './alerts/outlook.service.ts'
export { type AlertSight, findAlertSights, findHeat } from './deciding/sights.queries.ts'
export { shouldWatchOf, watchOf, type WatchFacts } from './watch/watch.service.ts'

/** A server that stops waits for so long for what is being judged. */
const LAST_MS = 1_000

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
  app.addHook('onClose', async () => {
    // A pause that is on its way is sent and written down.
    await Promise.race([allJudged(), sleep(LAST_MS, undefined, { ref: false })])
    await keepViews(ctx)
  })
}
