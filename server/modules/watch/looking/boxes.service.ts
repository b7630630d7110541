import type { Ctx } from '../../../ctx.ts'
import { drawBoxes } from '../../../engines/inference/draw.ts'
import type { BoxTone, Inspection } from '../../../engines/inference/port.ts'
import { whenDecided } from '../deciding/lane.service.ts'
import { DRAWN_ABOVE } from '../deciding/temporal.rules.ts'
import type { Frame } from '../watching/frame.ts'
import { setTagged } from './boxes.queries.ts'

/** Drawing lets other prints be decided on first, for so long. */
const YIELD_MS = 1_500

/** Stores the frame with boxes beside the raw one, when there are any to show; null without. */
export async function drawFrame(
  ctx: Ctx,
  frame: Pick<Frame, 'raw' | 'bytes' | 'frameId'>,
  inspection: Inspection,
  tone: BoxTone,
): Promise<Frame['raw'] | null> {
  const boxes = inspection.boxes.filter(({ score }) => score > DRAWN_ABOVE)
  if (boxes.length === 0) return null
  await whenDecided(ctx, YIELD_MS)
  const ref = { container: 'tsd-pics', path: frame.raw.path.replace(/^raw\//, 'tagged/') } as const
  await ctx.files.put(ref, await drawBoxes(frame.bytes, { boxes, tone }))
  await setTagged(ctx.db, frame.frameId, JSON.stringify(ref))
  return ref
}
