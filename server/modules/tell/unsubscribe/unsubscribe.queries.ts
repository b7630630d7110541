import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { List } from './unsubscribe.rules.ts'

/** Whose link it is. */
export async function findByToken(db: Db, unsubToken: string) {
  return db.selectFrom('users').select('id').where('unsubToken', '=', unsubToken).executeTakeFirst()
}

/** Takes somebody off a list of letters. */
export async function leave(db: Db, userId: UserId, list: List, now: Date): Promise<void> {
  if (list === 'account_notification') {
    await db
      .updateTable('users')
      .set({ accountNotificationByEmail: false, updatedAt: now })
      .where('id', '=', userId)
      .execute()
    return
  }
  await db
    .updateTable('notificationSettings')
    .set({ ...Object.fromEntries(list.map((column) => [column, false])), updatedAt: now })
    .where('userId', '=', userId)
    .where('name', '=', 'email')
    .execute()
}
