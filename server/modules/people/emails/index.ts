import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { emailRoutes } from './emails.routes.ts'
import { deleteLinks } from './links.queries.ts'

export { markVerified } from './emails.queries.ts'
export { confirmPrimary } from './emails.service.ts'
export { endLinks, linksSince, type LinkRow, useLink } from './links.queries.ts'
export { linkOf, makeLink } from './links.service.ts'
export { addressesOf, mailAddressesOf, tellAccount, tellAlways, timeFor } from './news.service.ts'

/** Addresses of users, the links that go to them, and what has run out of them. */
export function registerEmails(app: FastifyInstance, ctx: Ctx): void {
  emailRoutes(app, ctx)
  ctx.jobs.schedule('mail-links', '29 3 * * *', () => deleteLinks(ctx.db, new Date(ctx.clock.now())))
}
