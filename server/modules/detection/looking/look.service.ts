import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { drawBoxes } from '../../../engines/inference/draw.ts'
import {
  BadPicture,
  type BoxTone,
  DetectorUnavailable,
  type HeatMap,
  type Inspection,
} from '../../../engines/inference/port.ts'
import type { Condition } from '../../../engines/inference/quality.ts'
import type { PictureCondition } from '../alerts/alert.rules.ts'
import { inLane, whenCalm } from '../../../engines/db/lane.ts'
import { announceFailure, DECIDING } from '../alerts/announce.service.ts'
import {
  countDetection,
  insertDecision,
  lockPrediction,
  setTagged,
  updatePrediction,
  type Watched,
} from '../detection.queries.ts'
import { gridOf } from '../deciding/heat-grid.rules.ts'
import { showPicture } from '../watch/picture.service.ts'
import { consider, DRAWN_ABOVE, toneOf } from '../deciding/temporal.rules.ts'
import { followCamera } from './views.service.ts'
import { watchFurther, type WatchMark } from '../watch/watched.rules.ts'

const INTERVAL_MS = 10_000
/** An alert waits so long for its boxes, then it shows the picture as it came. */
const DRAWN_WITHIN_MS = 2_000
/** Drawing lets other prints be decided on first, for so long. */
const YIELD_MS = 1_500

export interface Sight {
  readonly watched: Watched & { readonly printId: number }
  readonly frameId: number
  readonly raw: { readonly container: 'tsd-pics'; readonly path: string }
  readonly bytes: Buffer
  readonly at: number
  /** Seconds that the print runs by its own account, if known. */
  readonly printTime: number | null
}

/**
 * Has the detector look at a frame and does what follows: state, decision record, picture with boxes, alert or
 * pause (docs/rules/detection.md 1 steps 6 and 7). A frame that a newer one overtook is stored and not judged.
 */
export async function judge(ctx: Ctx, sight: Sight): Promise<void> {
  const { watched } = sight
  let inspection: Inspection
  try {
    const ignore = watched.ignoreZones
    const outcome = await ctx.detector.submit(String(watched.printerId), sight.bytes, { ignore })
    if (outcome.kind !== 'inspected') return
    inspection = outcome.inspection
  } catch (error) {
    if (error instanceof BadPicture) return await showDamaged(ctx, sight, error)
    if (!(error instanceof DetectorUnavailable)) throw error
    ctx.log.warn({ printerId: watched.printerId, reason: error.message }, 'the detector is down')
    return
  }
  const { decision, tagged, shown } = await follow(ctx, sight, inspection)
  const drawn = Promise.race([tagged, sleep(DRAWN_WITHIN_MS, null, { ref: false })])
  const picture = drawn.then((ref) => ref ?? sight.raw)
  const isFailing = decision.shouldAlert || decision.shouldPause
  await Promise.all([shown, isFailing && announceFailure(ctx, { watched, decision, picture })])
}

/** A part of the picture is missing: nothing is decided on the rest, and the owner reads why. */
async function showDamaged(ctx: Ctx, { watched, raw, at }: Sight, { message }: BadPicture): Promise<void> {
  const { printerId } = watched
  ctx.log.info({ printerId, reason: message }, 'a picture is damaged')
  const blind: PictureCondition = 'damaged'
  await showPicture(ctx, printerId, { raw, at, checkedAt: ctx.clock.now(), blind })
}

/**
 * What is known after a look: decision state and record. The picture with boxes (`tagged`, null without) and what
 * browsers see (`shown`) follow; nobody waits for them who has a print to pause.
 */
export async function follow(ctx: Ctx, sight: Sight, inspection: Inspection, isQuiet = false) {
  const { printerId } = sight.watched
  const { quality } = inspection
  const blind = await followCamera(ctx, printerId, { quality, at: sight.at, intervalMs: INTERVAL_MS })
  const decided = await inLane(ctx.db, 'deciding', DECIDING, () =>
    decideOn(ctx, { ...sight, isQuiet }, inspection, blind),
  )
  const { raw, at } = sight
  const tagged = tag(ctx, sight, inspection, toneOf(decided)).catch((error: unknown) => {
    ctx.log.warn({ err: error, printerId }, 'the boxes of a picture could not be drawn')
    return null
  })
  const shown = tagged.then((drawn) =>
    showPicture(ctx, printerId, { raw, tagged: drawn, at, checkedAt: ctx.clock.now(), blind }),
  )
  return { ...decided, tagged, shown }
}

/** Stores the picture with boxes, when there are any to show. */
async function tag(
  ctx: Ctx,
  sight: Sight,
  inspection: Inspection,
  tone: BoxTone,
): Promise<Sight['raw'] | null> {
  const boxes = inspection.boxes.filter(({ score }) => score > DRAWN_ABOVE)
  if (boxes.length === 0) return null
  await whenCalm(ctx.db, 'deciding', YIELD_MS)
  const ref = { container: 'tsd-pics', path: sight.raw.path.replace(/^raw\//, 'tagged/') } as const
  await ctx.files.put(ref satisfies MediaRef, await drawBoxes(sight.bytes, { boxes, tone }))
  await setTagged(ctx.db, sight.frameId, JSON.stringify(ref))
  return ref
}

/** Brings the printer's decision state forward and writes the record of the decision, in one transaction. */
async function decideOn(
  ctx: Ctx,
  sight: Sight & { isQuiet: boolean },
  inspection: Inspection,
  blind: Condition | null,
) {
  const { watched, at, frameId, isQuiet, printTime } = sight
  const { printerId, printId } = watched
  const scale = ctx.config.DETECTION_TIME_SCALE
  return await ctx.db.transaction().execute(async (tx) => {
    const row = await lockPrediction(tx, printerId)
    const { next, decision } = consider(
      row,
      {
        at: at * scale,
        kind: ctx.detector.kind,
        modelKey: inspection.modelKey,
        score: inspection.score,
        boxes: inspection.boxes,
        heat: inspection.heat,
        usable: blind === null,
        moved: blind === 'moved',
      },
      { sensitivity: watched.detectiveSensitivity, bendingFactor: watched.detectionBendingFactor },
    )
    const further =
      blind === null && printTime !== null
        ? watchFurther(row.watchMark as WatchMark | null, at, printTime)
        : null
    await updatePrediction(tx, printerId, {
      ...next,
      steady: next.steady && JSON.stringify(next.steady),
      ...(further && { watchMark: JSON.stringify(further.mark) }),
    })
    await countDetection(tx, printId, further && { seconds: further.seconds, of: further.mark.of })
    const { steady: _, ...means } = next
    await insertDecision(tx, {
      printerId,
      printId,
      frameId,
      createdAt: new Date(at),
      model: inspection.model,
      score: inspection.score,
      blind,
      boxes: JSON.stringify(inspection.boxes),
      ignoreZones: JSON.stringify(watched.ignoreZones),
      heat: inspection.heat && JSON.stringify(recordOf(inspection.heat)),
      state: JSON.stringify(means),
      decision: isQuiet ? 'none' : decision.shouldPause ? 'pause' : decision.shouldAlert ? 'warn' : 'none',
    })
    return { decision, next }
  })
}

/** A map for replay: what the detector saw, and the coarse grid of log-odds that the decision went by. */
const recordOf = (heat: HeatMap) => ({
  width: heat.width,
  height: heat.height,
  values: base64(heat.values),
  grid: base64(gridOf(heat)),
})

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
