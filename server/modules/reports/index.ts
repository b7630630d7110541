import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { reportRoutes } from './reports.routes.ts'

export { awaitFacts, type Beginning } from './facts.service.ts'
export { allLettersTaken, LetterQueue } from './queue.ts'
export { readStatusMessage } from './report.rules.ts'
export { agentPrinterOf } from './reports.service.ts'
export { hideStatus, showStatus, type Taken } from './statuses.service.ts'

/** What agents tell of their printers: the HTTP calls. */
export function registerReports(app: FastifyInstance, ctx: Ctx): void {
  reportRoutes(app, ctx)
}
