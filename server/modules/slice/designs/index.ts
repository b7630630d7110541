import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { designRoutes } from './designs.routes.ts'

/** A catalogue of designs to print (docs/rules/slice.md 8). */
export function registerDesigns(app: FastifyInstance, ctx: Ctx): void {
  designRoutes(app, ctx)
}
