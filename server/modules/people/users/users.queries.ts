import { type Selectable, sql } from 'kysely'
import { type Id, NO_ID, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Users } from '../../../engines/db/types.gen.ts'
import { findKept, keep } from './instance.queries.ts'

export type UserRow = Selectable<Users>

/** Set-up and its check run one after the other, on whatever node. */
const SETUP_LOCK = 0x5e709
const SETUP_KEY = 'setup_token_sha256'

export async function findUser(db: Db, id: UserId): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** E-mail is unique within a brand (docs/wire/rest.md 5). */
export async function findUserByEmail(
  db: Db,
  { brand, email }: { brand: string; email: string },
): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('brand', '=', brand)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
}

export async function allUsers(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'brand', 'email', 'isStaff', 'isActive', 'createdAt', 'lastActiveAt'])
    .orderBy('id')
    .execute()
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export interface NewUser {
  brand: string
  email: string
  /** Null: they sign in another way. */
  passwordHash: string | null
  isStaff: boolean
  language: 'en' | 'zh'
  isPrimaryEmailVerified: boolean
  now: Date
}

/** Makes a user and their primary address in one; undefined when somebody signs in with it. */
export async function insertUser(db: Db, { now, ...user }: NewUser): Promise<UserRow | undefined> {
  return db
    .with('made', (cte) =>
      cte
        .insertInto('users')
        .values({ ...user, consentedAt: now, createdAt: now, updatedAt: now })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll(),
    )
    .with('address', (cte) =>
      cte
        .insertInto('emailAddresses')
        .columns(['userId', 'brand', 'email', 'verified', 'isPrimary'])
        .expression((eb) =>
          eb
            .selectFrom('made')
            .select(['id', 'brand', 'email', 'isPrimaryEmailVerified', sql.lit(true).as('isPrimary')]),
        ),
    )
    .selectFrom('made')
    .selectAll()
    .executeTakeFirst()
}

/** Whether an account of the brand has confirmed an address, be it the one it signs in with or not. */
export async function isConfirmedBySome(
  db: Db,
  { brand, email }: { brand: string; email: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('emailAddresses')
    .select('id')
    .where('brand', '=', brand)
    .where('verified', '=', true)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
  return row !== undefined
}

/** The address that a link for a new password may go to: one that an account has confirmed, else one it signs in with. */
export async function findResetAddress(db: Db, { brand, email }: { brand: string; email: string }) {
  return db
    .selectFrom('emailAddresses')
    .innerJoin('users', 'users.id', 'emailAddresses.userId')
    .selectAll('emailAddresses')
    .where('emailAddresses.brand', '=', brand)
    .where(sql<boolean>`lower(email_addresses.email) = lower(${email})`)
    .where('isActive', '=', true)
    .where((eb) => eb.or([eb('verified', '=', true), eb('isPrimary', '=', true)]))
    .orderBy('verified', 'desc')
    .executeTakeFirst()
}

export interface UserChanges {
  firstName?: string
  lastName?: string
  accountNotificationByEmail?: boolean
  notificationEnabled?: boolean
  unseenPrinterEvents?: number
  language?: string
  timeZone?: string
  theme?: 'light' | 'dark' | 'system'
  passwordHash?: string
  isPro?: boolean
  mobileAppCanary?: boolean
  lastOrigin?: string | null
  lastActiveAt?: Date
}

/** Has whoever mails this address wait for its turn, until the transaction ends. */
export async function lockAddress(db: Db, id: Id<'emailAddresses'>): Promise<void> {
  await db.selectFrom('emailAddresses').select('id').where('id', '=', id).forUpdate().execute()
}

export async function changeUser(
  db: Db,
  id: UserId,
  changes: UserChanges,
  now: Date,
): Promise<UserRow | undefined> {
  return db
    .updateTable('users')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** The same password, hashed anew; one that was chosen meanwhile stays. */
export async function rehash(
  db: Db,
  id: UserId,
  { before, passwordHash }: { readonly before: string; readonly passwordHash: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ passwordHash, updatedAt: now })
    .where('id', '=', id)
    .where('passwordHash', '=', before)
    .execute()
}

/** Marks a user as active now, unless that was written after `before`. */
export async function touchUser(
  db: Db,
  id: UserId,
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ lastActiveAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastActiveAt', 'is', null), eb('lastActiveAt', '<', before)]))
    .execute()
}

export interface NewSession {
  userId: UserId
  tokenHash: Buffer
  remember: boolean
  now: Date
  expiresAt: Date
  agent: string
  address: string
}

/** Opens a session and forgets the user's expired ones. */
export async function insertSession(db: Db, { now, ...session }: NewSession): Promise<number> {
  await db.deleteFrom('sessions').where('userId', '=', session.userId).where('expiresAt', '<=', now).execute()
  const row = await db
    .insertInto('sessions')
    .values({ ...session, createdAt: now, seenAt: now, usedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * An open session and whose it is; while an administrator acts as somebody it is that person's, until both are what they were: the one an
 * administrator, the other an account that is open.
 */
export async function findSession(db: Db, tokenHash: Buffer, now: Date) {
  return await db
    .selectFrom('sessions')
    .innerJoin('users as own', 'own.id', 'sessions.userId')
    .leftJoin('users as other', (join) =>
      join
        .onRef('other.id', '=', 'sessions.actingAs')
        .on('sessions.actingUntil', '>', now)
        .on('own.isStaff', '=', true)
        .on('other.isStaff', '=', false)
        .on('other.isActive', '=', true),
    )
    .select(['sessions.id', 'remember', 'seenAt', 'usedAt', 'expiresAt', 'actingUntil'])
    .select(['sessions.createdAt', 'own.id as ownId'])
    .select(['other.id as otherId', sql<string>`coalesce(other.language, own.language)`.as('language')])
    .select(sql<string>`coalesce(other.brand, own.brand)`.as('brand'))
    .where('tokenHash', '=', tokenHash)
    .where('own.isActive', '=', true)
    .executeTakeFirst()
}

/** Moves a session's end, unless another node just did; true when it was this one. */
export async function extendSession(
  db: Db,
  args: { id: Id<'sessions'>; now: Date; expiresAt: Date; seenBefore: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ seenAt: args.now, expiresAt: args.expiresAt })
    .where('id', '=', args.id)
    .where('seenAt', '<=', args.seenBefore)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Ends sessions of a user, all but one if so wished; returns which. */
export async function deleteSessions(
  db: Db,
  args: { userId: UserId; except?: Id<'sessions'> },
): Promise<Id<'sessions'>[]> {
  const ended = await db
    .deleteFrom('sessions')
    .where('userId', '=', args.userId)
    .where('id', '!=', args.except ?? NO_ID)
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

export async function deleteSession(db: Db, id: Id<'sessions'>): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Which of these sessions are still open. */
export async function openSessions(db: Db, ids: Id<'sessions'>[], now: Date): Promise<Set<Id<'sessions'>>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select('sessions.id')
    .where(sql<boolean>`sessions.id = any(${ids})`)
    .where('expiresAt', '>', now)
    .where('isActive', '=', true)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const saveSetupHash = (db: Db, hash: string): Promise<void> =>
  keep(db, SETUP_KEY, JSON.stringify(hash))

/** The hash of the one-time link, held for this transaction so that the link works once; null when there is none. */
export async function lockSetupHash(db: Db): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(db)
  const hash = await findKept(db, SETUP_KEY)
  return typeof hash === 'string' ? hash : null
}

export async function deleteSetupHash(db: Db): Promise<void> {
  await db.deleteFrom('instance').where('key', '=', SETUP_KEY).execute()
}
