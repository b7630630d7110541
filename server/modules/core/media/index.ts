import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { mediaRoutes } from './media.routes.ts'

export { storedContent } from './media.routes.ts'
export { columnUrl, mediaUrl } from './media.present.ts'
export { addressPeriod } from './media.rules.ts'

/** Serves stored pictures, time-lapses and G-code by signed addresses. */
export async function registerMedia(app: FastifyInstance, ctx: Ctx): Promise<void> {
  mediaRoutes(app, ctx)
}
