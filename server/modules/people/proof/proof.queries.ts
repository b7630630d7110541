import type { Id, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** What an account can show of who it is; undefined when it is gone. */
export async function findMeans(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .select((eb) => [
      eb('passwordHash', 'is not', null).as('hasPassword'),
      eb.exists(eb.selectFrom('totpFactors').select('userId').where('userId', '=', userId)).as('hasTotp'),
      eb.exists(eb.selectFrom('passkeys').select('id').where('userId', '=', userId)).as('hasPasskey'),
      eb
        .selectFrom('recoveryCodes')
        .select((of) => of.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .as('codesLeft'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** When a session last showed who it is of; it did when it began. And until when an administrator acts as somebody else by it. */
export async function findProof(db: Db, id: Id<'sessions'>) {
  return await db
    .selectFrom('sessions')
    .select((eb) => [eb.fn.coalesce('confirmedAt', 'createdAt').as('at'), 'actingUntil'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function noteProof(db: Db, id: Id<'sessions'>, confirmedAt: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmedAt }).where('id', '=', id).execute()
}
