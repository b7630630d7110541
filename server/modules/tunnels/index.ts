import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { registerCarry } from './carry/carry.service.ts'
import { registerDoors } from './doors/doors.start.ts'
import { registerGrants } from './grants/grants.start.ts'
import { tunnelRoutes } from './tunnels.routes.ts'
import { viewerPages } from './viewer.pages.ts'

export { carry } from './carry/carry.service.ts'
export { TunnelFailed, type TunnelTrouble } from './carry/port.ts'

/** The tunnel to a printer's own page (README.md beside this file). */
export async function registerTunnels(app: FastifyInstance, ctx: Ctx): Promise<void> {
  await registerGrants(app, ctx)
  registerCarry(ctx)
  registerDoors(app, ctx)
  tunnelRoutes(app, ctx)
  viewerPages(app, ctx)
}
