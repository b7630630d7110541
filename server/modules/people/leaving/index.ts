import * as contract from '@vigil/contract/people/leaving.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { forbidden } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { clearSessionCookie } from '../../../http/session-cookie.ts'
import { stream } from '../../../http/stream.ts'
import { hasSubscription } from '../../shop/subscriptions/index.ts'
import { findHome } from '../mail/index.ts'
import { findUser } from '../users/users.queries.ts'
import { ERASE, erase, eraseDue } from './erase.service.ts'
import { askExport, EXPORT, exportContent, present, removeOldExports, runExport } from './export.service.ts'
import { findExport } from './exports.queries.ts'
import { runningPrints } from './leaving.queries.ts'
import { leave, stayByLink } from './leaving.service.ts'

export { closeLines, keepAccount } from './leaving.service.ts'

/** An account goes, with all that is its owner's, and what they take with them (docs/rules/people.md 13, 14). */
export function registerLeaving(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.leaving, async ({ principal }) => {
    const user = await findUser(ctx.db, principal.userId)
    if (user === undefined) throw forbidden()
    const row = await findExport(ctx.db, user.id)
    return {
      has_subscription: await hasSubscription(ctx, user.id),
      is_mailed: ctx.mail.isConfigured && (await findHome(ctx)) !== null,
      printing: await runningPrints(ctx.db, user.id),
      archive: row === undefined ? null : present(row, principal),
    }
  })
  route(app, contract.deleteAccount, async ({ principal, body, edge, reply }) => {
    await leave(ctx, principal, body)
    clearSessionCookie(reply, edge)
    return null
  })
  route(app, contract.keepAccount, async ({ body, edge }) => {
    await stayByLink(ctx, body.link, edge)
    return null
  })
  route(app, contract.makeArchive, ({ principal }) => askExport(ctx, principal))
  stream(app, { path: contract.ARCHIVE_FILE, callers: ['session'] }, ({ principal }) =>
    exportContent(ctx, principal),
  )
  ctx.jobs.handle(ERASE, ({ userId }, signal) => erase(ctx, userId, signal))
  ctx.jobs.handle(EXPORT, ({ userId }, signal) => runExport(ctx, userId, signal))
  ctx.jobs.schedule('accounts-leave', '*/10 * * * *', async () => {
    await eraseDue(ctx)
    await removeOldExports(ctx)
  })
}
