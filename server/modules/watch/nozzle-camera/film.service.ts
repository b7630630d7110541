import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { type Id, idOf } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { makeFilm } from '../../../engines/programs/ffmpeg.ts'
import { ProgramFailed } from '../../../engines/programs/port.ts'
import { readDimensions } from '../../../lib/jpeg.ts'
import {
  deleteImages,
  findAllImages,
  findInspection,
  type ImageRow,
  lockInspection,
  updateInspection,
} from './layers.queries.ts'
import { evenSize, filmPictures, picturesPerSecond } from './layers.rules.ts'

const filmLayer = z.object({ inspectionId: idOf<'firstLayerInspections'>() })

/** Makes the film of a judged first layer; enqueued in the transaction that writes its score. */
export const FILM_LAYER: JobKind<z.infer<typeof filmLayer>> = {
  name: 'first-layer-film',
  schema: filmLayer,
  concurrency: 1,
}

const LIMITS = { timeMs: 10 * 60_000, memoryBytes: 768 * 1_048_576, fileBytes: 512 * 1_048_576 }
/** One picture is no film. */
const FEWEST = 2

/**
 * Makes the film of a judged first layer from all pictures that could be read, then lets those go that are not shown.
 * Without ffmpeg there is none. Again: nothing. Raises `ProgramFailed`, `DiskFull`, to be tried again.
 */
export async function filmFirstLayer(
  ctx: Ctx,
  inspectionId: Id<'firstLayerInspections'>,
  signal: AbortSignal,
): Promise<void> {
  const inspection = await findInspection(ctx.db, inspectionId)
  if (!inspection?.judgedAt) return
  const images = await findAllImages(ctx.db, inspectionId)
  const usable = filmPictures(images.filter(({ sight }) => sight !== null))
  const isToMake = inspection.video === null && usable.length >= FEWEST
  const video = isToMake ? await putFilm(ctx, inspectionId, usable, signal) : null
  const hidden = images.filter(({ shown }) => !shown)
  const isThere = await inTransaction(ctx.db, async (tx) => {
    // Deleted or expired meanwhile: a film would outlive its pictures.
    if ((await lockInspection(tx, inspectionId)) === undefined) return false
    if ((await findAllImages(tx, inspectionId)).length === 0) return false
    const ids = hidden.map(({ id }) => id)
    await deleteImages(tx, ids)
    if (video !== null) await updateInspection(tx, inspectionId, { video: JSON.stringify(video) })
    return true
  })
  if (!isThere && video !== null) await ctx.files.remove(video)
  for (const { picture } of hidden) await ctx.files.remove(picture)
}

/** Stores the film, made in a temporary file; null when there is no ffmpeg or too few of its pictures are left. */
async function putFilm(
  ctx: Ctx,
  inspectionId: Id<'firstLayerInspections'>,
  images: readonly ImageRow[],
  signal: AbortSignal,
): Promise<MediaRef | null> {
  const first = await firstOf(ctx, images)
  if (first === undefined) return null
  const { path } = first.picture
  const ref: MediaRef = {
    container: 'tsd-timelapses',
    path: `${path.slice(0, path.lastIndexOf('/'))}/film.mp4`,
  }
  const folder = join(ctx.config.dataFolder, 'tmp', `first-layer-${inspectionId}`)
  const to = join(folder, 'film.mp4')
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const film = {
      pictures: picturesOf(ctx, images),
      count: images.length,
      picturesPerSecond: picturesPerSecond(images.length),
      ...first.size,
      threads: 1,
      to,
    }
    const places = await makeFilm(ctx, film, { signal, limits: LIMITS })
    if (places.length < FEWEST) return null
    await ctx.files.put(ref, createReadStream(to))
    return ref
  } catch (error) {
    if (error instanceof ProgramFailed && error.why === 'missing') return null
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The first picture that is still there, with the size of the film. */
async function firstOf(ctx: Ctx, images: readonly ImageRow[]) {
  for (const { picture } of images) {
    const content = await ctx.files.get(picture)
    if (content !== null) return { picture, size: evenSize(readDimensions(await buffer(content))) }
  }
  return undefined
}

async function* picturesOf(ctx: Ctx, images: readonly ImageRow[]) {
  for (const { picture } of images) {
    const content = await ctx.files.get(picture)
    if (content !== null) yield await buffer(content)
  }
}
