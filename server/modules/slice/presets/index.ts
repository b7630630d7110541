import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { presetRoutes } from './presets.routes.ts'

/** What people have saved to slice with (docs/rules/slice.md 6). */
export function registerPresets(app: FastifyInstance, ctx: Ctx): void {
  presetRoutes(app, ctx)
}
