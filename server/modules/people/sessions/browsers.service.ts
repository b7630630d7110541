import { browserName } from '@vigil/contract/browser.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import { clientOf } from '../../../lib/addresses.ts'
import { tellAccount, timeFor } from '../emails/index.ts'
import { hashOf, newToken } from '../users/users.rules.ts'
import { noteBrowsers } from './browsers.queries.ts'
import { newSignIn } from './news.mails.ts'

const KNOWN_MS = 400 * 24 * 3_600_000

/**
 * Notes from where somebody signs in, in the transaction that opens the session, and tells them by mail of a place where they
 * never did: a browser is known by its cookie, or as one of the same name at the same address. Returns the word for its cookie.
 */
export async function noteSignIn(
  inside: Ctx,
  { userId, browser, address }: { userId: UserId; browser: Browser; address: string },
): Promise<string> {
  const at = inside.clock.now()
  const token = browser.token ?? newToken()
  const name = browserName(browser.agent)
  const { isKnown, isFirst } = await noteBrowsers(inside.db, {
    userId,
    hashes: [hashOf(token), hashOf(`${userId} ${clientOf(address)} ${name}`)],
    now: new Date(at),
    before: new Date(at - KNOWN_MS),
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
