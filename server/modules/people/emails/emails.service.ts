import type { Ctx } from '../../../ctx.ts'
import { AppError, badRequest, forbidden, invalid, notFound, throttled } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { Id, UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'
import { requireMail, sendMail } from '../mail/index.ts'
import { addressConfirmed, confirmAddress, primaryChanged } from './emails.mails.ts'
import * as queries from './emails.queries.ts'
import type { AddressRow } from './emails.queries.ts'
import { type LinkRow, linksSince, useLink } from './links.queries.ts'
import { linkOf, makeLink } from './links.service.ts'
import { tellAccount } from './news.service.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** More addresses than this nobody needs. */
const ADDRESSES_AT_MOST = 10
/** How long a link to confirm an address works. */
const CONFIRM_MS = 3 * DAY

export const LIMITS = {
  manage: { name: 'manage-email', tries: 10, windowMs: MINUTE },
  confirm: { name: 'confirm-email', tries: 20, windowMs: MINUTE },
} as const

/** One link to confirm an address in three minutes. */
const RESEND_MS = 3 * MINUTE

const say = (key: string, params?: Record<string, string>) => text('emails-server', key, params)
const nowOf = ({ clock }: Pick<Ctx, 'clock'>) => new Date(clock.now())

/** Who changed what of a user's addresses. */
async function audit(ctx: Ctx, userId: UserId, action: string, email: string): Promise<void> {
  await writeAudit(ctx, {
    actor: `user:${userId}`,
    userId,
    action,
    detail: { email },
  })
}

/** Has a letter with a link go to an address, in the caller's transaction. */
async function sendLink(ctx: Ctx, { id, userId, email }: AddressRow): Promise<void> {
  const linkId = await makeLink(ctx, { kind: 'confirm', addressId: id, goodForMs: CONFIRM_MS })
  const key = `confirm:${linkId}`
  await sendMail(ctx, { userId, to: email, template: confirmAddress, data: { email, linkId }, key })
}

/** Seconds until another link may go to an address; 0 when one may now. */
async function waitFor(ctx: Ctx, addressId: Id<'emailAddresses'>): Promise<number> {
  const now = ctx.clock.now()
  const [last] = await linksSince(ctx.db, 'confirm', addressId, new Date(now - RESEND_MS))
  return last === undefined ? 0 : (last.getTime() + RESEND_MS - now) / 1000
}

/**
 * Sends the link that confirms a user's primary address, unless it is confirmed, one went out just now, or this server
 * does not confirm addresses or sends no mail. For sign-up and sign-in.
 */
export async function confirmPrimary(ctx: Ctx, userId: UserId): Promise<void> {
  if (ctx.config.ACCOUNT_EMAIL_VERIFICATION === 'none' || !ctx.mail.isConfigured) return
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    await queries.lockUser(db, userId)
    const primary = (await queries.findAddresses(db, userId)).find(({ isPrimary }) => isPrimary)
    if (primary && !primary.verified && (await waitFor(inside, primary.id)) === 0)
      await sendLink(inside, primary)
  })
}

/** Adds an address and sends its link. Raises 400 for one that the user has, and for too many. */
export async function addAddress(ctx: Ctx, { userId }: UserPrincipal, email: string): Promise<AddressRow> {
  await requireMail(ctx)
  return ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    const user = await queries.lockUser(db, userId)
    if (user === undefined) throw forbidden()
    if ((await queries.findAddresses(db, userId)).length >= ADDRESSES_AT_MOST)
      throw invalid({ email: say('tooMany', { most: String(ADDRESSES_AT_MOST) }) })
    // Whether somebody else has it is told to whoever reads its letters, and to nobody before.
    const { brand } = user
    const row = await queries.insertAddress(db, { userId, brand, email, verified: false, isPrimary: false })
    if (row === undefined) throw invalid({ email: say('haveIt') })
    await sendLink(inside, row)
    await audit(inside, userId, 'email_added', email)
    return row
  })
}

/** Runs a change to one address of a user; 404 for one that is not theirs. */
async function change<T>(
  ctx: Ctx,
  { userId }: UserPrincipal,
  id: number,
  work: (inside: Ctx, row: AddressRow, user: { email: string; brand: string }) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (db) => {
    const user = await queries.lockUser(db, userId)
    const row = await queries.findAddress(db, { userId, id })
    if (user === undefined || row === undefined) throw notFound()
    return work({ ...ctx, db }, row, user)
  })
}

/** Sends the link once more. Raises 400 for a confirmed address, 429 within three minutes. */
export async function resendLink(ctx: Ctx, principal: UserPrincipal, id: number): Promise<AddressRow> {
  await requireMail(ctx)
  return change(ctx, principal, id, async (inside, row) => {
    if (row.verified) throw badRequest(say('isConfirmed'))
    const wait = await waitFor(inside, row.id)
    if (wait > 0) throw throttled(wait)
    await sendLink(inside, row)
    return row
  })
}

/**
 * Has the user sign in with a confirmed address; the one before is told. Raises 400 for an unconfirmed one, and for one
 * that somebody signs in with.
 */
export async function makePrimary(ctx: Ctx, principal: UserPrincipal, id: number): Promise<AddressRow> {
  return change(ctx, principal, id, async (inside, row, user) => {
    if (row.isPrimary) return row
    if (!row.verified) throw badRequest(say('confirmFirst'))
    const { userId, brand, email } = row
    if (await queries.belongsToOther(inside.db, { brand, email, userId })) throw badRequest(say('taken'))
    await queries.markPrimary(inside.db, row, nowOf(ctx))
    await audit(inside, userId, 'email_made_primary', email)
    const data = { before: user.email, after: email }
    const key = `primary:${userId}:${id}:${ctx.clock.now()}`
    if (ctx.mail.isConfigured)
      await sendMail(inside, { userId, to: user.email, template: primaryChanged, data, key })
    return { ...row, isPrimary: true }
  })
}

/** Raises 400 for the primary address. */
export async function removeAddress(ctx: Ctx, principal: UserPrincipal, id: number): Promise<void> {
  await change(ctx, principal, id, async (inside, row) => {
    if (row.isPrimary) throw badRequest(say('isPrimary'))
    await queries.deleteAddress(inside.db, row.id)
    await audit(inside, row.userId, 'email_removed', row.email)
  })
}

/** Whoever has a session could have letters go to themselves: the addresses of before hear of it, wanted or not by the new one. */
async function tellOthers(inside: Ctx, { userId, email, linkId }: LinkRow): Promise<void> {
  const key = `confirmed:${linkId}`
  const data = (of: { email: string }) => ({ email: of.email, added: email })
  await tellAccount(inside, { userId, template: addressConfirmed, key, data, but: email })
}

const noSuchLink = () => new AppError(404, { detail: say('linkOver') })

/** The address that a link confirms. Raises 404 for a link that is unknown, ran out, or was used up in vain. */
export async function shownAddress(ctx: Ctx, token: string): Promise<AddressRow> {
  const link = await linkOf(ctx, 'confirm', token)
  if (link === undefined || (link.usedAt !== null && !link.verified)) throw noSuchLink()
  return link
}

/**
 * Confirms the address that a link is for; a second click finds it confirmed. Raises 404 as above, and 400 for an
 * address that belongs to another account.
 */
export async function confirmLinked(ctx: Ctx, token: string): Promise<AddressRow> {
  const { id, userId, brand, email } = await shownAddress(ctx, token)
  return ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    await queries.lockUser(db, userId)
    const link = await linkOf(inside, 'confirm', token)
    if (link === undefined || link.id !== id) throw noSuchLink()
    if (link.verified) return link
    if (!(await useLink(db, link.linkId, nowOf(ctx)))) throw noSuchLink()
    if (await queries.belongsToOther(db, { brand, email, userId }))
      throw invalid({ non_field_errors: say('taken') })
    await queries.markVerified(db, link, nowOf(ctx))
    await audit(inside, userId, 'email_confirmed', email)
    await tellOthers(inside, link)
    return { ...link, verified: true }
  })
}
