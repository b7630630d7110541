import type { Id } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { signedInAt } from '../../people/mail/index.ts'

/** The brokers that printers are shown on: channels that are on, of people who may sign in. */
export async function findLinks(db: Db, most: number) {
  return await db
    .selectFrom('notificationSettings as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select(['s.id', 's.userId', 's.config', 'u.language', 'u.brand', signedInAt])
    .where('s.name', '=', 'mqtt')
    .where('s.enabled', '=', true)
    .where('u.isActive', '=', true)
    .orderBy('s.id')
    .limit(most)
    .execute()
}
export type LinkRow = Awaited<ReturnType<typeof findLinks>>[number]

/** Whether a channel is set up still, be it switched off. */
export async function isSetUp(db: Db, id: Id<'notificationSettings'>): Promise<boolean> {
  const found = await db
    .selectFrom('notificationSettings')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}
