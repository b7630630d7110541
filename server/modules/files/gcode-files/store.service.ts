import { randomBytes } from 'node:crypto'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import type { Place, Stored } from '../../../http/upload.ts'
import { userById } from '../../people/accounts/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { sweepSoon } from '../folders/blobs.jobs.ts'
import { fileRefused, readContent } from '../folders/content.service.ts'
import { requireParent } from '../folders/folders.service.ts'
import { type FileRow, insertFile, updateFile } from '../records/records.queries.ts'
import { isGCodeName, safeFileName } from '../records/names.rules.ts'
import { findOwnFile, lockTwin, markDeleted, placeFiles, storedBytes } from '../records/store.queries.ts'

const CONTAINER = 'tsd-gcodes'
/** Where no plan limits it: larger than any file that a slicer writes. */
const LARGEST_BYTES = 2 * 1_073_741_824

/** What a user has stored and may store, in bytes; `Infinity` is no limit. */
export async function roomOf(ctx: Ctx, userId: UserId) {
  const limits = await limitsOf(ctx, userId)
  return { ...limits, usedBytes: await storedBytes(ctx.db, userId) }
}

async function limitsOf(ctx: Ctx, userId: UserId) {
  const account = await userById(ctx, userId)
  if (!account) throw notFound()
  const { gCodeFileBytes, gCodeStorageBytes } = entitlementsOf(ctx, account)
  return { gCodeFileBytes, gCodeStorageBytes }
}

/** Where the next file of a user goes, and what it counts for. */
export async function placeOf(ctx: Ctx, userId: UserId): Promise<Place> {
  const { gCodeFileBytes, gCodeStorageBytes } = await limitsOf(ctx, userId)
  const ref: MediaRef = { container: CONTAINER, path: `${userId}/${randomBytes(12).toString('hex')}` }
  const quota = {
    name: `gcodes:${userId}`,
    mostBytes: gCodeStorageBytes,
    used: (db: Db) => storedBytes(db, userId),
    full: fileRefused(413, 'storageFull'),
  }
  return {
    ref,
    maxBytes: Math.min(gCodeFileBytes, LARGEST_BYTES),
    tooLarge: fileRefused(413, 'tooLarge'),
    quota,
  }
}

/** Characters; as the contract has it for those that come as a field. */
const LONGEST_NAME = 1000

/** Raises 400 for a name under which no printer would take a file. */
function requireName(filename: string): void {
  if (!isGCodeName(filename)) throw invalid({ filename: 'Only .g, .gcode and .gco files are allowed.' })
  if (filename.length > LONGEST_NAME)
    throw invalid({ filename: `Ensure this field has no more than ${LONGEST_NAME} characters.` })
}

/** What comes with a file that is stored. */
export interface Named {
  readonly filename: string
  readonly parent_folder?: number | null | undefined
}

/**
 * The record of a file that has been stored: read, with its pictures beside it. One with the same content as another of
 * its owner shares what that has stored. What `within` does is in its transaction. Raises 400 for a name or content that is no G-code, and for a foreign folder.
 */
export async function recordFile(
  ctx: Ctx,
  userId: UserId,
  { ref, numBytes, sha256 }: Stored,
  { filename, parent_folder: parent = null }: Named,
  within?: (tx: Db, row: FileRow) => Promise<void>,
): Promise<FileRow> {
  requireName(filename)
  const parentFolderId = await requireParent(ctx.db, userId, parent)
  const { metadata, pictures } = await readContent(ctx, ref, numBytes)
  const thumbnails = pictures.map((_, at): MediaRef => ({
    container: 'tsd-timelapses',
    path: `gcode_thumbnails/${ref.path}/${at + 1}.png`,
  }))
  for (const [at, place] of thumbnails.entries()) await ctx.files.put(place, pictures[at] ?? new Uint8Array())
  const own = {
    userId,
    parentFolderId,
    filename,
    safeFilename: safeFileName(filename),
    numBytes,
    sha256,
    metadataJson: JSON.stringify(metadata),
    filamentTotal: metadata.filament_total ?? null,
    estimatedTime: metadata.estimated_time ?? null,
  }
  const { row, isTwin } = await ctx.db.transaction().execute(async (tx) => {
    const twin = await lockTwin(tx, userId, sha256)
    const content = JSON.stringify(twin?.content ?? ref)
    const shared = { content, thumbnails: JSON.stringify(twin?.thumbnails ?? thumbnails) }
    const inserted = await insertFile(tx, { ...own, ...shared })
    await within?.(tx, inserted)
    return { row: inserted, isTwin: twin !== null }
  })
  // Kept by nobody: the record above names what its twin has stored.
  if (isTwin) for (const place of [ref, ...thumbnails]) await ctx.files.remove(place)
  return row
}

/** Renames a file, moves it, or both. Raises 404 for one that is deleted, and 400 for a foreign folder or a name that is no G-code's. */
export async function changeFile(
  ctx: Ctx,
  userId: UserId,
  id: number,
  change: Partial<Named>,
): Promise<FileRow> {
  const file = await findOwnFile(ctx.db, userId, id)
  if (file === null || file.deletedAt !== null) throw notFound()
  if (change.filename !== undefined) requireName(change.filename)
  const parentFolderId =
    change.parent_folder === undefined
      ? file.parentFolderId
      : await requireParent(ctx.db, userId, change.parent_folder)
  const filename = change.filename ?? file.filename
  return await updateFile(ctx.db, file.id, {
    filename,
    safeFilename: change.filename === undefined ? file.safeFilename : safeFileName(filename),
    parentFolderId,
  })
}

/** Deletes files of a user; returns how many. Prints still name them, what is stored goes in a job. */
export async function deleteFiles(ctx: Ctx, userId: UserId, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  return await ctx.db.transaction().execute(async (tx) => {
    const gone = await markDeleted(tx, userId, { ids, now: new Date(ctx.clock.now()) })
    if (gone > 0) await sweepSoon({ ...ctx, db: tx }, userId)
    return gone
  })
}

/** Moves files of a user into a folder; ids of others count for nothing. Raises 400 for a foreign folder. */
export async function moveFiles(
  ctx: Ctx,
  userId: UserId,
  ids: readonly number[],
  into: number | null,
): Promise<void> {
  const parentFolderId = await requireParent(ctx.db, userId, into)
  if (ids.length === 0) return
  await placeFiles(ctx.db, userId, { ids, parentFolderId })
}
