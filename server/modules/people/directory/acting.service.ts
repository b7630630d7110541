import * as contract from '@vigil/contract/people/directory.ts'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { conflict, forbidden } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { Admin } from '../accounts/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { announceEnd } from '../sessions/sessions.ts'
import { beginActing, endActing } from '../sessions/sessions.queries.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import { requirePerson } from './directory.service.ts'

const say = (key: string) => text('admin-server', key)
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * From now on an administrator's session is somebody else's, for thirty minutes (docs/rules/people.md 17). Raises 403 until it was shown
 * who asks; 409 for administrators, accounts that are closed, and who acts as somebody already.
 */
export async function actAs(
  ctx: Ctx,
  { admin, principal }: { readonly admin: Admin; readonly principal: UserPrincipal },
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<{ until: string }> {
  await requireProof(ctx, principal)
  const { sessionId } = principal
  if (sessionId === null) throw forbidden()
  const row = await requirePerson(ctx, admin, id)
  if (row.isStaff) throw conflict(say('noStaff'))
  if (!row.isActive) throw conflict(say('notOpen'))
  const now = ctx.clock.now()
  const until = new Date(now + contract.ACTING_MINUTES * 60_000)
  await ctx.db.transaction().execute(async (db) => {
    const begun = await beginActing(db, { id: sessionId, userId: row.id, now: new Date(now), until })
    if (!begun) throw conflict(say('actsAlready'))
    const act = { staffId: admin.userId, userId: row.id, action: 'impersonation_begun' }
    await auditBoth({ ...ctx, db }, { ...act, detail: { about: reason } })
  })
  // What is open in this browser is the administrator's own: it closes, and is opened anew.
  announceEnd(ctx, [sessionId])
  return { until: until.toISOString() }
}

/** An administrator is themselves again. */
export async function stopActing(ctx: Ctx, { sessionId, staffId, userId }: UserPrincipal): Promise<void> {
  if (sessionId === null || staffId === undefined) return
  const hasEnded = await ctx.db.transaction().execute(async (db) => {
    if (!(await endActing(db, sessionId))) return false
    await auditBoth({ ...ctx, db }, { staffId, userId, action: 'impersonation_ended' })
    return true
  })
  if (hasEnded) announceEnd(ctx, [sessionId])
}

/** Whatever an administrator changes as somebody else stands in the log of both: which call it was, and what came of it. */
export async function noteActed(ctx: Ctx, request: FastifyRequest, status: number): Promise<void> {
  const { principal, method, routeOptions } = request
  if (principal?.kind !== 'user' || principal.staffId === undefined || READS.has(method)) return
  if (routeOptions.url?.startsWith(contract.stopActing.path.slice(0, -1))) return
  await auditBoth(ctx, {
    staffId: principal.staffId,
    userId: principal.userId,
    action: 'acted',
    outcome: status < 400 ? 'done' : 'refused',
    detail: { about: `${method} ${routeOptions.url ?? ''}` },
  })
}
