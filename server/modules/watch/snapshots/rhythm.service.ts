import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { forgetLook, takeLook } from '../../core/presence/index.ts'
import { isCameraStrange } from '../looking/views.service.ts'
import { lookEveryMs } from '../watching/interval.rules.ts'
import type { Watched } from '../watching/watched.queries.ts'

/** A tenth is forgiven: agents aim at 10 s and arrive a little early or late. */
const FORGIVEN = 0.9

/**
 * Whether the printer's last look is long enough ago, on whichever node that was: then this is the next one, and it is
 * noted. A printer has one rhythm, however many nodes take its pictures.
 */
export async function takeTurn(ctx: Ctx, watched: Watched): Promise<boolean> {
  const planMs = entitlementsOf(ctx, watched).detectionIntervalMs
  const every = lookEveryMs({ ...watched, planMs }, isCameraStrange(ctx, watched.printerId))
  return await takeLook(ctx, watched.printerId, (every / ctx.config.DETECTION_TIME_SCALE) * FORGIVEN)
}

/** Forgets a printer's rhythm when its print begins or ends, so that the first picture is looked at. */
export function forgetRhythm(ctx: Ctx, printerId: PrinterId): void {
  // With the store away no picture is looked at; when it is back the next one is, an interval later at most.
  forgetLook(ctx, printerId).catch(() => undefined)
}
