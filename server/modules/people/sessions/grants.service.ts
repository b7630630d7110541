import type { Id, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { byAddress, spendOnFailure } from '../../../http/limits.ts'
import { hashOf, newToken } from '../../../lib/signing.ts'
import { LIMITS } from '../users/users.rules.ts'
import { deleteGrant, insertRefresh, lockRefresh, renewToken } from './grants.queries.ts'
import { forgetKnown } from './sessions.ts'
import { findToken } from './tokens.queries.ts'
import { appEnds, auditToken, HINT_LENGTH, makeToken } from './tokens.service.ts'

/** So long a token lives that an app has by a code. */
export const ACCESS_S = 3600
/** A word that was used is known as such for so long. */
const USED_MS = 30 * 24 * 3_600_000

/** What an app is handed: a token for an hour, and a word for the next, good once. */
export interface Grant {
  readonly id: Id<'accessTokens'>
  readonly access: string
  readonly refresh: string
}

const accessUntil = (ctx: Ctx) => new Date(ctx.clock.now() + ACCESS_S * 1000)

/** Lets an app in. Raises 400, 429 as `makeToken` does. */
export async function makeGrant(ctx: Ctx, args: { userId: UserId; application: string }): Promise<Grant> {
  const { token, row } = await makeToken(ctx, { ...args, scope: 'slicer', accessUntil: accessUntil(ctx) })
  const refresh = newToken()
  const createdAt = new Date(ctx.clock.now())
  await insertRefresh(ctx.db, { accessTokenId: row.id, tokenHash: hashOf(refresh), createdAt })
  return { id: row.id, access: token, refresh }
}

/**
 * The next token for an app, by the word that it has; null for a word that is worth nothing. One that is brought twice is in two
 * hands: then the app is shut out, whoever was first (RFC 9700, 4.14.2). Raises 429 for an address with many unknown ones.
 */
export async function renewGrant(
  ctx: Ctx,
  { word, application, address }: { word: string; application: string; address: string },
): Promise<Grant | null> {
  const renewed = await spendOnFailure(ctx, byAddress(LIMITS.unknownToken, address), async () =>
    ctx.db.transaction().execute(async (db) => {
      const used = hashOf(word)
      const row = await lockRefresh(db, used)
      if (row === undefined || row.application !== application) return null
      const now = new Date(ctx.clock.now())
      if (!row.isActive || (row.expiresAt !== null && row.expiresAt <= now)) return null
      if (row.usedAt !== null) {
        await deleteGrant(db, row.id)
        await auditToken({ ...ctx, db }, row.userId, 'app_token_reused', application)
        return 'reused'
      }
      const [access, refresh] = [newToken(), newToken()]
      const token = {
        tokenHash: hashOf(access),
        hint: access.slice(-HINT_LENGTH),
        accessUntil: accessUntil(ctx),
        expiresAt: appEnds(now.getTime(), { ...row, isRenewed: true }),
      }
      await renewToken(db, { id: row.id, used, now, forget: new Date(now.getTime() - USED_MS), token })
      await insertRefresh(db, { accessTokenId: row.id, tokenHash: hashOf(refresh), createdAt: now })
      return { id: row.id, access, refresh }
    }),
  )
  // What was handed out before opens nothing from now on, on any node.
  if (renewed !== null) forgetKnown(ctx)
  return renewed === 'reused' ? null : renewed
}

/** Shuts out who was let in by a code that somebody has brought twice. */
export async function endGrant(ctx: Ctx, id: Id<'accessTokens'>): Promise<void> {
  await deleteGrant(ctx.db, id)
  forgetKnown(ctx)
}

/** What there is to know of a token of this user; null: nothing that works. */
export async function showToken(ctx: Ctx, userId: UserId, token: string) {
  const row = await findToken(ctx.db, hashOf(token))
  if (row === undefined || row.userId !== userId) return null
  const ends = row.accessUntil ?? row.expiresAt
  if (ends !== null && ends.getTime() <= ctx.clock.now()) return null
  return { application: row.application, scope: row.scope, ends }
}
