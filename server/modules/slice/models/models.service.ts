import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { type Learnt, readMesh } from '../../../engines/mesh/index.ts'
import { openSlicer, SliceFailed } from '../../../engines/slicer/index.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { Place, Stored } from '../../../http/upload.ts'
import { BadMesh, MESH_BYTES, type Refusal } from '../../../lib/mesh/mesh.ts'
import { findModel, insertModel, modelBytes, type ModelRow, removeModel } from './models.queries.ts'

/** Meshes of one person, in number and bytes. */
export const MOST_MODELS = 500
const MOST_BYTES = 2 * 1_073_741_824
const LONGEST_NAME = 200

/** A mesh is refused in one sentence, which says what may be done. */
export const meshRefused = (why: Refusal | 'tooMany' | 'full') =>
  new AppError(why === 'tooLarge' || why === 'full' ? 413 : 400, { error: text('models-server', why) })

/** Where a file that holds a mesh goes until it was read. */
export function placeOfMesh(userId: UserId): Place {
  return {
    ref: { container: 'tsd-gcodes', path: `models/${userId}/${randomBytes(12).toString('hex')}.came` },
    maxBytes: MESH_BYTES,
    tooLarge: meshRefused('tooLarge'),
    quota: {
      name: `models:${userId}`,
      mostBytes: MOST_BYTES,
      used: (db: Db) => modelBytes(db, userId),
      full: meshRefused('full'),
    },
  }
}

/** Reads a mesh that came, and keeps it mended, with a picture; what came goes. Of another version it has the name. Raises 400 when it is none that could be printed. */
export async function recordModel(
  ctx: Ctx,
  userId: UserId,
  stored: Stored,
  versionOf?: number,
): Promise<ModelRow> {
  const stem = stored.ref.path.replace(/\.came$/, '')
  const content: MediaRef = { container: 'tsd-gcodes', path: `${stem}.stl` }
  const picture: MediaRef = { container: 'tsd-gcodes', path: `${stem}.png` }
  try {
    const { learnt, numBytes } = await readInto(ctx, stored, content)
    await ctx.files.put(picture, learnt.picture)
    const other = versionOf === undefined ? undefined : await findModel(ctx.db, userId, versionOf)
    const values = {
      name: other?.name ?? nameOf(stored.filename),
      family: other ? (other.family ?? other.id) : null,
      numBytes,
      triangles: learnt.count,
      size: JSON.stringify(learnt.size),
      notes: JSON.stringify(learnt.notes),
      content: JSON.stringify(content),
      picture: JSON.stringify(picture),
    }
    const row = await insertModel(ctx.db, userId, values, MOST_MODELS)
    if (row === null) throw meshRefused('tooMany')
    await ctx.files.remove(stored.ref)
    return row
  } catch (error) {
    await Promise.all([content, picture].map((ref) => ctx.files.remove(ref)))
    throw error instanceof BadMesh ? meshRefused(error.why) : error
  }
}

/** The thread reads and writes files of this machine, wherever the others are kept. */
async function readInto(
  ctx: Ctx,
  { ref, filename }: Stored,
  content: MediaRef,
): Promise<{ learnt: Learnt; numBytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-mesh-'))
  try {
    const isStep = /\.(?:step|stp)$/i.test(filename)
    const [from, to] = [join(folder, isStep ? 'came.step' : 'came'), join(folder, 'mesh.stl')]
    await fetchTo(ctx, ref, from)
    const learnt = await readMesh(
      isStep ? { name: 'step.stl', from: await stlOf(ctx, folder, from), to } : { name: filename, from, to },
      ctx.stopping,
    )
    return { learnt, numBytes: await ctx.files.put(content, createReadStream(to)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A STEP file as a mesh, where there is a slicer that can make one of it. Raises `BadMesh`. */
async function stlOf(ctx: Ctx, folder: string, file: string): Promise<string> {
  const work = { folder, file, mostBytes: MESH_BYTES }
  try {
    return (await openSlicer(ctx).stlOf?.(work, ctx.stopping)) ?? file
  } catch (cause) {
    if (!(cause instanceof SliceFailed)) throw cause
    throw new BadMesh(cause.why === 'missing' ? 'unknownFormat' : 'stepUnread', { cause })
  }
}

async function fetchTo({ files }: Pick<Ctx, 'files'>, ref: MediaRef, path: string): Promise<void> {
  const bytes = await files.get(ref)
  if (bytes === null) throw notFound()
  await pipeline(bytes, createWriteStream(path))
}

/** Writes a mesh of theirs to a file of this machine; its name. Null when there is none such. */
export async function openModel(ctx: Ctx, userId: UserId, id: number, to: string): Promise<ModelRow | null> {
  const row = await findModel(ctx.db, userId, id)
  if (row) await fetchTo(ctx, row.content, to)
  return row ?? null
}

/** Its file's name without the end, as far as it may be shown. */
function nameOf(filename: string): string {
  const name = filename
    .replaceAll(/[\p{C}/\\]/gu, ' ')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .trim()
  return name.slice(0, LONGEST_NAME).toWellFormed() || 'mesh'
}

/** Raises 404 for one that is not theirs. */
export async function deleteModel(ctx: Ctx, userId: UserId, id: number): Promise<void> {
  const row = await removeModel(ctx.db, userId, id)
  if (!row) throw notFound()
  await Promise.all([row.content, row.picture].map((ref) => ctx.files.remove(ref)))
}
