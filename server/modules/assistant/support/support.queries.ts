import type { Db } from '../../../engines/db/port.ts'
import { signedInAt } from '../../people/mail/index.ts'
import type { Id, UserId } from '../../../lib/id.ts'

/** What somebody has written. */
export interface SupportRequest {
  readonly userId: UserId | null
  /** Where to answer; null: nobody has said. */
  readonly email: string | null
  readonly brand: string
  readonly message: string
  readonly chat: string | null
}

export async function insertRequest(
  tx: Db,
  values: SupportRequest & { readonly createdAt: Date },
): Promise<Id<'supportRequests'>> {
  const { id } = await tx
    .insertInto('supportRequests')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** One that was not sent, with where links in letters lead. */
export async function findRequest(db: Db, id: Id<'supportRequests'>) {
  return await db
    .selectFrom('supportRequests')
    .selectAll()
    .select(signedInAt)
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .executeTakeFirst()
}

export async function noteSent(db: Db, id: Id<'supportRequests'>, now: Date): Promise<void> {
  await db.updateTable('supportRequests').set({ sentAt: now }).where('id', '=', id).execute()
}

export async function deleteOld(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('supportRequests').where('createdAt', '<', before).execute()
}
