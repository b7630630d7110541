import type { FirstLayerInspection } from '@vigil/contract/watch/first-layer.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { presentLayer } from './first-layer.present.ts'
import { findImagesOf, findLayersOf, type InspectionRow } from '../nozzle-camera/layers.queries.ts'

type Where = Pick<Edge, 'origin' | 'prefix'>

/** First layers with their pictures, in the given order; one statement however many. */
export async function withImages(
  ctx: Ctx,
  layers: readonly InspectionRow[],
  edge: Where,
): Promise<FirstLayerInspection[]> {
  const images = await findImagesOf(
    ctx.db,
    layers.map(({ id }) => id),
  )
  const byLayer = Map.groupBy(images, ({ inspectionId }) => inspectionId)
  return layers.map((layer) => presentLayer(ctx, layer, byLayer.get(layer.id) ?? [], edge))
}

/** Judged first layers of the caller's prints, by print; two statements however many (Print, docs/wire/rest.md 5). */
export async function layersOfPrints(
  ctx: Ctx,
  principal: UserPrincipal,
  printIds: readonly number[],
  edge: Where,
): Promise<Map<number, FirstLayerInspection[]>> {
  if (printIds.length === 0) return new Map()
  const layers = await findLayersOf(ctx.db, { principal, action: 'see' }, printIds)
  return Map.groupBy(await withImages(ctx, layers, edge), ({ print }) => print)
}
