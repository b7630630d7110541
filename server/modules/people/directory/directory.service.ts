import type * as contract from '@vigil/contract/people/directory.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import type { Ctx } from '../../../ctx.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { nameOf } from '../../../lib/person.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { isUnlimited } from '../../shop/hours/index.ts'
import { type Admin, setPlan } from '../accounts/index.ts'
import { askReset } from '../factors/resets.service.ts'
import { closeLines } from '../leaving/index.ts'
import { meansOf, requireProof } from '../proof/proof.service.ts'
import { announceEnd, forgetKnown } from '../sessions/sessions.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import { changeUser, deleteSessions } from '../users/users.queries.ts'
import * as queries from './directory.queries.ts'

const say = (key: string) => text('admin-server', key)

const present = (row: queries.PersonRow): contract.Person => ({
  id: row.id,
  email: row.email,
  name: nameOf(row),
  brand: row.brand,
  is_active: row.isActive,
  is_staff: row.isStaff,
  is_leaving: Boolean(row.isLeaving),
  plan: row.isPro ? 'pro' : 'free',
  printers: row.printers ?? 0,
  created_at: row.createdAt.toISOString(),
  last_active_at: row.lastActiveAt?.toISOString() ?? null,
})

/** People who have an account. */
export async function listPeople(ctx: Ctx, admin: Admin, wish: Parsed<typeof contract.listPeople, 'query'>) {
  const [rows, count] = await Promise.all([
    queries.findPeople(ctx.db, admin, wish),
    queries.countPeople(ctx.db, admin, wish),
  ])
  return { count, people: rows.map(present) }
}

/** Whom an administrator names. Raises 404. */
export async function requirePerson(ctx: Ctx, admin: Admin, id: number): Promise<queries.WholeRow> {
  const row = await queries.findPerson(ctx.db, admin, id)
  if (row === undefined) throw notFound()
  return row
}

/** One of them whole. Raises 404. */
export async function showPerson(ctx: Ctx, admin: Admin, id: number): Promise<contract.WholePerson> {
  const row = await requirePerson(ctx, admin, id)
  const [{ factors }, stored, safety] = await Promise.all([
    meansOf(ctx, row.id),
    queries.findStored(ctx.db, row.id),
    queries.findSafety(ctx.db, row.id, new Date(ctx.clock.now())),
  ])
  const limit = entitlementsOf(ctx, row).gCodeStorageBytes
  return {
    ...present(row),
    factors: [...factors],
    reset_due_at: safety.resetDueAt?.toISOString() ?? null,
    is_reset_asked: Boolean(safety.isResetAsked),
    sessions: safety.sessions ?? 0,
    mobile_app_canary: row.mobileAppCanary,
    hours: row.dhBalance,
    are_hours_unlimited: isUnlimited(ctx, row),
    stored,
    storage_limit: Number.isFinite(limit) ? limit : null,
  }
}

interface Wish {
  readonly id: number
  readonly change: Parsed<typeof contract.changePerson, 'body'>
}

/**
 * Disables an account or opens it again, gives it a plan or early features. Raises 403 until it was shown who asks, 400 for one's own
 * account, and 409 for one that is about to go.
 */
export async function changePerson(
  ctx: Ctx,
  { admin, principal }: { readonly admin: Admin; readonly principal: UserPrincipal },
  { id, change }: Wish,
): Promise<contract.WholePerson> {
  await requireProof(ctx, principal)
  const row = await requirePerson(ctx, admin, id)
  const { is_active: isActive, plan, mobile_app_canary: isEarly } = change
  const act = { staffId: admin.userId, userId: row.id }
  if (isActive !== undefined && isActive !== row.isActive) {
    if (row.id === admin.userId) throw invalid({ is_active: say('notYourself') })
    await (isActive ? enable(ctx, act) : disable(ctx, act))
  }
  if (plan !== undefined && plan !== present(row).plan) {
    await setPlan(ctx, { email: row.email, plan, brand: row.brand })
    await auditBoth(ctx, { ...act, action: 'plan_changed', detail: { plan } })
  }
  if (isEarly !== undefined && isEarly !== row.mobileAppCanary) {
    await changeUser(ctx.db, row.id, { mobileAppCanary: isEarly }, new Date(ctx.clock.now()))
    await auditBoth(ctx, { ...act, action: 'early_features', detail: { on: isEarly } })
  }
  return await showPerson(ctx, admin, id)
}

interface Act {
  readonly staffId: UserId
  readonly userId: UserId
}

/** As when its owner goes (docs/rules/people.md 13), but that everything stays. */
async function disable(ctx: Ctx, act: Act): Promise<void> {
  const ended = await ctx.db.transaction().execute(async (db) => {
    if (!(await queries.setActive(db, act.userId, false, new Date(ctx.clock.now()))))
      throw conflict(say('isLeaving'))
    await auditBoth({ ...ctx, db }, { ...act, action: 'disabled' })
    return await deleteSessions(db, { userId: act.userId })
  })
  announceEnd(ctx, ended)
  await closeLines(ctx, act.userId)
}

async function enable(ctx: Ctx, act: Act): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    if (!(await queries.setActive(db, act.userId, true, new Date(ctx.clock.now()))))
      throw conflict(say('isLeaving'))
    await auditBoth({ ...ctx, db }, { ...act, action: 'enabled' })
  })
  forgetKnown(ctx)
}

/** Has somebody's second factors removed in a day, unless they object. Raises 403 until it was shown who asks, 409 where there are none. */
export async function resetFactors(
  ctx: Ctx,
  { admin, principal }: { readonly admin: Admin; readonly principal: UserPrincipal },
  id: number,
): Promise<contract.WholePerson> {
  await requireProof(ctx, principal)
  const row = await requirePerson(ctx, admin, id)
  // Their own by `./vigil user factors` on the machine alone: who has found an open browser must not get rid of them.
  if (row.id === admin.userId) throw conflict(say('ownFactors'))
  if ((await meansOf(ctx, row.id)).factors.length === 0) throw conflict(say('noFactors'))
  if (await askReset(ctx, row.id))
    await auditBoth(ctx, { staffId: admin.userId, userId: row.id, action: 'factors_reset_asked' })
  return await showPerson(ctx, admin, id)
}
