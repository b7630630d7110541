import type { UserId } from '../../../lib/id.ts'
import type { Credentials } from '../../../http/authenticate.ts'
import type { Ctx } from '../../../ctx.ts'
import { allUsers, findUser, touchUser as touch, type UserRow } from '../users/users.queries.ts'
import { activity } from '../users/users.rules.ts'
import { renewSession, sessionPrincipal } from '../sessions/sessions.ts'
import { tokenPrincipal } from '../sessions/tokens.service.ts'

export type { UserRow } from '../users/users.queries.ts'
export { registerAccounts } from './accounts.routes.ts'
export { ensureSetupLink } from './accounts.service.ts'
export { createUser, namedUser, resetFactors, setPassword, setPlan } from './operator.service.ts'
export { hashPassword, isPassword } from '../passwords/passwords.hash.ts'
export { mayShare, requireSharing } from './sharing.policy.ts'
export { type Admin, requireAdmin } from '../users/admin.policy.ts'
export {
  ACCESS_S,
  endGrant,
  type Grant,
  makeGrant,
  renewGrant,
  showToken,
} from '../sessions/grants.service.ts'
export { isSessionOpen, sessionEnded } from '../sessions/sessions.ts'
export type { TokenRow } from '../sessions/tokens.queries.ts'
export {
  createAccessToken,
  listTokens,
  makeToken,
  presentToken,
  revokeByToken,
  revokeToken,
} from '../sessions/tokens.service.ts'

/** How `authenticate()` finds the person behind a session cookie, a bearer token or an API key. */
export function accountCredentials(ctx: Ctx): Required<Omit<Credentials, 'printerToken' | 'tunnel'>> {
  return {
    session: (token, from) => sessionPrincipal(ctx, token, from),
    accessToken: (token, address) => tokenPrincipal(ctx, token, address),
    renewSession: (token) => renewSession(ctx, token),
  }
}

/** Everyone who has an account, oldest first. */
export const listUsers = (ctx: Ctx) => allUsers(ctx.db)

/** One user's row. */
export const userById = (ctx: Ctx, id: UserId): Promise<UserRow | undefined> => findUser(ctx.db, id)

/** Marks a user as active now; writes at most once an hour. Call when a web or agent socket connects. */
export const touchUser = (ctx: Ctx, id: UserId): Promise<void> => touch(ctx.db, id, activity(ctx.clock.now()))
