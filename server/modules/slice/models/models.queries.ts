import { type Insertable, type Selectable, sql } from 'kysely'
import { sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MeshModels } from '../../../engines/db/types.gen.ts'

export type ModelRow = Selectable<MeshModels>

export async function findModels(db: Db, userId: UserId, limit: number): Promise<ModelRow[]> {
  return await db
    .selectFrom('meshModels')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findModel(db: Db, userId: UserId, id: number): Promise<ModelRow | undefined> {
  return await db
    .selectFrom('meshModels')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', sought<'meshModels'>(id))
    .executeTakeFirst()
}

/** Null when they have as many as they may: counted under the lock of their own row. */
export async function insertModel(
  db: Db,
  userId: UserId,
  values: Omit<Insertable<MeshModels>, 'userId'>,
  most: number,
): Promise<ModelRow | null> {
  return await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const { count } = await tx
      .selectFrom('meshModels')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return null
    return await tx
      .insertInto('meshModels')
      .values({ ...values, userId })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

export async function renameModel(
  db: Db,
  userId: UserId,
  id: number,
  name: string,
): Promise<ModelRow | undefined> {
  return await db
    .updateTable('meshModels')
    .set({ name })
    .where('userId', '=', userId)
    .where('id', '=', sought<'meshModels'>(id))
    .returningAll()
    .executeTakeFirst()
}

export async function removeModel(db: Db, userId: UserId, id: number): Promise<ModelRow | undefined> {
  return await db
    .deleteFrom('meshModels')
    .where('userId', '=', userId)
    .where('id', '=', sought<'meshModels'>(id))
    .returningAll()
    .executeTakeFirst()
}

/** What the meshes of a user take, in bytes. */
export async function modelBytes(db: Db, userId: UserId): Promise<number> {
  const { sum } = await db
    .selectFrom('meshModels')
    .select(sql<number>`coalesce(sum(num_bytes), 0)::float8`.as('sum'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return sum
}
