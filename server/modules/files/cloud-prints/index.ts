import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { cloudPrintRoutes } from './cloud-prints.routes.ts'
import { contentRoutes } from './content.service.ts'
import { followCloudPrints } from './follow.service.ts'

export { reasonText } from './cloud-prints.present.ts'
export type { CloudPrintRow } from './cloud-prints.queries.ts'
export type { CloudPrintAnswer, CloudPrintWish } from './cloud-prints.service.ts'
/** @public The queue and slicers print by it. */
export { startCloudPrint } from './cloud-prints.service.ts'

/** Files of the cloud on their way into prints: handed to agents, followed to the first layer. */
export function registerCloudPrints(app: FastifyInstance, ctx: Ctx): void {
  cloudPrintRoutes(app, ctx)
  contentRoutes(app, ctx)
  followCloudPrints(app, ctx)
}
