import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { shareSockets } from './share.sockets.ts'
import { ownerRoutes, viewerRoutes } from './sharing.routes.ts'

export { LinkWatch } from './link-watch.ts'
export { followLink } from '../share-links/share-access.service.ts'
export type { ShownLink } from '../share-links/share-links.queries.ts'

/** Share links: made by owners, followed by whoever has one (docs/rules/remote.md 1; docs/rules/remote.md). */
export function registerSharing(app: FastifyInstance, ctx: Ctx): void {
  ownerRoutes(app, ctx)
  viewerRoutes(app, ctx)
  shareSockets(app, ctx)
}
