import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import { changeUser, insertSession, type UserRow } from '../users/users.queries.ts'
import { hashOf, lifetimeOf, newToken } from '../users/users.rules.ts'
import { noteSignIn } from './browsers.service.ts'

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
  const lifetime = lifetimeOf(args.remember)
  const expiresAt = new Date(now.getTime() + lifetime)
  return await ctx.db.transaction().execute(async (db) => {
    await insertSession(db, {
      userId: args.user.id,
      tokenHash: hashOf(token),
      remember: args.remember,
      now,
      expiresAt,
      agent: args.browser.agent.slice(0, 300),
      address: args.edge.address,
    })
    const { isStaff } = args.user
    const lastOrigin = isStaff ? args.edge.origin + args.edge.prefix : null
    const user = await changeUser(db, args.user.id, { lastOrigin, lastActiveAt: now }, now)
    const from = { userId: args.user.id, browser: args.browser, address: args.edge.address }
    const browserToken = await noteSignIn({ ...ctx, db }, from)
    const maxAgeSeconds = args.remember ? lifetime / 1000 : null
    return { user: user ?? args.user, token, browserToken, maxAgeSeconds }
  })
}
