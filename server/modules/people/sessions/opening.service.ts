import { browserName } from '@vigil/contract/browser.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import { clientOf } from '../../../lib/addresses.ts'
import type { UserId } from '../../../lib/id.ts'
import { tellAccount, timeFor } from '../emails/index.ts'
import { changeUser, insertSession, type UserRow } from '../users/users.queries.ts'
import { digestOf, hashOf, newToken } from '../../../lib/signing.ts'
import { endOf } from '../users/users.rules.ts'
import { isKnownBrowser, noteBrowsers } from './browsers.queries.ts'
import { newSignIn } from './news.mails.ts'

/**
 * Notes from where somebody signs in, in the transaction that opens the session, and tells them by mail of a place where they
 * never did: a browser is known by its cookie, or as one of the same name at the same address. Returns the word for its cookie.
 */
async function noteSignIn(
  inside: Ctx,
  { userId, browser, address }: { userId: UserId; browser: Browser; address: string },
): Promise<string> {
  const at = inside.clock.now()
  const token = browser.token ?? newToken()
  const name = browserName(browser.agent)
  const { isKnown, isFirst } = await noteBrowsers(inside.db, {
    userId,
    hashes: [hashOf(token), hashOf(`${userId} ${clientOf(address)} ${name}`)],
    now: at,
  })
  // Before the first there is nothing that it could be unlike.
  if (!isKnown && !isFirst)
    await tellAccount(inside, {
      userId,
      template: newSignIn,
      key: `sign-in:${userId}:${at}`,
      data: (reader) => ({ email: reader.email, at: timeFor(at, reader), browser: name, address }),
    })
  return token
}

/**
 * Where the tries of somebody who wants into that account are counted: at their address, or by the browser itself where the account
 * was signed in to with it. So nobody who shares an address keeps an owner out of it by guessing (docs/rules/people.md 3).
 */
export async function placeOf(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  whose: Parameters<typeof isKnownBrowser>[1],
  { browser: { token }, edge: { address } }: { browser: Browser; edge: Edge },
): Promise<string> {
  const isKnown = token !== null && (await isKnownBrowser(db, whose, { token, now: clock.now() }))
  return isKnown ? `browser ${digestOf(token)}` : address
}

/** What a new browser session is: its token goes into the cookie and is never seen again. */
export interface Opened {
  readonly user: UserRow
  readonly token: string
  /** The word by which this browser is known again. */
  readonly browserToken: string
  /** Null: until the browser closes. */
  readonly maxAgeSeconds: number | null
}

/** Opens a browser session; where an administrator opens one is where links in letters lead (docs/rules/people.md 7). */
export async function openSession(
  ctx: Ctx,
  args: { user: UserRow; remember: boolean; edge: Edge; browser: Browser },
): Promise<Opened> {
  const token = newToken()
  const now = new Date(ctx.clock.now())
  const expiresAt = endOf({ remember: args.remember, createdAt: now, now }, ctx.config)
  return await ctx.db.transaction().execute(async (db) => {
    await insertSession(db, {
      userId: args.user.id,
      tokenHash: hashOf(token),
      remember: args.remember,
      now,
      expiresAt,
      agent: args.browser.agent,
      address: args.edge.address,
    })
    const { isStaff } = args.user
    const lastOrigin = isStaff ? args.edge.origin + args.edge.prefix : null
    const user = await changeUser(db, args.user.id, { lastOrigin, lastActiveAt: now }, now)
    const from = { userId: args.user.id, browser: args.browser, address: args.edge.address }
    const browserToken = await noteSignIn({ ...ctx, db }, from)
    const maxAgeSeconds = args.remember ? (expiresAt.getTime() - now.getTime()) / 1000 : null
    return { user: user ?? args.user, token, browserToken, maxAgeSeconds }
  })
}
