import { type Selectable, type Updateable, sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { Chats } from '../../../engines/db/types.gen.ts'
import { type FileId, sought, type UserId } from '../../../lib/id.ts'

export type ChatRow = Selectable<Chats>
export type ChatValues = Omit<Updateable<Chats>, 'id' | 'userId' | 'createdAt'>

/** Of one person; older ones go when a newer one comes. */
const MOST_KEPT = 1_000
/** Of a list, as text: more of it would keep all others waiting. */
const MOST_BYTES = 4 * 1_048_576

/** Somebody's chats, the newest first, as many as come to {@link MOST_BYTES}, and the newest in any case; those that a file came of, where one is named. */
export async function findChats(
  db: Db,
  userId: UserId,
  { fileId, limit }: { fileId: number | undefined; limit: number },
): Promise<ChatRow[]> {
  const bytes = sql<number>`
    sum(octet_length(messages) + coalesce(octet_length(slicing_settings_json), 0)) over (order by id desc)`
  let query = db
    .selectFrom('chats')
    .select(['id', bytes.as('bytes'), sql<number>`row_number() over (order by id desc)`.as('place')])
    .where('userId', '=', userId)
  if (fileId !== undefined) query = query.where('gCodeFileId', '=', sought<'gCodeFiles'>(fileId))
  return await db
    .selectFrom('chats')
    .innerJoin(query.orderBy('id', 'desc').limit(limit).as('newest'), 'newest.id', 'chats.id')
    .selectAll('chats')
    .where((eb) => eb.or([eb('newest.bytes', '<=', MOST_BYTES), eb('newest.place', '=', 1)]))
    .orderBy('chats.id', 'desc')
    .execute()
}

export async function findChat(db: Db, userId: UserId, id: number): Promise<ChatRow | undefined> {
  return await ofUser(db, userId, id).executeTakeFirst()
}

const ofUser = (db: Db, userId: UserId, id: number) =>
  db.selectFrom('chats').selectAll().where('userId', '=', userId).where('id', '=', sought<'chats'>(id))

export async function insertChat(
  db: Db,
  userId: UserId,
  values: ChatValues & { readonly messages: string },
  now: Date,
): Promise<ChatRow> {
  const row = await db
    .insertInto('chats')
    .values({ ...values, userId, createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('chats')
    .where('userId', '=', userId)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('chats')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('id', 'desc')
        .offset(MOST_KEPT)
        .limit(1),
    )
    .execute()
  return row
}

/** Undefined when they have none such. */
export async function updateChat(
  db: Db,
  userId: UserId,
  id: number,
  { now, ...values }: ChatValues & { readonly now: Date },
): Promise<ChatRow | undefined> {
  return await db
    .updateTable('chats')
    .set({ ...values, updatedAt: now })
    .where('userId', '=', userId)
    .where('id', '=', sought<'chats'>(id))
    .returningAll()
    .executeTakeFirst()
}

/** The file that came of a chat: both are its person's, or nothing happens. */
export async function linkChat(
  db: Db,
  { userId, chatId, fileId }: { userId: UserId; chatId: number; fileId: FileId },
): Promise<void> {
  await db
    .updateTable('chats')
    .set({ gCodeFileId: fileId })
    .where('userId', '=', userId)
    .where('id', '=', sought<'chats'>(chatId))
    .execute()
}

/** False when they have none such. */
export async function removeChat(db: Db, userId: UserId, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('chats')
    .where('userId', '=', userId)
    .where('id', '=', sought<'chats'>(id))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
