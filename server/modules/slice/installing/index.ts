import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { installingRoutes } from './installing.routes.ts'
import { INSTALL, runInstallation } from './installing.service.ts'

/** The slicer comes by one click of an administrator (docs/rules/slice.md 6). */
export function registerInstalling(app: FastifyInstance, ctx: Ctx): void {
  installingRoutes(app, ctx)
  ctx.jobs.handle(INSTALL, (_, signal) => runInstallation(ctx, signal))
}
