import type { Id, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** The phones of a printer's owner as a channel; undefined when there are none, or all notifications are turned off. */
export async function findPhoneChannel(
  db: Db,
  printerId: PrinterId,
): Promise<Id<'notificationSettings'> | undefined> {
  const row = await db
    .selectFrom('notificationSettings as s')
    .innerJoin('printers as p', 'p.userId', 's.userId')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select('s.id')
    .where('p.id', '=', printerId)
    .where('s.name', '=', 'mobile')
    .where('s.enabled', '=', true)
    .where('u.notificationEnabled', '=', true)
    .executeTakeFirst()
  return row?.id
}
