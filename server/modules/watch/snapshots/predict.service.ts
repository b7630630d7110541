import type { Prediction } from '@vigil/contract/people/apps.ts'
import type { Ctx } from '../../../ctx.ts'
import {
  type Box,
  DetectorUnavailable,
  type Inspection,
  type Polygon,
} from '../../../engines/inference/port.ts'
import { notFound, unavailable } from '../../../http/errors.ts'
import type { Authorized } from '../../core/access/index.ts'
import { findWatched } from '../watching/watched.queries.ts'
import { cleanPicture } from './clean.service.ts'
import { storeFrame } from './frames.service.ts'
import { follow } from '../looking/look.service.ts'
import { DRAWN_ABOVE } from '../deciding/temporal.rules.ts'

/**
 * Judges a picture that an app sends for the current print: it is a frame of it, counts as a look and moves the
 * gauge, but never alerts or pauses (docs/wire/rest.md 6). Raises 404 when nothing is printed.
 */
export async function predict(
  ctx: Ctx,
  { id: printerId }: Authorized<'control'>,
  bytes: Buffer,
): Promise<Prediction> {
  const watched = await findWatched(ctx.db, printerId)
  if (watched === undefined || watched.printId === null) throw notFound('Not currently printing.')
  const current = { ...watched, printId: watched.printId }
  const picture = await cleanPicture(bytes)
  const at = ctx.clock.now()
  const inspection = await detect(ctx, picture.bytes, watched.ignoreZones)
  const { raw, frameId } = await storeFrame(ctx, current, picture, at)
  const frame = { watched: current, frameId, raw, bytes: picture.bytes, at, printTime: null }
  const { next, shown } = await follow(ctx, frame, inspection, true)
  await shown
  return {
    p: inspection.score,
    temporal_stats: {
      ewm_mean: next.ewmMean,
      rolling_mean_short: next.rollingMeanShort,
      rolling_mean_long: next.rollingMeanLong,
      prediction_num: next.currentFrameNum,
      prediction_num_lifetime: next.lifetimeFrameNum,
    },
    detections: inspection.boxes.filter(({ score }) => score > DRAWN_ABOVE).map(detectionOf),
  }
}

async function detect(ctx: Ctx, bytes: Buffer, ignore: readonly Polygon[]): Promise<Inspection> {
  try {
    return await ctx.detector.detect(bytes, { ignore })
  } catch (error) {
    if (error instanceof DetectorUnavailable)
      throw unavailable('The detector is not available. Please try again.')
    throw error
  }
}

/** A box as clients know it: centre and size in pixels. */
const detectionOf = ({ x, y, w, h, score }: Box): Prediction['detections'][number] => [
  'failure',
  score,
  [x + w / 2, y + h / 2, w, h],
]
