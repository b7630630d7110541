import type { Heat } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { findHeat } from '../../watch/detection/index.ts'
import { viewFor } from './printers.service.ts'

/**
 * The heat map of the last look at the current print, or of the look that its alert's picture shows; null when
 * there is none, or the detector draws none (docs/detector.md). Raises 404 for a printer that is not the caller's.
 */
export async function heatOf(
  ctx: Ctx,
  { principal, printerId, ofAlert }: { principal: UserPrincipal; printerId: number; ofAlert: boolean },
): Promise<Heat | null> {
  const { print, alertSight } = await viewFor(ctx, { principal, action: 'see' }, printerId)
  if (print === null || (ofAlert && alertSight === null)) return null
  const found = await findHeat(ctx.db, print.id, ofAlert ? alertSight?.at : undefined)
  if (!found?.heat) return null
  const { width, height, values } = found.heat
  return { taken_at: found.at.toISOString(), width, height, values }
}
