import { z } from 'zod'
import type { Id, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { AppError, invalid } from '../../../http/errors.ts'
import type { Edge } from '../../../http/edge.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import {
  type LinkRow,
  endLinks,
  linkOf,
  linksSince,
  makeLink,
  markVerified,
  useLink,
} from '../emails/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { requireMail, sendMail } from '../mail/index.ts'
import { requireUnbreached } from './breached.service.ts'
import { checkChosen } from './chosen.service.ts'
import { hashPassword, isPassword } from './passwords.hash.ts'
import {
  changeUser,
  deleteSessions,
  findResetAddress,
  findUser,
  lockAddress,
} from '../users/users.queries.ts'
import { accountKey, LIMITS } from '../users/users.rules.ts'
import { forgetBrowsers } from '../sessions/browsers.queries.ts'
import { announceEnd } from '../sessions/sessions.ts'
import { passwordChanged, resetPassword } from './passwords.mails.ts'

const MINUTE = 60_000
/** How long a link to choose a new password works. */
const RESET_MS = 60 * MINUTE
/** A mailbox gets one such letter a minute, and so many a day, whoever asks. */
const RESETS = { apartMs: MINUTE, aDay: 10, dayMs: 24 * 60 * MINUTE }

const say = (key: string, params?: Record<string, string>) => text('accounts-server', key, params)

/** Looked for in a job, so that the answer to who asks tells nothing, not even by the time that it takes. */
const RESET: JobKind<{ brand: string; email: string }> = {
  name: 'password-reset',
  schema: z.object({ brand: z.string(), email: z.string() }),
}

/** Has a link sent to an address, if an account has it. Raises 429, and 503 where no mail is sent. */
export async function askReset(
  ctx: Ctx,
  { brand, email, edge }: { brand: string; email: string; edge: Edge },
): Promise<void> {
  await requireMail(ctx)
  const limits = [
    { limit: LIMITS.resetOf, who: accountKey({ brand, email }) },
    ...byAddress(LIMITS.reset, edge.address),
  ]
  await spend(ctx, ...limits)
  await ctx.jobs.enqueue(ctx.db, RESET, { brand, email })
}

async function sendReset(ctx: Ctx, asked: { brand: string; email: string }): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    const address = await findResetAddress(db, asked)
    if (address === undefined) return
    // One at a time: of several asked for in the same moment one is mailed.
    await lockAddress(db, address.id)
    const now = ctx.clock.now()
    const sent = await linksSince(db, 'reset', address.id, new Date(now - RESETS.dayMs))
    const isSoon = sent[0] !== undefined && sent[0].getTime() > now - RESETS.apartMs
    if (isSoon || sent.length >= RESETS.aDay) return
    const { id: addressId, userId, email } = address
    const linkId = await makeLink(inside, { kind: 'reset', addressId, goodForMs: RESET_MS })
    const data = { email, uid: userId.toString(36), linkId }
    const key = `reset:${linkId}`
    await sendMail(inside, { userId, to: email, template: resetPassword, data, key, goodForMs: RESET_MS })
    await audit(inside, userId, 'password_reset_asked', 'user')
  })
}

/** Sends the links that were asked for. */
export const handleResets = (ctx: Ctx): void => ctx.jobs.handle(RESET, (asked) => sendReset(ctx, asked))

interface ResetLink {
  readonly uid: string
  readonly token: string
}

/** The link behind an address of ours in a letter. Raises 400 for one that does not work, or no more. */
async function findReset(ctx: Ctx, { uid, token }: ResetLink): Promise<LinkRow> {
  const link = await linkOf(ctx, 'reset', token)
  const works = link?.usedAt === null && link.isActive && link.userId.toString(36) === uid
  if (!works) throw invalid({ token: say('resetLinkOver') })
  return link
}

/** Says whether a link still works, without using it. Raises 400, and 429. */
export async function checkReset(ctx: Ctx, given: ResetLink & { edge: Edge }): Promise<void> {
  await spend(ctx, ...byAddress(LIMITS.confirmReset, given.edge.address))
  await findReset(ctx, given)
}

/** Gives an account a new password by a link; who follows it has shown that the address is theirs. All sessions end. */
export async function confirmReset(
  ctx: Ctx,
  given: ResetLink & { password: string; edge: Edge; browser: Browser },
): Promise<void> {
  await spend(ctx, ...byAddress(LIMITS.confirmReset, given.edge.address))
  const link = await findReset(ctx, given)
  const whose = await findUser(ctx.db, link.userId)
  await checkChosen(ctx, 'password', { password: given.password, email: whose?.email ?? '' })
  await requireUnbreached(ctx, 'password', given.password)
  const { password, browser } = given
  const changed = { userId: link.userId, actor: 'link', password, browser } as const
  await replacePassword(ctx, changed, async (inside) => {
    const now = new Date(ctx.clock.now())
    if (!(await useLink(inside.db, link.linkId, now))) throw invalid({ token: say('resetLinkOver') })
    if (!link.verified) await markVerified(inside.db, link, now)
  })
}

/** A new password ends every other session of the user. Raises 400 when the old one is wrong. */
export async function changePassword(
  ctx: Ctx,
  args: { userId: UserId; sessionId: Id<'sessions'> | null; browser: Browser; old: string; password: string },
): Promise<void> {
  await spend(ctx, { limit: LIMITS.changePassword, who: String(args.userId) })
  const user = await findUser(ctx.db, args.userId)
  if (user?.passwordHash === null) throw invalid({ non_field_errors: say('noPassword') })
  if (!user || !(await isPassword(user.passwordHash, args.old))) throw invalid({ old: say('wrongPassword') })
  await checkChosen(ctx, 'new', { password: args.password, email: user.email })
  await requireUnbreached(ctx, 'new', args.password)
  await replacePassword(ctx, { ...args, actor: 'user', except: args.sessionId ?? undefined })
}

/** Gives an account its first password. Raises 400 when it has one: that is changed, with the old one. */
export async function setFirstPassword(
  ctx: Ctx,
  args: { userId: UserId; sessionId: Id<'sessions'> | null; browser: Browser; password: string },
): Promise<void> {
  await spend(ctx, { limit: LIMITS.changePassword, who: String(args.userId) })
  const user = await findUser(ctx.db, args.userId)
  if (user?.passwordHash !== null) throw invalid({ non_field_errors: say('hasPassword') })
  await checkChosen(ctx, 'new', { password: args.password, email: user.email })
  await requireUnbreached(ctx, 'new', args.password)
  await replacePassword(ctx, { ...args, actor: 'user', except: args.sessionId ?? undefined })
}

interface Replaced {
  readonly userId: UserId
  readonly password: string
  /** Who does it: the user, whoever holds a link, the operator. */
  readonly actor: 'user' | 'link' | 'operator'
  /** The session that stays. */
  readonly except?: Id<'sessions'> | undefined
  /** The browser that stays known. */
  readonly browser?: Browser
}

/** Sets a password, in one transaction with `also`; other sessions and all links for a new one end, other browsers are new again, the owner is told. */
export async function replacePassword(
  ctx: Ctx,
  { userId, password, actor, except, browser }: Replaced,
  also: (inside: Ctx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const now = new Date(ctx.clock.now())
  const ended = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    await also(inside)
    const user = await changeUser(db, userId, { passwordHash }, now)
    if (user === undefined) throw new AppError(404, { detail: say('noSuchUser') })
    await endLinks(db, 'reset', userId, now)
    await forgetBrowsers(db, userId, browser?.token ?? null)
    await audit(inside, userId, 'password_changed', actor)
    const { email } = user
    const key = `password:${userId}:${now.getTime()}`
    // A command of the operator has no jobs, and tells nobody.
    if (ctx.mail.isConfigured && actor !== 'operator')
      await sendMail(inside, { userId, to: email, template: passwordChanged, data: { email }, key })
    return deleteSessions(db, { userId, ...(except === undefined ? {} : { except }) })
  })
  announceEnd(ctx, ended)
}

async function audit(ctx: Ctx, userId: UserId, action: string, actor: string): Promise<void> {
  await writeAudit(ctx, {
    actor: actor === 'user' ? `user:${userId}` : actor,
    userId,
    action,
  })
}
