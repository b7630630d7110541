import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

export interface NewIdentity {
  readonly userId: UserId
  readonly brand: string
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly createdAt: Date
}

/** False when somebody of the brand is it already. */
export async function insertIdentity(db: Db, identity: NewIdentity): Promise<boolean> {
  const row = await db
    .insertInto('identities')
    .values({ ...identity, lastUsedAt: identity.createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findIdentity(db: Db, of: { brand: string; issuer: string; subject: string }) {
  return await db
    .selectFrom('identities')
    .select(['id', 'userId'])
    .where('brand', '=', of.brand)
    .where('issuer', '=', of.issuer)
    .where('subject', '=', of.subject)
    .executeTakeFirst()
}

export async function findIdentities(db: Db, userId: UserId) {
  return await db.selectFrom('identities').selectAll().where('userId', '=', userId).orderBy('id').execute()
}

export async function noteIdentityUse(db: Db, id: Id<'identities'>, lastUsedAt: Date): Promise<void> {
  await db.updateTable('identities').set({ lastUsedAt }).where('id', '=', id).execute()
}

/** Has whoever changes the ways into an account wait for its turn, until the transaction ends. */
export async function lockWaysIn(db: Db, userId: UserId): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

/** The provider that it was of; null when the user has no such. */
export async function deleteIdentity(db: Db, userId: UserId, id: number): Promise<string | null> {
  const row = await db
    .deleteFrom('identities')
    .where('id', '=', sought<'identities'>(id))
    .where('userId', '=', userId)
    .returning('provider')
    .executeTakeFirst()
  return row?.provider ?? null
}
