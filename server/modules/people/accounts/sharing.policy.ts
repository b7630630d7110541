import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { findUser } from '../users/users.queries.ts'
import { type Account, entitlementsOf } from '../../shop/entitlements/index.ts'

/** Whether such an owner may let others look, by links or as a household: Pro alone in the enterprise edition (docs/rules/remote.md 1). */
export function mayShare(ctx: Ctx, owner: Account): boolean {
  return ctx.config.SHARING_ENABLED && entitlementsOf(ctx, owner).sharing
}

/** Raises 403 for an owner who may not share. */
export async function requireSharing(ctx: Ctx, userId: UserId): Promise<void> {
  if (!ctx.config.SHARING_ENABLED)
    throw new AppError(403, { detail: 'Printer feed sharing is switched off on this server' })
  const user = await findUser(ctx.db, userId)
  if (user === undefined || !mayShare(ctx, user))
    throw new AppError(403, { detail: 'Printer feed sharing is a Pro feature' })
}
