import { type Selectable, sql } from 'kysely'
import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { EmailAddresses } from '../../../engines/db/types.gen.ts'

export type AddressRow = Selectable<EmailAddresses>

/** Addresses of a user, the primary one first. */
export async function findAddresses(db: Db, userId: UserId): Promise<AddressRow[]> {
  return db
    .selectFrom('emailAddresses')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('isPrimary', 'desc')
    .orderBy('id')
    .execute()
}

/** One address of a user; with `lock` nobody else changes the user's until the transaction ends. */
export async function findAddress(
  db: Db,
  { userId, id }: { userId: UserId; id: number },
): Promise<AddressRow | undefined> {
  return db
    .selectFrom('emailAddresses')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', sought<'emailAddresses'>(id))
    .executeTakeFirst()
}

/** Changes to the addresses of one user run one after the other. */
export async function lockUser(db: Db, userId: UserId) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'brand'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** Who is told what happens to their account. */
export async function findNewsReader(db: Db, userId: UserId) {
  return db
    .selectFrom('users')
    .select(['email', 'timeZone', 'accountNotificationByEmail'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
export type NewsReader = NonNullable<Awaited<ReturnType<typeof findNewsReader>>>

interface NewAddress {
  readonly userId: UserId
  readonly brand: string
  readonly email: string
  readonly verified: boolean
  readonly isPrimary: boolean
}

/** Undefined when the user has this address. */
export async function insertAddress(db: Db, address: NewAddress): Promise<AddressRow | undefined> {
  return db
    .insertInto('emailAddresses')
    .values(address)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function deleteAddress(db: Db, id: Id<'emailAddresses'>): Promise<void> {
  await db.deleteFrom('emailAddresses').where('id', '=', id).execute()
}

/** Whether somebody else of the brand signs in with an address, or has confirmed it. */
export async function belongsToOther(
  db: Db,
  { brand, email, userId }: { brand: string; email: string; userId: UserId },
): Promise<boolean> {
  const row = await db
    .selectFrom('emailAddresses')
    .select('id')
    .where('brand', '=', brand)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('userId', '!=', userId)
    .where((eb) => eb.or([eb('verified', '=', true), eb('isPrimary', '=', true)]))
    .executeTakeFirst()
  return row !== undefined
}

/** The user's own record follows their primary address. */
async function followPrimary(db: Db, userId: UserId, now: Date): Promise<void> {
  await sql`
    update users u set email = a.email, is_primary_email_verified = a.verified, updated_at = ${now}
    from email_addresses a where u.id = ${userId} and a.user_id = u.id and a.is_primary`.execute(db)
}

export async function markVerified(db: Db, { id, userId }: AddressRow, now: Date): Promise<void> {
  await db.updateTable('emailAddresses').set({ verified: true }).where('id', '=', id).execute()
  await followPrimary(db, userId, now)
}

export async function markPrimary(db: Db, { id, userId }: AddressRow, now: Date): Promise<void> {
  await db.updateTable('emailAddresses').set({ isPrimary: false }).where('userId', '=', userId).execute()
  await db.updateTable('emailAddresses').set({ isPrimary: true }).where('id', '=', id).execute()
  await followPrimary(db, userId, now)
}
