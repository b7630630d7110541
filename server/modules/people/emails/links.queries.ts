import type { Id, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

export type LinkKind = 'confirm' | 'reset' | 'keep-factors' | 'keep-account'

interface NewLink {
  readonly id: string
  readonly kind: LinkKind
  readonly tokenHash: Buffer
  readonly addressId: Id<'emailAddresses'>
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertLink(db: Db, link: NewLink): Promise<void> {
  await db.insertInto('mailLinks').values(link).execute()
}

/** A link that has not run out, used or not, with its address and the address' user. */
export async function findLink(db: Db, kind: LinkKind, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('mailLinks')
    .innerJoin('emailAddresses', 'emailAddresses.id', 'mailLinks.addressId')
    .innerJoin('users', 'users.id', 'emailAddresses.userId')
    .selectAll('emailAddresses')
    .select(['mailLinks.id as linkId', 'usedAt', 'users.isActive', 'users.language'])
    .where('kind', '=', kind)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}
export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** Uses a link up: true for the one who was first. */
export async function useLink(db: Db, id: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('mailLinks')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** When links of this kind went to an address since `since`. */
export async function linksSince(
  db: Db,
  kind: LinkKind,
  addressId: Id<'emailAddresses'>,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('mailLinks')
    .select('createdAt')
    .where('addressId', '=', addressId)
    .where('kind', '=', kind)
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

/** Links of this kind to any address of a user lead nowhere any more. */
export async function endLinks(db: Db, kind: LinkKind, userId: UserId, now: Date): Promise<void> {
  await db
    .updateTable('mailLinks')
    .set({ usedAt: now })
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('addressId', 'in', db.selectFrom('emailAddresses').select('id').where('userId', '=', userId))
    .execute()
}

/** Forgets links that ran out before `before`. */
export async function deleteLinks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('mailLinks').where('expiresAt', '<', before).execute()
}
