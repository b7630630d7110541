import type * as contract from '@vigil/contract/people/household.ts'
import type { Ctx } from '../../../ctx.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { forbidden, invalid, notFound } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import { newLinkId } from '../../../lib/keyring.ts'
import { nameOf } from '../../../lib/person.ts'
import { hashOf } from '../../../lib/signing.ts'
import { tell } from '../../core/presence/index.ts'
import { requireSharing, userById } from '../accounts/index.ts'
import { linkToken, requireMail, sendMail } from '../mail/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { auditHousehold } from './audit.service.ts'
import { invitationMail } from './household.mails.ts'
import { presentMember } from './household.present.ts'
import * as queries from './household.queries.ts'
import type { MemberRow, Ruled } from './household.queries.ts'

const DAY_MS = 24 * 3_600_000
/** An invitation works for as long. */
const INVITED_MS = 7 * DAY_MS
/** Members and invitations of one account. */
const MOST_MEMBERS = 50
const INVITE = { name: 'household-invite', tries: 20, windowMs: 3_600_000 } as const

const say = (key: string, params?: Record<string, string>) => text('household-server', key, params)

/** The account whose household the caller rules. Raises 404 for any other: it simply is not there. */
export async function requireRule(ctx: Ctx, principal: UserPrincipal, account: number): Promise<Ruled> {
  const ruled = await queries.findRuled(ctx.db, principal, account)
  if (ruled === undefined) throw notFound()
  return ruled
}

/** The account itself, if somebody runs its household still; null for any other. */
export const ruledBy = async (
  { db }: Pick<Ctx, 'db'>,
  principal: UserPrincipal,
  account: UserId,
): Promise<UserId | null> => (await queries.findRuled(db, principal, account))?.id ?? null

/** Whom an account has let in or invited. */
export async function listMembers(
  ctx: Ctx,
  principal: UserPrincipal,
  account: number,
): Promise<contract.Member[]> {
  const { id } = await requireRule(ctx, principal, account)
  const printers = await queries.findPrintersOf(ctx.db, id)
  return (await queries.findMembers(ctx.db, id)).map((row) => presentMember(row, printers, principal.userId))
}

/** All printers, or those of the account that are named. Raises 400 where one is not the account's, and for owners: these have all. */
async function printersOf(
  ctx: Ctx,
  ownerId: UserId,
  { role, printer_ids: wanted }: { role: contract.HouseholdRole; printer_ids: readonly number[] | null },
): Promise<PrinterId[] | null> {
  if (wanted === null) return null
  if (role === 'owner') throw invalid({ printer_ids: say('ownersHaveAll') })
  const own = await queries.findPrintersOf(ctx.db, ownerId)
  const found = own.filter(({ id }) => wanted.includes(id)).map(({ id }) => id)
  if (found.length < new Set(wanted).size) throw invalid({ printer_ids: say('noPrinter') })
  return found
}

/**
 * Invites somebody by mail. Raises 403 for an account that may not share, 503 where no mail can be sent, 400 for an address that is
 * the account's own, in already or invited already, and 429 for too many in an hour.
 */
export async function invite(
  ctx: Ctx,
  principal: UserPrincipal,
  account: number,
  wish: { email: string; role: contract.HouseholdRole; printer_ids: number[] | null },
): Promise<contract.Member> {
  const ruled = await requireRule(ctx, principal, account)
  await requireProof(ctx, principal)
  await requireSharing(ctx, ruled.id)
  await requireMail(ctx)
  if (wish.email.toLowerCase() === ruled.email.toLowerCase()) throw invalid({ email: say('isOwn') })
  await spend(ctx, { limit: INVITE, who: `user:${ruled.id}` })
  const printerIds = await printersOf(ctx, ruled.id, wish)
  const linkId = newLinkId(ctx.config)
  const now = ctx.clock.now()
  const id = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    await lockList(db, 'householdOfUser', ruled.id)
    const members = await queries.findMembers(db, ruled.id)
    if (members.length >= MOST_MEMBERS) throw invalid({ email: say('tooMany', { most: `${MOST_MEMBERS}` }) })
    if (members.some(({ memberEmail }) => memberEmail?.toLowerCase() === wish.email.toLowerCase()))
      throw invalid({ email: say('isIn') })
    const row = await queries.insertMember(db, {
      ownerId: ruled.id,
      email: wish.email,
      role: wish.role,
      printerIds,
      linkId,
      tokenHash: hashOf(linkToken(ctx, linkId)),
      invitedAt: new Date(now),
      expiresAt: new Date(now + INVITED_MS),
    })
    if (row === undefined) throw invalid({ email: say('isInvited') })
    const data = { from: nameOf(ruled), role: wish.role, linkId }
    const key = `household:${linkId}`
    await sendMail(inside, { userId: ruled.id, to: wish.email, template: invitationMail, data, key })
    await auditHousehold(inside, principal, ruled.id, {
      action: 'invited',
      about: wish.email,
      role: wish.role,
    })
    return row.id
  })
  return await present(ctx, principal, ruled.id, id)
}

async function present(
  ctx: Ctx,
  principal: UserPrincipal,
  ownerId: UserId,
  id: number,
): Promise<contract.Member> {
  const row = await requireMember(ctx, ownerId, id)
  return presentMember(row, await queries.findPrintersOf(ctx.db, ownerId), principal.userId)
}

async function requireMember(ctx: Pick<Ctx, 'db'>, ownerId: UserId, id: number): Promise<MemberRow> {
  const row = await queries.findMember(ctx.db, ownerId, id)
  if (row === undefined) throw notFound()
  return row
}

/** Who somebody is in the log of the household: their account's address, else the one that was invited. */
export const aboutOf = ({ memberEmail, email }: MemberRow): string => memberEmail ?? email

/** Gives a member another role or other printers, and leaves what is not named, but that owners have all; their open pages follow. */
export async function changeMember(
  ctx: Ctx,
  principal: UserPrincipal,
  { account, id }: { account: number; id: number },
  wish: { role?: contract.HouseholdRole | undefined; printer_ids?: number[] | null | undefined },
): Promise<contract.Member> {
  const ruled = await requireRule(ctx, principal, account)
  await requireProof(ctx, principal)
  const row = await requireMember(ctx, ruled.id, id)
  // Nobody gives themselves more, nor shuts the household by mistake.
  if (row.memberId === principal.userId) throw forbidden(say('notYourself').in(principal.language))
  const role = wish.role ?? row.role
  const printerIds =
    wish.printer_ids === undefined && role !== 'owner'
      ? row.printerIds
      : await printersOf(ctx, ruled.id, { role, printer_ids: wish.printer_ids ?? null })
  await ctx.db.transaction().execute(async (db) => {
    await queries.updateMember(db, row.id, { role, printerIds })
    await auditHousehold({ ...ctx, db }, principal, ruled.id, {
      action: 'changed',
      about: aboutOf(row),
      ...(wish.role && { role: wish.role }),
    })
  })
  await tellPrinters(ctx, ruled.id, row.memberId)
  return await present(ctx, principal, ruled.id, row.id)
}

/** Who is told after whom of an alert. Raises 400 where one is not a member. */
export async function orderMembers(
  ctx: Ctx,
  principal: UserPrincipal,
  account: number,
  ids: readonly number[],
): Promise<contract.Member[]> {
  const ruled = await requireRule(ctx, principal, account)
  const members = await queries.findMembers(ctx.db, ruled.id)
  const accepted = new Set<number>(members.filter(({ memberId }) => memberId !== null).map(({ id }) => id))
  if (new Set(ids).size < ids.length || ids.some((id) => !accepted.has(id)))
    throw invalid({ member_ids: say('noMember') })
  await ctx.db.transaction().execute(async (db) => {
    await queries.writeOrder(db, ruled.id, ids)
    await auditHousehold({ ...ctx, db }, principal, ruled.id, { action: 'ordered', about: null })
  })
  return await listMembers(ctx, principal, account)
}

/** Every page that shows one of an account's printers looks again what it may show, and a member's list which there are. */
export async function tellPrinters(ctx: Ctx, ownerId: UserId, memberId: UserId | null): Promise<void> {
  for (const { id } of await queries.findPrintersOf(ctx.db, ownerId)) tell(ctx, id, 'changed')
  if (memberId !== null) ctx.live.publish(sharedTopic(memberId), '')
}

const sharedTopic = (userId: UserId): string => `shared:${userId}`

/** Calls `fn` when other printers are shared with somebody, until the returned function is called. */
export const onShared = async (ctx: Pick<Ctx, 'live'>, userId: UserId, fn: () => void) =>
  await ctx.live.subscribe(sharedTopic(userId), () => fn())

/** What a person is called in letters about them. */
export async function personName(ctx: Ctx, userId: UserId): Promise<string> {
  const user = await userById(ctx, userId)
  return user === undefined ? '' : nameOf(user)
}
