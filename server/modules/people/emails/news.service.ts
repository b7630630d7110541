import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type MailOrder, sendMail } from '../mail/index.ts'
import { findAddresses, findNewsReader, type NewsReader } from './emails.queries.ts'

/** Addresses that letters to a user go to: confirmed ones, or all where this server confirms none. */
export async function mailAddressesOf(ctx: Pick<Ctx, 'db' | 'config'>, userId: UserId): Promise<string[]> {
  const all = await findAddresses(ctx.db, userId)
  const { ACCOUNT_EMAIL_VERIFICATION: verification } = ctx.config
  return all.filter(({ verified }) => verified || verification === 'none').map(({ email }) => email)
}

/** Addresses that are told whatever happens to the ways into an account: confirmed ones, and the one that is signed in with. */
export async function addressesOf(ctx: Pick<Ctx, 'db' | 'config'>, userId: UserId) {
  const isTold = ctx.config.ACCOUNT_EMAIL_VERIFICATION === 'none'
  const all = await findAddresses(ctx.db, userId)
  return all.filter(({ verified, isPrimary }) => verified || isPrimary || isTold)
}

/** What happened to an account, once for each key. */
interface News<T> extends Pick<MailOrder<T>, 'userId' | 'template' | 'key'> {
  readonly data: (of: NewsReader) => T
  /** An address that knows of it already. */
  readonly but?: string
}

/**
 * Tells the owner of an account what happened to it, at every address that letters go to, unless they have turned that off. In
 * the transaction of the caller (docs/rules/people.md 9).
 */
export async function tellAccount<T>(ctx: Ctx, { userId, template, key, data, but }: News<T>): Promise<void> {
  const reader = ctx.mail.isConfigured ? await findNewsReader(ctx.db, userId) : undefined
  if (reader?.accountNotificationByEmail !== true) return
  for (const to of await mailAddressesOf(ctx, userId))
    if (to !== but) await sendMail(ctx, { userId, to, template, data: data(reader), key: `${key}:${to}` })
}

/** The same for what they have asked for, whatever they have turned off. */
export async function tellAlways<T>(
  ctx: Ctx,
  { userId, template, key, data }: Omit<News<T>, 'but'>,
): Promise<void> {
  const reader = ctx.mail.isConfigured ? await findNewsReader(ctx.db, userId) : undefined
  if (reader === undefined) return
  for (const { email: to } of await addressesOf(ctx, userId))
    await sendMail(ctx, { userId, to, template, data: data(reader), key: `${key}:${to}` })
}

/** When something was, on the clocks of who is told, alike in every language: `2026-11-22 20:31 (Europe/Berlin)`. */
export function timeFor(at: number, { timeZone }: Pick<NewsReader, 'timeZone'>): string {
  const zone = timeZone ?? 'UTC'
  const shape = { dateStyle: 'short', timeStyle: 'short', timeZone: zone } as const
  return `${new Intl.DateTimeFormat('sv-SE', shape).format(at)} (${zone})`
}
