import type { FirstLayerImage, FirstLayerInspection } from '@vigil/contract/watch/first-layer.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { columnUrl, mediaUrl } from '../../core/media/index.ts'
import type { ImageRow, InspectionRow } from '../nozzle-camera/layers.queries.ts'
import { gradeOf } from '../nozzle-camera/layers.rules.ts'

type Where = Pick<Edge, 'origin' | 'prefix'>

/** A picture of an inspection as the wire knows it (docs/wire/rest.md 5; docs/api.md). */
export function presentImage(ctx: Ctx, image: ImageRow, edge: Where): FirstLayerImage {
  const seen = image.sight?.labels ?? []
  return {
    id: image.id,
    first_layer_inspection: image.inspectionId,
    image_url: mediaUrl(ctx, image.picture, edge, image.takenAt.getTime()),
    labels: image.answer ?? seen.join('|'),
    answer: image.answer,
    answered_at: image.answeredAt?.toISOString() ?? null,
    credited_dhs: image.creditedDhs,
    created_at: image.createdAt.toISOString(),
    updated_at: image.updatedAt.toISOString(),
  }
}

/** A first layer with its pictures. What was found is not drawn on its film, so there is one for both. */
export function presentLayer(
  ctx: Ctx,
  layer: InspectionRow,
  images: readonly ImageRow[],
  edge: Where,
): FirstLayerInspection {
  const video = columnUrl(ctx, layer.video, edge)
  return {
    id: layer.id,
    print: layer.printId,
    score: layer.score,
    grade: layer.score === null ? null : gradeOf(layer.score),
    beta: true,
    video_url: video,
    tagged_video_url: video,
    poster_url: columnUrl(ctx, layer.poster, edge),
    data_json_url: columnUrl(ctx, layer.dataJson, edge),
    created_at: layer.createdAt.toISOString(),
    updated_at: layer.updatedAt.toISOString(),
    images: images.map((image) => presentImage(ctx, image, edge)),
  }
}
