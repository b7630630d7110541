import type * as contract from '@vigil/contract/people/household.ts'
import type { Ctx } from '../../../ctx.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { byAddress, spendOnFailure } from '../../../http/limits.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { nameOf } from '../../../lib/person.ts'
import { hashOf } from '../../../lib/signing.ts'
import { requireSharing } from '../accounts/index.ts'
import { tellAccount } from '../emails/index.ts'
import { auditHousehold } from './audit.service.ts'
import { householdNews } from './household.mails.ts'
import { someOf } from './household.present.ts'
import * as queries from './household.queries.ts'
import { aboutOf, personName, tellPrinters } from './household.service.ts'

const UNKNOWN = { name: 'invitation', tries: 20, windowMs: 600_000, grows: true } as const
const say = (key: string) => text('household-server', key)

/** An open invitation by the word in its link. Raises 404 for an unknown one, 429 for too many of these from an address. */
async function requireInvitation(ctx: Ctx, key: string, address: string) {
  const now = new Date(ctx.clock.now())
  const row = await spendOnFailure(ctx, byAddress(UNKNOWN, address), async () => {
    return (await queries.findInvitation(ctx.db, hashOf(key), now)) ?? null
  })
  if (row === null) throw notFound()
  return row
}

/** What an invitation offers. */
export async function showInvitation(ctx: Ctx, key: string, address: string): Promise<contract.Invitation> {
  const { ownerEmail, ...row } = await requireInvitation(ctx, key, address)
  const printers = someOf(await queries.findPrintersOf(ctx.db, row.ownerId), row.printerIds)
  return {
    from: nameOf({ ...row, email: ownerEmail }),
    role: row.role,
    printers: printers && printers.map(({ name }) => name),
  }
}

/**
 * Takes an invitation up. Raises 404 for one that has ended, 400 for one's own, 403 where its account may not share any more, 409 for
 * whom the account has let in already.
 */
export async function accept(
  ctx: Ctx,
  principal: UserPrincipal,
  key: string,
  address: string,
): Promise<contract.Household> {
  const row = await requireInvitation(ctx, key, address)
  if (row.ownerId === principal.userId) throw invalid({ key: say('isOwn') })
  await requireSharing(ctx, row.ownerId)
  const now = new Date(ctx.clock.now())
  const name = await personName(ctx, principal.userId)
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    await lockList(db, 'householdOfUser', row.ownerId)
    if (!(await queries.takeUp(db, { id: row.id, memberId: principal.userId, now })))
      throw conflict(say('isMember'))
    await auditHousehold(inside, principal, row.ownerId, {
      action: 'joined',
      about: row.email,
      role: row.role,
    })
    await tellOwner(inside, row.ownerId, { what: 'joined', name, key: `joined:${row.id}` })
  })
  await tellPrinters(ctx, row.ownerId, principal.userId)
  const household = (await listHouseholds(ctx, principal)).find(({ id }) => id === row.ownerId)
  if (household === undefined) throw notFound()
  return household
}

async function tellOwner(
  ctx: Ctx,
  userId: UserId,
  { what, name, key }: { what: 'joined' | 'left'; name: string; key: string },
): Promise<void> {
  const data = { what, name, account: await personName(ctx, userId) }
  await tellAccount(ctx, { userId, template: householdNews, key: `household-${key}`, data: () => data })
}

/** Shuts a member out or takes an invitation back, as an owner; or leaves. Raises 404 where it is neither. */
export async function removeMember(
  ctx: Ctx,
  principal: UserPrincipal,
  { account, id }: { account: number; id: number },
): Promise<void> {
  const mine = (await queries.findOfMember(ctx.db, principal.userId)).find(
    (one) => one.id === id && one.ownerId === account,
  )
  const ruled = mine ? undefined : await queries.findRuled(ctx.db, principal, account)
  const ownerId = mine?.ownerId ?? ruled?.id
  if (ownerId === undefined) throw notFound()
  const memberId = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    const row = await queries.findMember(db, ownerId, id)
    if (row === undefined) throw notFound()
    await queries.deleteMember(db, row.id)
    const action = mine ? 'left' : row.memberId === null ? 'uninvited' : 'removed'
    await auditHousehold(inside, principal, ownerId, { action, about: aboutOf(row) })
    const key = `${action}:${row.id}`
    if (mine)
      await tellOwner(inside, ownerId, {
        what: 'left',
        name: await personName(inside, principal.userId),
        key,
      })
    else if (row.memberId !== null) {
      const data = { what: 'removed', name: '', account: await personName(inside, ownerId) } as const
      await tellAccount(inside, {
        userId: row.memberId,
        template: householdNews,
        key: `household-${key}`,
        data: () => data,
      })
    }
    return row.memberId
  })
  await tellPrinters(ctx, ownerId, memberId)
}

/** The caller's own account, and those that let them in. */
export async function listHouseholds(ctx: Ctx, { userId }: UserPrincipal): Promise<contract.Household[]> {
  const own = {
    id: userId,
    name: await personName(ctx, userId),
    role: null,
    member_id: null,
    printers: await queries.findPrintersOf(ctx.db, userId),
  }
  const rows = await queries.findOfMember(ctx.db, userId)
  const others = rows.map(async (row): Promise<contract.Household> => {
    const printers = await queries.findPrintersOf(ctx.db, row.ownerId)
    return {
      id: row.ownerId,
      name: nameOf(row),
      role: row.role,
      member_id: row.id,
      printers: someOf(printers, row.printerIds) ?? printers,
    }
  })
  return [own, ...(await Promise.all(others))]
}
