import { type Insertable, type Selectable, sql } from 'kysely'
import type { SlicePresets } from '../../../engines/db/types.gen.ts'
import type { Db } from '../../../engines/db/port.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { sought, type UserId } from '../../../lib/id.ts'

export type PresetRow = Selectable<SlicePresets>

/** Somebody's own by name; then what others share with these households, or with all. */
export async function findPresets(
  db: Db,
  { userId, households, limit }: { userId: UserId; households: readonly UserId[] | 'all'; limit: number },
): Promise<PresetRow[]> {
  return await db
    .selectFrom('slicePresets')
    .selectAll()
    .where((eb) => {
      const inThese =
        households === 'all'
          ? []
          : [
              eb.or([
                eb('userId', 'in', households),
                eb(
                  'userId',
                  'in',
                  eb.selectFrom('memberships as m').select('m.memberId').where('m.ownerId', 'in', households),
                ),
              ]),
            ]
      return eb.or([eb('userId', '=', userId), eb.and([eb('isShared', '=', true), ...inThese])])
    })
    .orderBy((eb) => eb('userId', '=', userId), 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Keeps it under its name; null when they have as many as they may. */
export async function upsertPreset(
  tx: Db,
  userId: UserId,
  values: Omit<Insertable<SlicePresets>, 'userId'>,
  most: number,
): Promise<PresetRow | null> {
  await lockList(tx, 'presetsOfUser', userId)
  const replaced = await tx
    .updateTable('slicePresets')
    .set(values)
    .where('userId', '=', userId)
    .where(sql<boolean>`lower(name) = lower(${values.name})`)
    .returningAll()
    .executeTakeFirst()
  if (replaced) return replaced
  const { count } = await tx
    .selectFrom('slicePresets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) return null
  return await tx
    .insertInto('slicePresets')
    .values({ ...values, userId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False when they have none such. */
export async function removePreset(db: Db, userId: UserId, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('slicePresets')
    .where('userId', '=', userId)
    .where('id', '=', sought<'slicePresets'>(id))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
