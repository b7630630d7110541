import { sql } from 'kysely'
import type { Feature } from '@vigil/contract/tell/notifications.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { FEATURE_COLUMN } from '../deliveries/owed.queries.ts'
import { selectRecipients } from '../deliveries/recipients.queries.ts'

/** The channels by which these people want to hear of `feature`, with the step each is told in. */
export async function findWays(
  db: Db,
  {
    userIds,
    feature,
    channels,
  }: { userIds: readonly UserId[]; feature: Feature; channels: readonly string[] },
) {
  return await selectRecipients(db)
    .select('s.escalationStep as step')
    .where('s.userId', 'in', [...userIds])
    .where('s.name', 'in', [...channels])
    .where(`s.${FEATURE_COLUMN[feature]}`, '=', true)
    .where('u.notificationEnabled', '=', true)
    .execute()
}
export type Way = Awaited<ReturnType<typeof findWays>>[number]

/** Ends deliveries of notices that were accepted before they were written, each at its time; the outbox does not take them. */
export async function endAccepted(
  tx: Db,
  noticeKeys: readonly string[],
  accepted: ReadonlyMap<number, Date>,
): Promise<void> {
  if (accepted.size === 0) return
  const [ids, times] = [[...accepted.keys()], [...accepted.values()]]
  await sql`
    update deliveries d set outcome = 'accepted', ended_at = told.at, attempts = 1, waits_for = null
    from unnest(${ids}::integer[], ${times}::timestamptz[]) as told (setting_id, at)
    where d.notice_key = any(${noticeKeys}::text[]) and d.setting_id = told.setting_id and d.outcome is null`.execute(
    tx,
  )
  await sql`
    update notification_settings s set accepted_at = told.at
    from unnest(${ids}::integer[], ${times}::timestamptz[]) as told (setting_id, at) where s.id = told.setting_id`.execute(
    tx,
  )
}
