import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { shareSockets } from './share.sockets.ts'
import { ownerRoutes, viewerRoutes } from './sharing.routes.ts'

/** Share links: made by owners, followed by whoever has one (api-contract 8.1; issue 5, part 6). */
export function registerSharing(app: FastifyInstance, ctx: Ctx): void {
  ownerRoutes(app, ctx)
  viewerRoutes(app, ctx)
  shareSockets(app, ctx)
}
