import type { Insertable, Selectable, Updateable } from 'kysely'
import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { NotificationSettings } from '../../../engines/db/types.gen.ts'

export type SettingRow = Selectable<NotificationSettings>

export async function settingsOf(db: Db, userId: UserId): Promise<SettingRow[]> {
  return await db
    .selectFrom('notificationSettings')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

/** A channel of its owner; anybody else's is not there. */
export async function findSetting(db: Db, userId: UserId, id: number): Promise<SettingRow | undefined> {
  return await db
    .selectFrom('notificationSettings')
    .selectAll()
    .where('id', '=', sought<'notificationSettings'>(id))
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Undefined when this channel is set up already. */
export async function insertSetting(
  db: Db,
  setting: Insertable<NotificationSettings>,
): Promise<SettingRow | undefined> {
  return await db
    .insertInto('notificationSettings')
    .values(setting)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Sets a channel up, or gives it another configuration. */
export async function upsertSetting(
  db: Db,
  { userId, name, config, now }: { userId: UserId; name: string; config: string; now: Date },
): Promise<SettingRow> {
  const fresh = { config, enabled: true, acceptedAt: null, refusedAt: null, refusal: null, updatedAt: now }
  return await db
    .insertInto('notificationSettings')
    .values({ userId, name, config })
    .onConflict((conflict) => conflict.columns(['userId', 'name']).doUpdateSet(fresh))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateSetting(
  db: Db,
  id: Id<'notificationSettings'>,
  changes: Updateable<NotificationSettings>,
): Promise<SettingRow | undefined> {
  return await db
    .updateTable('notificationSettings')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteSetting(db: Db, id: Id<'notificationSettings'>): Promise<void> {
  await db.deleteFrom('notificationSettings').where('id', '=', id).execute()
}

/** Whether SMS is part of what somebody pays for is asked of their plan. */
export async function findPayer(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select(['id', 'isPro', 'brand'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** When a channel is told of an alert that nobody answers; nothing when it is not set up. */
export async function setStep(
  db: Db,
  userId: UserId,
  { name, step, now }: { name: string; step: number; now: Date },
): Promise<void> {
  await db
    .updateTable('notificationSettings')
    .set({ escalationStep: step, updatedAt: now })
    .where('userId', '=', userId)
    .where('name', '=', name)
    .execute()
}

export async function setTimeZone(db: Db, userId: UserId, timeZone: string): Promise<void> {
  await db.updateTable('users').set({ timeZone }).where('id', '=', userId).execute()
}
