import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { endForgotten, expireLayers } from './expire.service.ts'
import { byServer } from '../../core/access/index.ts'
import { extRoutes } from '../nozzle-camera/ext.routes.ts'
import { firstLayerRoutes } from './first-layer.routes.ts'
import { takeWebcamPicture } from '../nozzle-camera/nozzle.service.ts'
import { FILM_LAYER, filmFirstLayer } from '../nozzle-camera/film.service.ts'
import { JUDGE_LAYER, judge } from '../nozzle-camera/judge.service.ts'

export { layersOfPrints } from './layers.service.ts'

/** First layers as nozzle cameras see them: kept, judged when done, shown and answered (docs/detector.md; beta). */
export function registerFirstLayer(app: FastifyInstance, ctx: Ctx): void {
  extRoutes(app, ctx)
  firstLayerRoutes(app, ctx)
  ctx.events.on('picture.nozzle', ({ printerId, bytes }) => {
    takeWebcamPicture(ctx, byServer(printerId), bytes).catch((error: unknown) => {
      ctx.log.warn({ err: error, printerId }, 'a nozzle picture could not be kept')
    })
  })
  ctx.jobs.handle(JUDGE_LAYER, ({ inspectionId }, signal) => judge(ctx, inspectionId, signal))
  ctx.jobs.handle(FILM_LAYER, ({ inspectionId }, signal) => filmFirstLayer(ctx, inspectionId, signal))
  ctx.jobs.schedule('first-layer-forgotten', '*/10 * * * *', () => endForgotten(ctx))
  ctx.jobs.schedule('first-layer-expiry', '31 3 * * *', (signal) => expireLayers(ctx, signal))
}
