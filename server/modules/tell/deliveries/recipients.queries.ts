import type { Id } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { signedInAt } from '../../people/mail/index.ts'

/** The channels `s` that are on, of people `u` who may sign in, with what a message needs of both. */
export const selectRecipients = (db: Db) =>
  db
    .selectFrom('notificationSettings as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select([
      's.id as settingId',
      's.name as channel',
      's.config',
      'u.id',
      'u.email',
      'u.firstName',
      'u.lastName',
      'u.unsubToken',
      'u.isPro',
      'u.language',
      'u.brand',
      signedInAt,
    ])
    .where('s.enabled', '=', true)
    .where('u.isActive', '=', true)

/** To whom a delivery goes, as they have it now; undefined when they have taken the channel away. */
export async function findRecipient(db: Db, settingId: Id<'notificationSettings'>) {
  return await selectRecipients(db).where('s.id', '=', settingId).executeTakeFirst()
}
export type RecipientRow = NonNullable<Awaited<ReturnType<typeof findRecipient>>>
