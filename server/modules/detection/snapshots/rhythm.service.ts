import type { Ctx } from '../../../ctx.ts'
import { entitlementsOf } from '../../entitlements/index.ts'
import { isCameraStrange } from '../looking/views.service.ts'
import { lookEveryMs } from '../watch/interval.rules.ts'
import { isMeantToBeWatched } from '../watch/watch.service.ts'
import type { Watched } from '../watch/watched.queries.ts'

/** When each printer was last handed to the detector by this node, on the monotonic clock. */
const lastLook = new Map<number, number>()

/** Whether the printer is meant to be watched and its last look is long enough ago; `now` is of the monotonic clock. */
export function isDue(ctx: Ctx, watched: Watched, now: number): boolean {
  if (!isMeantToBeWatched(watched)) return false
  const planMs = entitlementsOf(ctx, watched).detectionIntervalMs
  const every = lookEveryMs({ ...watched, planMs }, isCameraStrange(ctx, watched.printerId))
  // A tenth is forgiven: agents aim at 10 s and arrive a little early or late.
  const least = (every / ctx.config.DETECTION_TIME_SCALE) * 0.9
  return now - (lastLook.get(watched.printerId) ?? -Infinity) >= least
}

/** A frame of the printer goes to the detector at `now`. */
export function noteLook(printerId: number, now: number): void {
  lastLook.set(printerId, now)
}

/** Forgets a printer's rhythm when its print begins or ends, so that the first picture is looked at. */
export function forgetLook(printerId: number): void {
  lastLook.delete(printerId)
}
