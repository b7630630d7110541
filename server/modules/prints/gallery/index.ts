import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { publish, PUBLISH, REMOVE_COPIES, removeCopies, removeStrayCopies } from './copies.service.ts'
import { moderationRoutes, offerRoutes, publicRoutes } from './gallery.routes.ts'
import { followChanges } from './shelf.ts'

/** The public gallery: offered by owners, accepted by an administrator, seen by everybody, withdrawn at any time. */
export function registerGallery(app: FastifyInstance, ctx: Ctx): void {
  offerRoutes(app, ctx)
  moderationRoutes(app, ctx)
  publicRoutes(app, ctx)
  ctx.jobs.handle(PUBLISH, ({ id }, signal) => publish(ctx, id, signal))
  ctx.jobs.handle(REMOVE_COPIES, ({ key }) => removeCopies(ctx, key))
  ctx.jobs.schedule('gallery-strays', '47 3 * * *', (signal) => removeStrayCopies(ctx, signal))
  let stopFollowing: (() => void) | undefined
  app.addHook('onReady', async () => {
    stopFollowing = await followChanges(ctx)
  })
  app.addHook('onClose', () => stopFollowing?.())
}
