import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { modelRoutes } from './models.routes.ts'

export type { ModelRow } from './models.queries.ts'
export { presentModel } from './models.routes.ts'
export { bringMesh } from './bring.service.ts'
export { openModel } from './models.service.ts'

/** Meshes that people have brought, to be sliced. */
export function registerModels(app: FastifyInstance, ctx: Ctx): void {
  modelRoutes(app, ctx)
}
