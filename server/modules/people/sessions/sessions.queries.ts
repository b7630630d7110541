import { sql } from 'kysely'
import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Open sessions of a user, the one used last first. */
export async function findSessions(db: Db, userId: UserId, now: Date) {
  return await db
    .selectFrom('sessions')
    .select(['id', 'agent', 'address', 'createdAt', 'usedAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('usedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Notes from where a session is used, unless that was done after `before`. */
export async function noteSessionUse(
  db: Db,
  { id, before, ...used }: { id: Id<'sessions'>; before: Date; agent: string; address: string; usedAt: Date },
): Promise<void> {
  await db.updateTable('sessions').set(used).where('id', '=', id).where('usedAt', '<', before).execute()
}

/** Removes a session of a user; its id when there was one. */
export async function deleteOwnSession(
  db: Db,
  userId: UserId,
  id: number,
): Promise<Id<'sessions'> | undefined> {
  const row = await db
    .deleteFrom('sessions')
    .where('id', '=', sought<'sessions'>(id))
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** From now on whoever holds this session of an administrator acts as somebody else; false when they do already. */
export async function beginActing(
  db: Db,
  { id, userId, now, until }: { id: Id<'sessions'>; userId: UserId; now: Date; until: Date },
): Promise<boolean> {
  const begun = await db
    .updateTable('sessions')
    .set({ actingAs: userId, actingUntil: until })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('actingUntil', 'is', null), eb('actingUntil', '<=', now)]))
    .executeTakeFirst()
  return begun.numUpdatedRows > 0n
}

/** They are themselves again; false when they were. */
export async function endActing(db: Db, id: Id<'sessions'>): Promise<boolean> {
  const ended = await db
    .updateTable('sessions')
    .set({ actingAs: null, actingUntil: null })
    .where('id', '=', id)
    .where('actingUntil', 'is not', null)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** The same for all whose time is over; returns who acted as whom (null: an account that is gone). */
export async function clearLapsed(db: Db, now: Date) {
  const { rows } = await sql<{ id: Id<'sessions'>; staffId: UserId; userId: UserId | null }>`
    with lapsed as (
      select id, user_id, acting_as from sessions where acting_until <= ${now} for update skip locked
    )
    update sessions set acting_as = null, acting_until = null from lapsed where sessions.id = lapsed.id
    returning lapsed.id, lapsed.user_id as staff_id, lapsed.acting_as as user_id`.execute(db)
  return rows
}

/** Until when the holder of a session acts as somebody else; null: they do not. */
export async function actingUntil(db: Db, id: Id<'sessions'>, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('sessions')
    .select('actingUntil')
    .where('id', '=', id)
    .where('actingUntil', '>', now)
    .executeTakeFirst()
  return row?.actingUntil ?? null
}
