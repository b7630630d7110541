import type { Ctx } from '../../ctx.ts'
import type { Db } from '../../engines/db/port.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { sweepSoon } from './blobs.jobs.ts'
import { findBelow, findFoldersById, type FolderRow, lockFolders, namesIn } from './folders.queries.ts'
import { safeName } from './names.rules.ts'

/** How many folders an account may have, and how deep they may lie. */
const MOST_FOLDERS = 10_000
const DEEPEST = 100

type Change = { readonly name?: string | undefined; readonly parent_folder?: number | null | undefined }

const taken = () => invalid({ name: 'Already existed.' })
const noParent = (id: number) => invalid({ parent_folder: `Invalid pk "${id}" - object does not exist.` })

async function oneFolder(db: Db, userId: number, id: number): Promise<FolderRow> {
  const folder = (await findFoldersById(db, userId, [id])).get(id)
  if (!folder) throw notFound()
  return folder
}

/** Raises 400 unless the folder is the user's, or the root. */
export async function requireParent(db: Db, userId: number, parent: number | null): Promise<void> {
  if (parent !== null && !(await findFoldersById(db, userId, [parent])).has(parent)) throw noParent(parent)
}

/** A new folder; raises 400 for a name that is taken there, and for a parent of somebody else. */
export async function createFolder(
  ctx: Ctx,
  userId: number,
  { name, parent_folder: parent = null }: Change & { readonly name: string },
): Promise<FolderRow> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    await requireParent(tx, userId, parent)
    const { count } = await tx
      .selectFrom('gCodeFolders')
      .where('userId', '=', userId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_FOLDERS || (await depthOf(tx, parent)) >= DEEPEST)
      throw invalid({ non_field_errors: 'Too many folders.' })
    if ((await namesIn(tx, userId, parent, [])).has(safeName(name))) throw taken()
    const { id } = await tx
      .insertInto('gCodeFolders')
      .values({ userId, parentFolderId: parent, name, safeName: safeName(name) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return await oneFolder(tx, userId, id)
  })
}

/** Where a file goes, and the names of the folders on the way. */
export interface FolderPath {
  readonly id: number | null
  readonly names: readonly string[]
}

/** The folder at a path (`benches/small`), with those on the way made where they are missing. Raises 400 when it cannot be. */
export async function folderAt(ctx: Ctx, userId: number, path: string): Promise<FolderPath> {
  const names = path
    .split(/[/\\]/)
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..')
  let id: number | null = null
  for (const name of names) {
    const found: number | undefined = await folderNamed(ctx.db, userId, id, name)
    id = found ?? (await made(ctx, userId, id, name))
  }
  return { id, names }
}

/** Somebody else may make it in the same moment: then theirs is taken. */
async function made(ctx: Ctx, userId: number, parent: number | null, name: string): Promise<number> {
  try {
    return (await createFolder(ctx, userId, { name, parent_folder: parent })).id
  } catch (error) {
    const other = await folderNamed(ctx.db, userId, parent, name)
    if (other === undefined) throw error
    return other
  }
}

async function folderNamed(
  db: Db,
  userId: number,
  parent: number | null,
  name: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('gCodeFolders')
    .select('id')
    .where('userId', '=', userId)
    .where('parentFolderId', parent === null ? 'is' : '=', parent)
    .where('safeName', '=', safeName(name))
    .executeTakeFirst()
  return row?.id
}

async function depthOf(db: Db, from: number | null): Promise<number> {
  let depth = 0
  for (let at = from; at !== null && depth <= DEEPEST; depth++) {
    const row = await db
      .selectFrom('gCodeFolders')
      .select('parentFolderId')
      .where('id', '=', at)
      .executeTakeFirst()
    at = row?.parentFolderId ?? null
  }
  return depth
}

/** Renames a folder, moves it, or both; raises 400 for a taken name, a foreign parent, and for itself as its parent. */
export async function changeFolder(ctx: Ctx, userId: number, id: number, change: Change): Promise<FolderRow> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const folder = await oneFolder(tx, userId, id)
    const parent = change.parent_folder === undefined ? folder.parentFolderId : change.parent_folder
    const name = change.name ?? folder.name
    if (parent !== folder.parentFolderId) await requirePlace(tx, userId, [id], parent)
    if ((await namesIn(tx, userId, parent, [id])).has(safeName(name))) throw taken()
    await tx
      .updateTable('gCodeFolders')
      .set({ name, safeName: safeName(name), parentFolderId: parent, updatedAt: new Date() })
      .where('id', '=', id)
      .execute()
    return await oneFolder(tx, userId, id)
  })
}

async function requirePlace(
  db: Db,
  userId: number,
  moved: readonly number[],
  parent: number | null,
): Promise<void> {
  if (parent === null) return
  await requireParent(db, userId, parent)
  if ((await findBelow(db, userId, moved)).includes(parent))
    throw invalid({ parent_folder: 'A folder cannot be moved into itself.' })
  if ((await depthOf(db, parent)) >= DEEPEST) throw invalid({ parent_folder: 'Too many folders.' })
}

/** Moves folders into one, all or none; ids of others count for nothing. */
export async function moveFolders(
  ctx: Ctx,
  userId: number,
  ids: readonly number[],
  parent: number | null,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const own = [...(await findFoldersById(tx, userId, ids)).values()]
    const moved = own.map(({ id }) => id)
    await requireParent(tx, userId, parent)
    if (moved.length === 0) return
    await requirePlace(tx, userId, moved, parent)
    const names = await namesIn(tx, userId, parent, moved)
    for (const { safeName: name } of own) {
      if (names.has(name)) throw taken()
      names.add(name)
    }
    await tx
      .updateTable('gCodeFolders')
      .set({ parentFolderId: parent, updatedAt: new Date() })
      .where('id', 'in', moved)
      .execute()
  })
}

/**
 * Deletes folders with all below them. Their files are deleted as one by one, so that prints still name them; what is
 * stored goes in a job.
 */
export async function deleteFolders(ctx: Ctx, userId: number, ids: readonly number[]): Promise<number> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const all = await findBelow(tx, userId, ids)
    if (all.length === 0) return 0
    await tx
      .updateTable('gCodeFiles')
      .set({ deletedAt: new Date(ctx.clock.now()), deletedByCascade: true })
      .where('parentFolderId', 'in', all)
      .where('deletedAt', 'is', null)
      .execute()
    await tx.deleteFrom('gCodeFolders').where('id', 'in', all).execute()
    await sweepSoon({ ...ctx, db: tx }, userId)
    return all.length
  })
}
