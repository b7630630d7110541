import { sql } from 'kysely'
import type { HouseholdRole } from '@vigil/contract/people/household.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Id, type PrinterId, sought, type UserId } from '../../../lib/id.ts'

/** An account whose household somebody rules: their own, or one that made them an owner; undefined for any other. */
export async function findRuled(db: Db, { userId }: UserPrincipal, account: number) {
  const id = sought<'users'>(account)
  return await db
    .selectFrom('users')
    .select(['users.id', 'users.firstName', 'users.lastName', 'users.email'])
    .where('users.id', '=', id)
    .where('users.isActive', '=', true)
    .where((eb) =>
      eb.or([
        eb('users.id', '=', userId),
        eb.exists(
          eb
            .selectFrom('memberships as m')
            .select('m.id')
            .whereRef('m.ownerId', '=', 'users.id')
            .where('m.memberId', '=', userId)
            .where('m.role', '=', 'owner'),
        ),
      ]),
    )
    .executeTakeFirst()
}
export type Ruled = NonNullable<Awaited<ReturnType<typeof findRuled>>>

const withNames = (db: Db) =>
  db
    .selectFrom('memberships as m')
    .leftJoin('users as u', 'u.id', 'm.memberId')
    .selectAll('m')
    .select(['u.firstName', 'u.lastName', 'u.email as memberEmail'])

/** Whom an account has let in, then who is invited. */
export async function findMembers(db: Db, ownerId: UserId) {
  return await withNames(db)
    .where('m.ownerId', '=', ownerId)
    .orderBy(sql`m.accepted_at is null`)
    .orderBy('m.id')
    .execute()
}
export type MemberRow = Awaited<ReturnType<typeof findMembers>>[number]

/** One of them, by the number that an owner names. */
export async function findMember(db: Db, ownerId: UserId, id: number): Promise<MemberRow | undefined> {
  return await withNames(db)
    .where('m.ownerId', '=', ownerId)
    .where('m.id', '=', sought<'memberships'>(id))
    .executeTakeFirst()
}

/** Somebody's own rows, in any account's household, with whose that is. */
export async function findOfMember(db: Db, memberId: UserId) {
  return await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.ownerId')
    .select(['m.id', 'm.ownerId', 'm.role', 'm.printerIds', 'u.firstName', 'u.lastName', 'u.email'])
    .where('m.memberId', '=', memberId)
    .orderBy('m.id')
    .execute()
}

/** An invitation that is open, by the word in its link, with who makes it. */
export async function findInvitation(db: Db, tokenHash: Buffer, now: Date) {
  return await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.ownerId')
    .selectAll('m')
    .select(['u.firstName', 'u.lastName', 'u.email as ownerEmail'])
    .where('m.tokenHash', '=', tokenHash)
    .where('m.acceptedAt', 'is', null)
    .where('m.expiresAt', '>', now)
    .where('u.isActive', '=', true)
    .executeTakeFirst()
}

interface NewMember {
  readonly ownerId: UserId
  readonly email: string
  readonly role: HouseholdRole
  readonly printerIds: PrinterId[] | null
  readonly linkId: string
  readonly tokenHash: Buffer
  readonly invitedAt: Date
  readonly expiresAt: Date
}

/** An address that was invited and did not come is invited anew; undefined where its invitation is open still. */
export async function insertMember(db: Db, row: NewMember): Promise<{ id: Id<'memberships'> } | undefined> {
  await db
    .deleteFrom('memberships')
    .where('ownerId', '=', row.ownerId)
    .where('memberId', 'is', null)
    .where('expiresAt', '<=', row.invitedAt)
    .execute()
  return await db
    .insertInto('memberships')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
}

/** Makes an open invitation somebody's; false when it was taken up meanwhile, or they are in already. */
export async function takeUp(
  db: Db,
  { id, memberId, now }: { id: Id<'memberships'>; memberId: UserId; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('memberships')
    .set({ memberId, acceptedAt: now })
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('memberships as other')
            .select('other.id')
            .whereRef('other.ownerId', '=', 'memberships.ownerId')
            .where('other.memberId', '=', memberId),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives a member another role, other printers. */
export async function updateMember(
  db: Db,
  id: Id<'memberships'>,
  values: { role: HouseholdRole; printerIds: PrinterId[] | null },
): Promise<void> {
  await db.updateTable('memberships').set(values).where('id', '=', id).execute()
}

export async function deleteMember(db: Db, id: Id<'memberships'>): Promise<void> {
  await db.deleteFrom('memberships').where('id', '=', id).execute()
}

/** Writes in which order members are told; who is not among them is told at once. Other accounts' members stay as they are. */
export async function writeOrder(db: Db, ownerId: UserId, ids: readonly number[]): Promise<void> {
  await sql`
    update memberships set place = array_position(${[...ids]}::integer[], id)
    where owner_id = ${ownerId}`.execute(db)
}

/** An account's printers, also those in the archive, by name. */
export async function findPrintersOf(db: Db, ownerId: UserId) {
  return await db
    .selectFrom('printers')
    .select(['id', 'name'])
    .where('userId', '=', ownerId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
}
