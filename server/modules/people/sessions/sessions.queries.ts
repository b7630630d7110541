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
