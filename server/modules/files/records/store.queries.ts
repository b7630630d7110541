import { sql } from 'kysely'
import { type FileId, type FolderId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { FileRow } from './records.queries.ts'

export interface FilePage {
  /** undefined: of all folders. */
  readonly parent: number | null | undefined
  /** Part of the name, any case. */
  readonly q: string | undefined
  readonly safeFilename: string | undefined
  readonly signature: string | undefined
  /** Files on this printer; otherwise those in the cloud. */
  readonly printerId: number | undefined
  readonly sorting: `${'filename' | 'num_bytes' | 'created_at'}_${'asc' | 'desc'}`
  readonly limit: number
  readonly offset: number
}

const COLUMNS = {
  filename: sql`lower(filename)`,
  num_bytes: sql`coalesce(num_bytes, 0)`,
  created_at: sql`id`,
}

/** Files of the cloud that this printer has stored under this name and signature. */
const copiesOn = (db: Db, userId: UserId, { printerId, safeFilename, signature }: FilePage) =>
  db
    .selectFrom('gCodeCopies')
    .select('gCodeFileId')
    .where('printerId', '=', sought<'printers'>(printerId ?? 0))
    .where('printerId', 'in', db.selectFrom('printers').select('printers.id').where('userId', '=', userId))
    .where('safeFilename', '=', safeFilename ?? '')
    .where('agentSignature', '=', signature ?? '')

/** One page of the files of a user that are not deleted, and how many there are. */
export async function findStored(
  db: Db,
  userId: UserId,
  page: FilePage,
): Promise<{ rows: FileRow[]; count: number }> {
  const { parent, q, safeFilename, signature, printerId } = page
  const all = db
    .selectFrom('gCodeFiles')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .$call((query) =>
      printerId === undefined
        ? query.where('residentPrinterId', 'is', null)
        : query.where((eb) =>
            eb.or([
              eb('residentPrinterId', '=', sought<'printers'>(printerId)),
              eb('id', 'in', copiesOn(db, userId, page)),
            ]),
          ),
    )
    .$if(parent !== undefined, (query) =>
      parent === null
        ? query.where('parentFolderId', 'is', null)
        : query.where('parentFolderId', '=', sought<'gCodeFolders'>(parent ?? 0)),
    )
    .$if(q !== undefined && q !== '', (query) =>
      query.where(sql<boolean>`position(lower(${q ?? ''}) in lower(safe_filename)) > 0`),
    )
    // Known apps ask for both or neither.
    .$if(safeFilename !== undefined && signature !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('safeFilename', '=', safeFilename ?? '').and('agentSignature', '=', signature ?? ''),
          eb('id', 'in', copiesOn(db, userId, page)),
        ]),
      ),
    )
  const at = page.sorting.lastIndexOf('_')
  const way = page.sorting.endsWith('_asc') ? 'asc' : 'desc'
  const [rows, { count }] = await Promise.all([
    all
      .selectAll()
      .orderBy(COLUMNS[page.sorting.slice(0, at) as keyof typeof COLUMNS], way)
      .orderBy('id', way)
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, count: Number(count) }
}

/** A file of a user, deleted or not. */
export async function findOwnFile(db: Db, userId: UserId, id: number): Promise<FileRow | null> {
  const row = await db
    .selectFrom('gCodeFiles')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', sought<'gCodeFiles'>(id))
    .executeTakeFirst()
  return row ?? null
}

const MOST_COPIES = 20

/** Other files of this user with the same content, the oldest first. */
export async function findCopies(db: Db, userId: UserId, { id, sha256 }: FileRow): Promise<FileRow[]> {
  if (sha256 === null) return []
  return await db
    .selectFrom('gCodeFiles')
    .selectAll()
    .where('userId', '=', userId)
    .where('sha256', '=', sha256)
    .where('deletedAt', 'is', null)
    .where('id', '!=', id)
    .orderBy('id')
    .limit(MOST_COPIES)
    .execute()
}

/** What an account has stored, in bytes: a content that several files share counts once. */
export async function storedBytes(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(num_bytes), 0)::float8 as total from (
      select distinct on (sha256) num_bytes from g_code_files
      where user_id = ${userId} and sha256 is not null and content is not null
    ) as stored`.execute(db)
  return rows[0]?.total ?? 0
}

/** A file of this user with the same content that is not deleted, and will not be until the transaction ends. */
export async function lockTwin(db: Db, userId: UserId, sha256: string): Promise<FileRow | null> {
  const row = await db
    .selectFrom('gCodeFiles')
    .selectAll()
    .where('userId', '=', userId)
    .where('sha256', '=', sha256)
    .where('deletedAt', 'is', null)
    .where('content', 'is not', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Marks files of a user as deleted; returns how many were not yet. */
export async function markDeleted(
  db: Db,
  userId: UserId,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<number> {
  const gone = await db
    .updateTable('gCodeFiles')
    .set({ deletedAt: now, parentFolderId: null })
    .where('userId', '=', userId)
    .where('id', 'in', ids.map(sought<'gCodeFiles'>))
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute()
  return gone.length
}

/** Puts files of a user into a folder of theirs. */
export async function placeFiles(
  db: Db,
  userId: UserId,
  { ids, parentFolderId }: { ids: readonly number[]; parentFolderId: FolderId | null },
): Promise<void> {
  await db
    .updateTable('gCodeFiles')
    .set({ parentFolderId, updatedAt: new Date() })
    .where('userId', '=', userId)
    .where('id', 'in', ids.map(sought<'gCodeFiles'>))
    .where('deletedAt', 'is', null)
    .execute()
}

/** Deleted files of a user that have something stored still. */
export async function findGone(db: Db, userId: UserId, limit: number) {
  return await db
    .selectFrom('gCodeFiles')
    .select(['id', 'content', 'thumbnails'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('gCodeFiles as other')
            .select('other.id')
            .whereRef('other.userId', '=', 'gCodeFiles.userId')
            .whereRef('other.sha256', '=', 'gCodeFiles.sha256')
            .where('other.content', 'is not', null)
            // of those that are deleted together, the last one removes it
            .where((other) =>
              other.or([
                other('other.deletedAt', 'is', null),
                other('other.id', '>', other.ref('gCodeFiles.id')),
              ]),
            ),
        )
        .as('isShared'),
    )
    .where('userId', '=', userId)
    .where('deletedAt', 'is not', null)
    .where('content', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** What a deleted file had stored is gone. */
export async function forgetContent(db: Db, id: FileId): Promise<void> {
  await db.updateTable('gCodeFiles').set({ content: null, thumbnails: '[]' }).where('id', '=', id).execute()
}
