import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { registerCarry } from '../carry/carry.service.ts'
import type { Credentials } from '../../../http/authenticate.ts'
import { registerDoors } from '../doors/doors.start.ts'
import { appPrincipal } from '../origins/pass.service.ts'
import { registerGrants } from '../grants/grants.start.ts'
import { tunnelRoutes } from './tunnels.routes.ts'
import { viewerPages } from './viewer.pages.ts'

export { carry } from '../carry/carry.service.ts'
export { TunnelFailed, type TunnelTrouble } from '../wire/port.ts'

export { tunnelRevoked } from '../grants/ends.ts'
export { serveVideo } from '../doors/video.door.ts'

/** How `authenticate()` finds the app behind the password of a tunnel. */
export function tunnelCredentials(ctx: Ctx): Required<Pick<Credentials, 'tunnel'>> {
  return { tunnel: (authorization, address) => appPrincipal(ctx, authorization, address) }
}

/** The tunnel to a printer's own page (README.md beside this file). */
export async function registerTunnels(app: FastifyInstance, ctx: Ctx): Promise<void> {
  await registerGrants(app, ctx)
  registerCarry(ctx)
  registerDoors(app, ctx)
  tunnelRoutes(app, ctx)
  viewerPages(app, ctx)
}
