import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { invalid } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import { addressesOf, endLinks, linkOf, makeLink, timeFor, useLink } from '../emails/index.ts'
import { sendMail } from '../mail/index.ts'
import { findUser } from '../users/users.queries.ts'
import { LIMITS } from '../users/users.rules.ts'
import { resetAsked } from './factors.mails.ts'
import * as queries from './factors.queries.ts'
import { auditFactors, tellOfFactors } from './news.service.ts'

/** So long owners have to object, from the moment in which they are told. */
const DAY_MS = 24 * 3_600_000
const KIND = 'keep-factors'

/** An administrator was asked to remove somebody's factors: it begins with a letter, within a minute. False when that was done already. */
export async function askReset(ctx: Ctx, userId: UserId): Promise<boolean> {
  const isNew = await queries.insertReset(ctx.db, userId)
  if (isNew) await auditFactors(ctx, userId, 'reset_asked', 'operator')
  return isNew
}

/** Tells owners of resets, and does those that nobody has objected to for a day. */
export async function lookAfterResets(ctx: Ctx): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    for (const userId of await queries.untoldResets(db)) await tell({ ...ctx, db }, userId)
  })
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    for (const userId of await queries.takeDueResets(db, new Date(ctx.clock.now()))) {
      await queries.deleteTotp(db, userId)
      await queries.deletePasskeys(db, userId)
      await queries.replaceCodes(db, userId, [])
      await endLinks(db, KIND, userId, new Date(ctx.clock.now()))
      await tellOfFactors(inside, { userId, kind: 'resetDone' })
    }
  })
}

async function tell(inside: Ctx, userId: UserId): Promise<void> {
  const dueAt = inside.clock.now() + DAY_MS
  await queries.setDue(inside.db, userId, new Date(dueAt))
  const user = await findUser(inside.db, userId)
  if (!inside.mail.isConfigured || user === undefined) return
  for (const { id: addressId, email: to } of await addressesOf(inside, userId)) {
    const linkId = await makeLink(inside, { kind: KIND, addressId, goodForMs: DAY_MS })
    const data = { email: user.email, at: timeFor(dueAt, user), linkId }
    await sendMail(inside, { userId, to, template: resetAsked, data, key: `factors-reset:${linkId}` })
  }
}

/** The owner objects, by the link in the letter. Raises 400 for one that does not work any more, 429. */
export async function objectByLink(ctx: Ctx, link: string, edge: Edge): Promise<void> {
  await spend(ctx, ...byAddress(LIMITS.confirmReset, edge.address))
  const found = await linkOf(ctx, KIND, link)
  if (found?.usedAt !== null || !found.isActive) throw invalid({ link: text('security-server', 'linkOver') })
  if (await useLink(ctx.db, found.linkId, new Date(ctx.clock.now()))) await object(ctx, found.userId, 'link')
}

/** The factors stay. */
export async function object(ctx: Ctx, userId: UserId, by: string): Promise<void> {
  if (await queries.deleteReset(ctx.db, userId)) await auditFactors(ctx, userId, 'reset_refused', by)
}
