import { browserName } from '@vigil/contract/browser.ts'
import * as contract from '@vigil/contract/people/sessions.ts'
import type { FastifyInstance } from 'fastify'
import type { Id, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { browserOf } from '../../../http/session-cookie.ts'
import { writeAudit } from '../../core/events/index.ts'
import { deleteSessions } from '../users/users.queries.ts'
import { forgetBrowsers } from './browsers.queries.ts'
import { deleteOwnSession, findSessions } from './sessions.queries.ts'
import { announceEnd } from './sessions.ts'

/** Where somebody is signed in, and how they sign out there (docs/rules/people.md 2). */
export function sessionRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listSessions, async ({ principal: { userId, sessionId } }) => {
    const rows = await findSessions(ctx.db, userId, new Date(ctx.clock.now()))
    const shown = rows.map((row) => ({
      id: row.id,
      current: row.id === sessionId,
      browser: browserName(row.agent),
      address: row.address,
      created_at: row.createdAt.toISOString(),
      last_used_at: row.usedAt.toISOString(),
    }))
    return shown.toSorted((a, b) => Number(b.current) - Number(a.current))
  })
  route(app, contract.endSession, async ({ principal: { userId }, params }) => {
    const id = await deleteOwnSession(ctx.db, userId, params.id)
    if (id === undefined) throw notFound()
    await end(ctx, userId, [id])
    return null
  })
  route(app, contract.endOtherSessions, async ({ principal: { userId, sessionId }, request }) => {
    await forgetBrowsers(ctx.db, userId, browserOf(request).token)
    const others = sessionId === null ? {} : { except: sessionId }
    await end(ctx, userId, await deleteSessions(ctx.db, { userId, ...others }))
    return null
  })
}

async function end(ctx: Ctx, userId: UserId, ids: readonly Id<'sessions'>[]): Promise<void> {
  announceEnd(ctx, ids)
  const detail = { sessions: ids.length }
  const about = { userId, printerId: null, printId: null, action: 'sessions_ended', outcome: 'done' } as const
  await writeAudit(ctx, { actor: `user:${userId}`, ...about, detail })
}
