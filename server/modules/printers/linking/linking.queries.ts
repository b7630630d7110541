import { type Selectable, sql } from 'kysely'
import { type Id, type PrinterId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { VerificationCodes } from '../../../engines/db/types.gen.ts'

export type CodeRow = Selectable<VerificationCodes>

/** One linking step at a time: codes are unique among the open ones. */
export async function lockCodes(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(7310001)`.execute(db)
}

/** What a code is for: whose it is, the printer that is linked again, the account of others that a new one goes to. */
interface Purpose {
  readonly userId: UserId
  readonly printerId: PrinterId | null
  readonly accountId: UserId | null
}

/** The user's open code for this purpose, if there is one. */
export async function findOpenCode(
  db: Db,
  { userId, printerId, accountId }: Purpose,
  now: Date,
): Promise<CodeRow | undefined> {
  return await db
    .selectFrom('verificationCodes')
    .selectAll()
    .where('userId', '=', userId)
    .where('printerId', printerId === null ? 'is' : '=', printerId)
    .where('accountId', accountId === null ? 'is' : '=', accountId)
    .where('relink', '=', printerId !== null)
    .where('expiredAt', '>', now)
    .executeTakeFirst()
}

/** The open code with these digits, locked. */
export async function lockOpenCode(db: Db, code: string, now: Date): Promise<CodeRow | undefined> {
  return await db
    .selectFrom('verificationCodes')
    .selectAll()
    .where('code', '=', code)
    .where('expiredAt', '>', now)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertCode(
  db: Db,
  values: Purpose & { relink: boolean; code: string; expiredAt: Date },
): Promise<CodeRow> {
  return await db.insertInto('verificationCodes').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function isTaken(db: Db, code: string, now: Date): Promise<boolean> {
  return (await lockOpenCode(db, code, now)) !== undefined
}

export async function findCode(db: Db, userId: UserId, id: number): Promise<CodeRow | undefined> {
  return await db
    .selectFrom('verificationCodes')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', sought<'verificationCodes'>(id))
    .executeTakeFirst()
}

/** The code has done its work: it expires at once and names its printer. */
export async function closeCode(
  db: Db,
  id: Id<'verificationCodes'>,
  printerId: PrinterId,
  now: Date,
): Promise<CodeRow> {
  return await db
    .updateTable('verificationCodes')
    .set({ verifiedAt: now, expiredAt: now, printerId })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The user's own open code with these digits. */
export async function findOpenCodeOf(
  db: Db,
  userId: UserId,
  code: string,
  now: Date,
): Promise<CodeRow | undefined> {
  return await db
    .selectFrom('verificationCodes')
    .selectAll()
    .where('userId', '=', userId)
    .where('code', '=', code)
    .where('expiredAt', '>', now)
    .executeTakeFirst()
}
