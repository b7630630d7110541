import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { replayRoutes } from './replay.routes.ts'
import { RUN, runReplay, sweepReplays } from './run.service.ts'

/** The replay lab: a print judged again, over stored scores at once, over stored pictures by a job that yields to all others. */
export function registerReplay(app: FastifyInstance, ctx: Ctx): void {
  replayRoutes(app, ctx)
  ctx.jobs.handle(RUN, ({ printId }, signal) => runReplay(ctx, printId, signal))
  ctx.jobs.schedule('replay-sweep', '52 3 * * *', (signal) => sweepReplays(ctx, signal))
}
