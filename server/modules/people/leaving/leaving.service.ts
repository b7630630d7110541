import type { deleteAccount } from '@vigil/contract/people/leaving.ts'
import type { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, forbidden, invalid } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'
import { tell } from '../../core/presence/index.ts'
import { hasSubscription } from '../../shop/subscriptions/index.ts'
import { addressesOf, endLinks, linkOf, makeLink, timeFor, useLink } from '../emails/index.ts'
import { sendMail } from '../mail/index.ts'
import { namedUser } from '../accounts/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { announceEnd, forgetKnown } from '../sessions/sessions.ts'
import { deleteSessions, findUser, type UserRow } from '../users/users.queries.ts'
import { LIMITS } from '../users/users.rules.ts'
import { accountGoes } from './leaving.mails.ts'
import * as queries from './leaving.queries.ts'

/** So long it can be undone. */
const GRACE_MS = 72 * 3_600_000
const KIND = 'keep-account'

/** Prints told of by name; an account may have hundreds. */
const MOST_TOLD = 20

/**
 * Closes an account and has it erased in 72 hours (docs/rules/people.md 13): its sessions, tokens, agents and tunnels count no more from now
 * on. Raises 409 while a subscription runs, 403 when it was not shown lately whose the session is.
 */
export async function leave(
  ctx: Ctx,
  principal: UserPrincipal,
  { reason, reason_code: reasonCode }: LeaveBody,
): Promise<void> {
  const user = await findUser(ctx.db, principal.userId)
  if (user === undefined) throw forbidden()
  if (await hasSubscription(ctx, user.id)) throw new AppError(409, { error: 'active_subscription' })
  await requireProof(ctx, principal)
  const now = ctx.clock.now()
  const dueAt = new Date(now + GRACE_MS)
  const ended = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    const departure = {
      userId: user.id,
      reason,
      reasonCode: reasonCode ?? null,
      askedAt: new Date(now),
      dueAt,
    }
    if (await queries.insertDeparture(db, departure)) await tellOwner(inside, user, dueAt)
    await audit(inside, user.id, 'account_closed', `user:${user.id}`)
    return await deleteSessions(db, { userId: user.id })
  })
  announceEnd(ctx, ended)
  await closeLines(ctx, user.id)
}

/** The lines of a closed account's agents and its tunnels close, as when its printers are put away; its rows stay as they are. */
export async function closeLines(ctx: Ctx, userId: UserId): Promise<void> {
  for (const printerId of await queries.allPrinters(ctx.db, userId)) {
    ctx.events.emit('printer.deleted', { printerId, why: 'archived' })
    tell(ctx, printerId, 'gone')
  }
}
type LeaveBody = z.output<(typeof deleteAccount)['body']>

async function tellOwner(inside: Ctx, user: UserRow, dueAt: Date): Promise<void> {
  if (!inside.mail.isConfigured) return
  const running = await queries.runningPrints(inside.db, user.id)
  const printing = running.slice(0, MOST_TOLD).map(({ printer, print }) => `${printer}: ${print}`)
  for (const { id: addressId, email: to } of await addressesOf(inside, user.id)) {
    const linkId = await makeLink(inside, { kind: KIND, addressId, goodForMs: GRACE_MS })
    const data = { email: user.email, at: timeFor(dueAt.getTime(), user), linkId, printing }
    await sendMail(inside, { userId: user.id, to, template: accountGoes, data, key: `leaving:${linkId}` })
  }
}

/** The owner stays, by the link in the letter. Raises 400 for one that does not work any more, 429. */
export async function stayByLink(ctx: Ctx, link: string, edge: Edge): Promise<void> {
  await spend(ctx, ...byAddress(LIMITS.confirmReset, edge.address))
  const found = await linkOf(ctx, KIND, link)
  const over = () => invalid({ link: text('leaving-server', 'linkOver') })
  if (found?.usedAt !== null) throw over()
  if (!(await useLink(ctx.db, found.linkId, new Date(ctx.clock.now())))) throw over()
  if (!(await stay(ctx, found.userId, 'link'))) throw over()
}

/** An account that is about to go stays, and all that was closed with it is open again. False: it was not about to go. */
async function stay(ctx: Ctx, userId: UserId, by: string): Promise<boolean> {
  const stays = await ctx.db.transaction().execute(async (db) => {
    const now = new Date(ctx.clock.now())
    if (!(await queries.deleteDeparture(db, userId, now))) return false
    await endLinks(db, KIND, userId, now)
    await audit({ ...ctx, db }, userId, 'account_kept', by)
    return true
  })
  if (stays) forgetKnown(ctx)
  return stays
}

/** The same on behalf of the operator, where no letter comes. Raises a 404. */
export async function keepAccount(
  ctx: Ctx,
  named: { email: string; brand?: string | undefined },
): Promise<boolean> {
  return await stay(ctx, (await namedUser(ctx, named)).id, 'operator')
}

const audit = (ctx: Ctx, userId: UserId, action: string, actor: string) =>
  writeAudit(ctx, { actor, userId, printerId: null, printId: null, action, outcome: 'done' })
