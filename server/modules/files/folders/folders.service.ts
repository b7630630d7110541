import type { FolderId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { sweepSoon } from './blobs.jobs.ts'
import {
  countFolders,
  findBelow,
  findFoldersById,
  findNamed,
  findParent,
  type FolderRow,
  insertFolder,
  lockFolders,
  namesIn,
  removeFolders,
  updateFolders,
} from './folders.queries.ts'
import { safeName } from '../records/names.rules.ts'

/** How many folders an account may have, and how deep they may lie. */
const MOST_FOLDERS = 10_000
const DEEPEST = 100

type Change = { readonly name?: string | undefined; readonly parent_folder?: number | null | undefined }

const taken = () => invalid({ name: 'Already existed.' })
const noParent = (id: number) => invalid({ parent_folder: `Invalid pk "${id}" - object does not exist.` })

async function oneFolder(db: Db, userId: UserId, id: number): Promise<FolderRow> {
  const folder = (await findFoldersById(db, userId, [id])).get(id)
  if (!folder) throw notFound()
  return folder
}

/** Raises 400 unless the folder is the user's, or the root. */
export async function requireParent(db: Db, userId: UserId, parent: number | null): Promise<FolderId | null> {
  if (parent === null) return null
  const folder = (await findFoldersById(db, userId, [parent])).get(parent)
  if (folder === undefined) throw noParent(parent)
  return folder.id
}

/** A new folder; raises 400 for a name that is taken there, and for a parent of somebody else. */
export async function createFolder(
  ctx: Ctx,
  userId: UserId,
  { name, parent_folder: wanted = null }: Change & { readonly name: string },
): Promise<FolderRow> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const parent = await requireParent(tx, userId, wanted)
    if ((await countFolders(tx, userId)) >= MOST_FOLDERS || (await depthOf(tx, parent)) >= DEEPEST)
      throw invalid({ non_field_errors: 'Too many folders.' })
    if ((await namesIn(tx, userId, parent, [])).has(safeName(name))) throw taken()
    const id = await insertFolder(tx, { userId, parentFolderId: parent, name, safeName: safeName(name) })
    return await oneFolder(tx, userId, id)
  })
}

/** Where a file goes, and the names of the folders on the way. */
export interface FolderPath {
  readonly id: FolderId | null
  readonly names: readonly string[]
}

/** The folder at a path (`benches/small`), with those on the way made where they are missing. Raises 400 when it cannot be. */
export async function folderAt(ctx: Ctx, userId: UserId, path: string): Promise<FolderPath> {
  const names = path
    .split(/[/\\]/)
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..')
  let id: FolderId | null = null
  for (const name of names) {
    const found: FolderId | undefined = await findNamed(ctx.db, userId, {
      parent: id,
      safeName: safeName(name),
    })
    id = found ?? (await made(ctx, userId, id, name))
  }
  return { id, names }
}

/** Somebody else may make it in the same moment: then theirs is taken. */
async function made(ctx: Ctx, userId: UserId, parent: FolderId | null, name: string): Promise<FolderId> {
  try {
    return (await createFolder(ctx, userId, { name, parent_folder: parent })).id
  } catch (error) {
    const other = await findNamed(ctx.db, userId, { parent, safeName: safeName(name) })
    if (other === undefined) throw error
    return other
  }
}

async function depthOf(db: Db, from: FolderId | null): Promise<number> {
  let depth = 0
  for (let at = from; at !== null && depth <= DEEPEST; depth++) at = await findParent(db, at)
  return depth
}

/** Renames a folder, moves it, or both; raises 400 for a taken name, a foreign parent, and for itself as its parent. */
export async function changeFolder(
  ctx: Ctx,
  userId: UserId,
  folderId: number,
  change: Change,
): Promise<FolderRow> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const folder = await oneFolder(tx, userId, folderId)
    const name = change.name ?? folder.name
    const { id, parentFolderId: from } = folder
    const parent =
      change.parent_folder === undefined || change.parent_folder === from
        ? from
        : await requirePlace(tx, userId, [id], change.parent_folder)
    if ((await namesIn(tx, userId, parent, [id])).has(safeName(name))) throw taken()
    await updateFolders(tx, [id], { name, safeName: safeName(name), parentFolderId: parent })
    return await oneFolder(tx, userId, id)
  })
}

async function requirePlace(
  db: Db,
  userId: UserId,
  moved: readonly FolderId[],
  wanted: number | null,
): Promise<FolderId | null> {
  const parent = await requireParent(db, userId, wanted)
  if (parent === null) return null
  if ((await findBelow(db, userId, moved)).includes(parent))
    throw invalid({ parent_folder: 'A folder cannot be moved into itself.' })
  if ((await depthOf(db, parent)) >= DEEPEST) throw invalid({ parent_folder: 'Too many folders.' })
  return parent
}

/** Moves folders into one, all or none; ids of others count for nothing. */
export async function moveFolders(
  ctx: Ctx,
  userId: UserId,
  ids: readonly number[],
  into: number | null,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const own = [...(await findFoldersById(tx, userId, ids)).values()]
    const moved = own.map(({ id }) => id)
    const parent = await requirePlace(tx, userId, moved, into)
    if (moved.length === 0) return
    const names = await namesIn(tx, userId, parent, moved)
    for (const { safeName: name } of own) {
      if (names.has(name)) throw taken()
      names.add(name)
    }
    await updateFolders(tx, moved, { parentFolderId: parent })
  })
}

/**
 * Deletes folders with all below them. Their files are deleted as one by one, so that prints still name them; what is
 * stored goes in a job.
 */
export async function deleteFolders(ctx: Ctx, userId: UserId, ids: readonly number[]): Promise<number> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockFolders(tx, userId)
    const all = await findBelow(tx, userId, ids)
    if (all.length === 0) return 0
    await removeFolders(tx, all, new Date(ctx.clock.now()))
    await sweepSoon({ ...ctx, db: tx }, userId)
    return all.length
  })
}
