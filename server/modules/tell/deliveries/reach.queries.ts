import { sql } from 'kysely'
import type { Id, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { isFailing } from './reach.rules.ts'

/** The channels that are on, and how each does. */
export async function channelsInUse(db: Db, userId: UserId) {
  return await db
    .selectFrom('notificationSettings')
    .select(['name', 'notifyOnFailureAlert', 'acceptedAt', 'refusedAt', 'refusal'])
    .where('userId', '=', userId)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
}

/** A channel has taken a message. */
export async function markWorks(db: Db, settingId: Id<'notificationSettings'>, at: Date): Promise<void> {
  await db.updateTable('notificationSettings').set({ acceptedAt: at }).where('id', '=', settingId).execute()
}

/** A try by a channel has failed. Returns since when they do, and when it took a message last; undefined when it is gone. */
export async function markFailing(
  db: Db,
  settingId: Id<'notificationSettings'>,
  { now, refusal }: { now: Date; refusal: string },
) {
  return await db
    .updateTable('notificationSettings')
    .set({
      refusal,
      refusedAt: sql<Date>`case when accepted_at < refused_at or accepted_at is null and refused_at is not null
        then refused_at else greatest(${now}::timestamptz, accepted_at + interval '1 millisecond') end`,
    })
    .where('id', '=', settingId)
    .returning(['refusedAt', 'acceptedAt'])
    .executeTakeFirst()
}

/** Whether a channel of somebody still takes no messages. */
export async function isStillFailing(db: Db, userId: UserId, name: string): Promise<boolean> {
  const channels = await channelsInUse(db, userId)
  return channels.some((one) => one.name === name && isFailing(one))
}
