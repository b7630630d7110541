import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../ctx.ts'
import { BadPicture, DetectorUnavailable, type Inspection } from '../../../engines/inference/port.ts'
import { detections, detectionSeconds } from '../../../engines/metrics/index.ts'
import { announceFailure } from '../alerts/announce.service.ts'
import { decide } from '../deciding/decide.service.ts'
import { toneOf } from '../deciding/temporal.rules.ts'
import { PICTURE_MS } from '../watching/interval.rules.ts'
import { showPicture } from '../watching/picture.service.ts'
import type { Frame } from '../watching/frame.ts'
import { drawFrame } from './boxes.service.ts'
import { followCamera, isCameraInDoubt } from './views.service.ts'

/** An alert waits so long for its boxes, then it shows the picture as it came. */
const DRAWN_WITHIN_MS = 2_000

/**
 * Has the detector look at a frame and does what follows: state, decision record, picture with boxes, alert or
 * pause (docs/rules/watch.md 1, 5). A frame that a newer one overtook is stored and not looked at.
 */
export async function look(ctx: Ctx, frame: Frame): Promise<void> {
  const { watched } = frame
  let inspection: Inspection
  try {
    const ignore = watched.ignoreZones
    const since = ctx.clock.monotonic()
    const outcome = await ctx.detector.submit(String(watched.printerId), frame.bytes, { ignore })
    detections.inc({ outcome: outcome.kind })
    if (outcome.kind !== 'inspected') return
    detectionSeconds.observe((ctx.clock.monotonic() - since) / 1000)
    inspection = outcome.inspection
  } catch (error) {
    detections.inc({ outcome: error instanceof BadPicture ? 'damaged' : 'unavailable' })
    if (error instanceof BadPicture) return await showDamaged(ctx, frame, error)
    if (!(error instanceof DetectorUnavailable)) throw error
    ctx.log.warn({ printerId: watched.printerId, reason: error.message }, 'the detector is down')
    return
  }
  const { decision, tagged, shown } = await follow(ctx, frame, inspection)
  const drawn = Promise.race([tagged, sleep(DRAWN_WITHIN_MS, null, { ref: false })])
  const picture = drawn.then((ref) => ref ?? frame.raw)
  const isFailing = decision.shouldAlert || decision.shouldPause
  await Promise.all([shown, isFailing && announceFailure(ctx, { watched, decision, picture })])
}

/** A part of the picture is missing: nothing is decided on the rest, and the owner reads why. */
async function showDamaged(ctx: Ctx, { watched, raw, at }: Frame, { message }: BadPicture): Promise<void> {
  const { printerId } = watched
  ctx.log.info({ printerId, reason: message }, 'a picture is damaged')
  await showPicture(ctx, printerId, { raw, at, checkedAt: ctx.clock.now(), blind: 'damaged' })
}

/**
 * What is known after a look: decision state and record. The picture with boxes (`tagged`, null without) and what
 * browsers see (`shown`) follow; nobody waits for them who has a print to pause.
 */
export async function follow(ctx: Ctx, frame: Frame, inspection: Inspection, isQuiet = false) {
  const { printerId } = frame.watched
  const { raw, at } = frame
  const { quality } = inspection
  const blind = await followCamera(ctx, printerId, { quality, at, intervalMs: PICTURE_MS })
  const isStrange = isCameraInDoubt(ctx, printerId)
  const decided = await decide(ctx, { ...frame, isQuiet, inspection, blind })
  const tagged = drawFrame(ctx, frame, inspection, toneOf(decided)).catch((error: unknown) => {
    ctx.log.warn({ err: error, printerId }, 'the boxes of a picture could not be drawn')
    return null
  })
  const shown = tagged.then((drawn) =>
    showPicture(ctx, printerId, { raw, tagged: drawn, at, checkedAt: ctx.clock.now(), blind, isStrange }),
  )
  return { ...decided, tagged, shown }
}
