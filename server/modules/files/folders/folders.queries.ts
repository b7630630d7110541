import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type FolderId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { GCodeFolders } from '../../../engines/db/types.gen.ts'

/** A folder, with how much lies in it itself. */
export type FolderRow = Selectable<GCodeFolders> & { readonly folders: number; readonly files: number }

const folders = (db: Db, userId: UserId) =>
  db
    .selectFrom('gCodeFolders')
    .selectAll()
    .select([
      sql<number>`(select count(*)::int from g_code_folders child where child.parent_folder_id = g_code_folders.id)`.as(
        'folders',
      ),
      sql<number>`(select count(*)::int from g_code_files file
        where file.parent_folder_id = g_code_folders.id and file.deleted_at is null)`.as('files'),
    ])
    .where('userId', '=', userId)

export interface FolderPage {
  /** undefined: of all folders. */
  readonly parent: number | null | undefined
  readonly sorting: 'name_asc' | 'name_desc' | 'created_at_asc' | 'created_at_desc'
  readonly limit: number
  readonly offset: number
}

/** One page, and how many there are. */
export async function findFolders(
  db: Db,
  userId: UserId,
  { parent, sorting, limit, offset }: FolderPage,
): Promise<{ rows: FolderRow[]; count: number }> {
  const way = sorting.endsWith('_asc') ? 'asc' : 'desc'
  const all = folders(db, userId).$if(parent !== undefined, (q) =>
    parent === null
      ? q.where('parentFolderId', 'is', null)
      : q.where('parentFolderId', '=', sought<'gCodeFolders'>(parent ?? 0)),
  )
  const [rows, { count }] = await Promise.all([
    all
      .$if(sorting.startsWith('name'), (q) => q.orderBy(sql`lower(name)`, way))
      .orderBy('id', way)
      .limit(limit)
      .offset(offset)
      .execute(),
    all
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, count: Number(count) }
}

/** Folders of a user by id. */
export async function findFoldersById(
  db: Db,
  userId: UserId,
  ids: readonly number[],
): Promise<Map<number, FolderRow>> {
  if (ids.length === 0) return new Map()
  const rows = await folders(db, userId)
    .where('id', 'in', [...new Set(ids)].map(sought<'gCodeFolders'>))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The ids of folders and of all that lie in them, however deep. */
export async function findBelow(db: Db, userId: UserId, ids: readonly number[]): Promise<FolderId[]> {
  const { rows } = await sql<{ id: FolderId }>`
    with recursive below as (
      select id from g_code_folders where user_id = ${userId} and id = any(${[...ids]}::integer[])
      union
      select child.id from g_code_folders child join below on child.parent_folder_id = below.id
    ) select id from below`.execute(db)
  return rows.map(({ id }) => id)
}

/** The folders from the root to one of a user's, itself the last; none where it is not theirs. */
export async function findPathTo(db: Db, userId: UserId, id: number): Promise<FolderRow[]> {
  const { rows } = await sql<{ id: number; height: number }>`
    with recursive path as (
      select id, parent_folder_id, 0 as height from g_code_folders where user_id = ${userId} and id = ${id}
      union all
      select parent.id, parent.parent_folder_id, path.height + 1
        from g_code_folders parent join path on parent.id = path.parent_folder_id
    ) select id, height from path order by height desc`.execute(db)
  const found = await findFoldersById(
    db,
    userId,
    rows.map((row) => row.id),
  )
  return rows.flatMap((row) => found.get(row.id) ?? [])
}

/** One change of an account's folders at a time: two moves that each are right could make a circle together. */
export async function lockFolders(db: Db, userId: UserId): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** The safe names that are taken in a folder, but for those of `except`. */
export async function namesIn(
  db: Db,
  userId: UserId,
  parent: FolderId | null,
  except: readonly FolderId[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('gCodeFolders')
    .select('safeName')
    .where('userId', '=', userId)
    .where('parentFolderId', parent === null ? 'is' : '=', parent)
    .$if(except.length > 0, (q) => q.where('id', 'not in', except))
    .execute()
  return new Set(rows.map(({ safeName }) => safeName))
}

export async function countFolders(db: Db, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('gCodeFolders')
    .where('userId', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertFolder(db: Db, folder: Insertable<GCodeFolders>): Promise<FolderId> {
  const { id } = await db.insertInto('gCodeFolders').values(folder).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The folder of this name in a folder of a user. */
export async function findNamed(
  db: Db,
  userId: UserId,
  { parent, safeName }: { parent: FolderId | null; safeName: string },
): Promise<FolderId | undefined> {
  const row = await db
    .selectFrom('gCodeFolders')
    .select('id')
    .where('userId', '=', userId)
    .where('parentFolderId', parent === null ? 'is' : '=', parent)
    .where('safeName', '=', safeName)
    .executeTakeFirst()
  return row?.id
}

/** In which folder one lies. */
export async function findParent(db: Db, id: FolderId): Promise<FolderId | null> {
  const row = await db
    .selectFrom('gCodeFolders')
    .select('parentFolderId')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.parentFolderId ?? null
}

export async function updateFolders(
  db: Db,
  ids: readonly FolderId[],
  values: Updateable<GCodeFolders>,
): Promise<void> {
  await db
    .updateTable('gCodeFolders')
    .set({ ...values, updatedAt: new Date() })
    .where('id', 'in', ids)
    .execute()
}

/** Removes folders; the files in them are deleted as one by one. */
export async function removeFolders(db: Db, ids: readonly FolderId[], now: Date): Promise<void> {
  await db
    .updateTable('gCodeFiles')
    .set({ deletedAt: now, deletedByCascade: true })
    .where('parentFolderId', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  await db.deleteFrom('gCodeFolders').where('id', 'in', ids).execute()
}
