import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { runSlice, SLICE, sweepSlices } from './run.service.ts'
import { slicingRoutes } from './slicing.routes.ts'

export { CHAT_SLICED } from './run.service.ts'

/** Meshes become G-code files of their owners (docs/rules/slice.md 6). */
export function registerSlicing(app: FastifyInstance, ctx: Ctx): void {
  slicingRoutes(app, ctx)
  ctx.jobs.handle(SLICE, ({ userId }, signal) => runSlice(ctx, app, userId, signal))
  ctx.jobs.schedule('slice-sweep', '* * * * *', () => sweepSlices(ctx))
}
