import type { Insertable, Selectable } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { SliceSettings } from '../../../engines/db/types.gen.ts'

export async function findSettings(db: Db, userId: UserId): Promise<Selectable<SliceSettings> | undefined> {
  return await db.selectFrom('sliceSettings').selectAll().where('userId', '=', userId).executeTakeFirst()
}

export async function keepSettings(
  db: Db,
  userId: UserId,
  values: Omit<Insertable<SliceSettings>, 'userId'>,
): Promise<void> {
  await db
    .insertInto('sliceSettings')
    .values({ ...values, userId })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute()
}
