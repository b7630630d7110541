import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { FOLLOW_PAUSE, followPause } from '../alerts/pause.service.ts'
import { forgetCamera, keepViews } from '../looking/views.service.ts'
import { snapshotRoutes } from '../snapshots/snapshots.routes.ts'
import { forgetRhythm } from '../snapshots/rhythm.service.ts'
import { allLookedAt } from '../snapshots/snapshots.service.ts'
import { noteSpace } from '../watching/trouble.service.ts'

export { acknowledge, mute, notePausedBy } from '../alerts/answers.service.ts'
export { presentAlert } from '../alerts/outlook.service.ts'
export { sawPause } from '../alerts/pause.service.ts'
export { type AlertSight, findAlertSights } from '../alerts/sights.queries.ts'
export { judge } from '../deciding/again.rules.ts'
export { findHeat } from '../deciding/heat.queries.ts'
export { DRAWN_ABOVE, toneOfRecord } from '../deciding/temporal.rules.ts'
export {
  afterResume,
  findLearnt,
  forgetLearned,
  learntUnder,
  rememberedOf,
  resetPrediction,
  resetPredictions,
} from '../deciding/prediction.service.ts'
export { lookOf, storedHeatOf, type StoredLook } from '../deciding/stored-look.rules.ts'
export { sharesOf, unseenOf } from '../watching/share.service.ts'
export { noteGap, noteUnwatched, type WatchChange } from '../watching/unwatched.queries.ts'
export { keepLatest } from '../watching/picture.service.ts'
export { PICTURE_MS } from '../watching/interval.rules.ts'
export { judgeFilm } from '../looking/film.service.ts'
export { cleanPicture } from '../snapshots/clean.service.ts'
export { predict } from '../snapshots/predict.service.ts'
export { allLookedAt } from '../snapshots/snapshots.service.ts'
export { noteDatabase } from '../watching/trouble.service.ts'
export {
  isPrinterLost,
  pushShouldWatch,
  shouldWatchOf,
  watchOf,
  type WatchFacts,
} from '../watching/watching.service.ts'

/** A server that stops waits for so long for what is being judged. */
const LAST_MS = 1_000

/** Snapshots in, decisions out. */
export function registerDetection(app: FastifyInstance, ctx: Ctx): void {
  noteSpace(ctx, app.space)
  snapshotRoutes(app, ctx)
  ctx.jobs.handle(FOLLOW_PAUSE, (data) => followPause(ctx, data))
  ctx.events.on('print.started', ({ printerId }) => forgetRhythm(ctx, printerId))
  ctx.events.on('print.ended', ({ printerId }) => {
    forgetRhythm(ctx, printerId)
    void keepViews(ctx, [printerId])
  })
  ctx.events.on('printer.deleted', ({ printerId, why }) => {
    if (why === 'deleted') void forgetCamera(ctx, printerId)
  })
  app.addHook('onClose', async () => {
    // A pause that is on its way is sent and written down.
    await Promise.race([allLookedAt(), sleep(LAST_MS, undefined, { ref: false })])
    await keepViews(ctx)
  })
}
