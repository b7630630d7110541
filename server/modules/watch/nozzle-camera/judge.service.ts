import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { type Id, idOf } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { BadPicture, type LayerSight } from '../../../engines/inference/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { owe } from '../../tell/notifications/index.ts'
import {
  findImagesOf,
  findInspection,
  hideImages,
  type ImageRow,
  lockInspection,
  keepSight,
  updateInspection,
} from './layers.queries.ts'
import { FILM_LAYER } from './film.service.ts'
import { choosePictures, gradeOf, layerScore } from './layers.rules.ts'

const judgeLayer = z.object({ inspectionId: idOf<'firstLayerInspections'>() })

/** Judges an ended first layer; enqueued in the transaction that ends it. */
export const JUDGE_LAYER: JobKind<z.infer<typeof judgeLayer>> = {
  name: 'first-layer',
  schema: judgeLayer,
  concurrency: 1,
}

interface Judged {
  readonly image: ImageRow
  readonly sight: LayerSight
}

/**
 * Looks at every picture of a first layer, one after the other so that failure detection waits for one at most,
 * then writes score and shown pictures; the others go when there is a film of all. What was looked at before a restart is not again.
 */
export async function judge(
  ctx: Ctx,
  inspectionId: Id<'firstLayerInspections'>,
  signal: AbortSignal,
): Promise<void> {
  const inspection = await findInspection(ctx.db, inspectionId)
  if (inspection === undefined || inspection.judgedAt !== null) return
  const judged: Judged[] = []
  const bad: ImageRow[] = []
  for (const image of await findImagesOf(ctx.db, [inspectionId])) {
    signal.throwIfAborted()
    const sight = image.sight ?? (await lookAt(ctx, image))
    if (sight === null) bad.push(image)
    else judged.push({ image, sight })
  }
  await conclude(ctx, inspectionId, judged, bad)
}

/** What a picture shows, kept with it; null for one that can't be read. Raises while no detector can look. */
async function lookAt(ctx: Ctx, image: ImageRow): Promise<LayerSight | null> {
  const content = await ctx.files.get(image.picture)
  if (content === null) return null
  try {
    const sight = await ctx.detector.detectLayer(await buffer(content))
    await keepSight(ctx.db, image.id, JSON.stringify(sight))
    return sight
  } catch (error) {
    if (error instanceof BadPicture) return null
    throw error
  }
}

async function conclude(
  ctx: Ctx,
  inspectionId: Id<'firstLayerInspections'>,
  judged: readonly Judged[],
  bad: readonly ImageRow[],
): Promise<void> {
  const scores = judged.map(({ sight }) => sight.score)
  const places = choosePictures(scores)
  const shown = new Set(places.map((place) => judged[place]!.image.id))
  const others = [...judged.map(({ image }) => image).filter(({ id }) => !shown.has(id)), ...bad]
  const first = judged[0]
  const dataJson = first === undefined ? null : await writeFigures(ctx, first.image, judged)
  const poster = worstOf(judged)
  const score = layerScore(scores)
  await inTransaction(ctx.db, async (tx) => {
    const inspection = await lockInspection(tx, inspectionId)
    if (inspection === undefined || inspection.judgedAt !== null) return
    await hideImages(
      tx,
      others.map(({ id }) => id),
    )
    await updateInspection(tx, inspectionId, {
      score,
      model: first?.sight.model ?? null,
      poster: poster === null ? null : JSON.stringify(poster),
      dataJson: dataJson === null ? null : JSON.stringify(dataJson),
      judgedAt: new Date(ctx.clock.now()),
    })
    const { printerId, printId, userId } = inspection
    if (score !== null && printerId !== null)
      await owe(
        { ...ctx, db: tx },
        {
          key: `layer:${inspectionId}`,
          kind: 'FirstLayerReport',
          code: null,
          printerId,
          printId,
          picture: poster,
          firstLayer: { score: Math.round(score), grade: gradeOf(score) },
        },
      )
    await ctx.jobs.enqueue(
      tx,
      FILM_LAYER,
      { inspectionId },
      { singletonKey: String(inspectionId), owner: userId },
    )
  })
}

/** The picture that shows the layer where it is worst. */
function worstOf(judged: readonly Judged[]): MediaRef | null {
  const usable = judged.flatMap(({ image, sight: { score } }) => (score === null ? [] : [{ image, score }]))
  return usable.toSorted((a, b) => a.score - b.score)[0]?.image.picture ?? null
}

/** The figures of every picture, kept after most of the pictures are gone. */
async function writeFigures(ctx: Ctx, { picture }: ImageRow, judged: readonly Judged[]): Promise<MediaRef> {
  const { container, path } = picture
  const ref = { container, path: `${path.slice(0, path.lastIndexOf('/'))}/figures.json` }
  const pictures = judged.map(({ image, sight }) => ({
    t: image.takenAt.toISOString(),
    score: sight.score,
    labels: sight.labels,
    lines: sight.lines,
    shares: sight.shares,
  }))
  await ctx.files.put(ref, Buffer.from(JSON.stringify({ pictures })))
  return ref
}
