import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

export async function findTotp(db: Db, userId: UserId) {
  return await db.selectFrom('totpFactors').select('secret').where('userId', '=', userId).executeTakeFirst()
}

/** Keys of apps as they are sealed, of accounts after this one. */
export async function totpAfter(db: Db, after: UserId, limit: number) {
  return await db
    .selectFrom('totpFactors')
    .select(['userId', 'secret'])
    .where('userId', '>', after)
    .orderBy('userId')
    .limit(limit)
    .execute()
}

/** The same key, sealed anew; one that was set up meanwhile stays. */
export async function replaceTotp(
  db: Db,
  { userId, secret }: { readonly userId: UserId; readonly secret: string },
  sealed: string,
): Promise<void> {
  await db
    .updateTable('totpFactors')
    .set({ secret: sealed })
    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .execute()
}

export async function saveTotp(
  db: Db,
  row: { userId: UserId; secret: string; lastStep: number; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('totpFactors')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute()
}

/** Uses up a step of time and all before it; false when a code of it, or of a later one, was used already. */
export async function useStep(db: Db, userId: UserId, step: number): Promise<boolean> {
  const result = await db
    .updateTable('totpFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteTotp(db: Db, userId: UserId): Promise<boolean> {
  const result = await db.deleteFrom('totpFactors').where('userId', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export interface NewPasskey {
  readonly userId: UserId
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: string[]
  readonly rpId: string
  readonly name: string
  readonly createdAt: Date
}

/** Undefined for a credential that is known already. */
export async function insertPasskey(db: Db, row: NewPasskey) {
  return await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}
export type PasskeyRow = NonNullable<Awaited<ReturnType<typeof insertPasskey>>>

export async function findPasskeys(db: Db, userId: UserId): Promise<PasskeyRow[]> {
  return await db.selectFrom('passkeys').selectAll().where('userId', '=', userId).orderBy('id').execute()
}

/** The passkey of that name that an authenticator gave it, whoever's. */
export async function findCredential(db: Db, credential: string): Promise<PasskeyRow | undefined> {
  return await db.selectFrom('passkeys').selectAll().where('credentialId', '=', credential).executeTakeFirst()
}

export async function notePasskey(
  db: Db,
  id: Id<'passkeys'>,
  used: { counter: number; lastUsedAt: Date },
): Promise<void> {
  await db.updateTable('passkeys').set(used).where('id', '=', id).execute()
}

/** Its name when it was there. */
export async function deletePasskey(db: Db, userId: UserId, id: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkeys')
    .where('id', '=', sought<'passkeys'>(id))
    .where('userId', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

export async function deletePasskeys(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom('passkeys').where('userId', '=', userId).execute()
}

export async function replaceCodes(db: Db, userId: UserId, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((codeHash) => ({ userId, codeHash }))
  await db.insertInto('recoveryCodes').values(rows).execute()
}

/** Uses a code up: true for the one who was first. */
export async function useCode(db: Db, userId: UserId, codeHashes: readonly Buffer[]): Promise<boolean> {
  const result = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', 'in', codeHashes)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** An administrator was asked; false when that stands already. */
export async function insertReset(db: Db, userId: UserId): Promise<boolean> {
  const result = await db
    .insertInto('factorResets')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findReset(db: Db, userId: UserId) {
  return await db.selectFrom('factorResets').select('dueAt').where('userId', '=', userId).executeTakeFirst()
}

export async function deleteReset(db: Db, userId: UserId): Promise<boolean> {
  const result = await db.deleteFrom('factorResets').where('userId', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Resets of which their owners have not been told, taken by this transaction. */
export async function untoldResets(db: Db): Promise<UserId[]> {
  const rows = await db
    .selectFrom('factorResets')
    .select('userId')
    .where('dueAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .limit(100)
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function setDue(db: Db, userId: UserId, dueAt: Date): Promise<void> {
  await db.updateTable('factorResets').set({ dueAt }).where('userId', '=', userId).execute()
}

/** Removes and tells the resets that nobody objected to. */
export async function takeDueResets(db: Db, now: Date): Promise<UserId[]> {
  const rows = await db.deleteFrom('factorResets').where('dueAt', '<=', now).returning('userId').execute()
  return rows.map(({ userId }) => userId)
}
