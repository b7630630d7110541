import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { onFrame } from '../../core/agents/index.ts'
import { reportRoutes } from './reports.routes.ts'
import { openStatuses } from './statuses.receiver.ts'

export { allStatusesTaken } from '../statuses/queue.ts'

/** What agents tell of their printers: by HTTP, and as statuses on their lines. */
export function registerReports(app: FastifyInstance, ctx: Ctx): void {
  reportRoutes(app, ctx)
  onFrame(ctx, 'status', openStatuses)
}
