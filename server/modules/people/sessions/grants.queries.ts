import type { Id } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

interface NewRefresh {
  readonly accessTokenId: Id<'accessTokens'>
  readonly tokenHash: Buffer
  readonly createdAt: Date
}

export async function insertRefresh(db: Db, refresh: NewRefresh): Promise<void> {
  await db.insertInto('refreshTokens').values(refresh).execute()
}

/** The app that this word was given to, held until the transaction ends: of two who bring the same word one is first. */
export async function lockRefresh(db: Db, tokenHash: Buffer) {
  return await db
    .selectFrom('refreshTokens')
    .innerJoin('accessTokens', 'accessTokens.id', 'refreshTokens.accessTokenId')
    .innerJoin('users', 'users.id', 'accessTokens.userId')
    .select([
      'accessTokens.id',
      'accessTokens.createdAt',
      'userId',
      'application',
      'scope',
      'expiresAt',
      'usedAt',
    ])
    .select('isActive')
    .where('refreshTokens.tokenHash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Gives the app another token in the place of the one before; forgets words that were used before `forget`. */
export async function renewToken(
  db: Db,
  args: {
    id: Id<'accessTokens'>
    used: Buffer
    now: Date
    forget: Date
    token: { tokenHash: Buffer; hint: string; accessUntil: Date; expiresAt: Date }
  },
): Promise<void> {
  await db.updateTable('accessTokens').set(args.token).where('id', '=', args.id).execute()
  await db.updateTable('refreshTokens').set({ usedAt: args.now }).where('tokenHash', '=', args.used).execute()
  await db
    .deleteFrom('refreshTokens')
    .where('accessTokenId', '=', args.id)
    .where('usedAt', '<', args.forget)
    .execute()
}

/** Shuts an app out, with every word that it was given. */
export async function deleteGrant(db: Db, id: Id<'accessTokens'>): Promise<void> {
  await db.deleteFrom('accessTokens').where('id', '=', id).where('kind', '=', 'app').execute()
}
