import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { profileRoutes } from './profiles.routes.ts'

export { presentMachine, presentPreset } from './profiles.routes.ts'
export { nameOf, readProfiles, requireSliceable, slicerName } from './profiles.service.ts'

/** Which printers, filaments and processes the slicer has profiles of; what somebody slices with. */
export function registerProfiles(app: FastifyInstance, ctx: Ctx): void {
  profileRoutes(app, ctx)
}
