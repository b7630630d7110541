import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../../core/access/index.ts'
import { end } from './end.service.ts'
import { findByKey } from '../lifecycle/prints.queries.ts'
import { start } from '../lifecycle/start.service.ts'
import { resetFor, statsAt } from '../lifecycle/statistics.service.ts'
import { inStep } from '../lifecycle/step.service.ts'

/**
 * An app says that a print has begun, for a printer without an agent (docs/wire/rest.md 6): one that still runs counts
 * as finished. Its key is the time, one more while that is taken.
 */
export async function startPrint(
  ctx: Ctx,
  { id: printerId }: Authorized<'control'>,
  filename: string,
): Promise<void> {
  await inStep(ctx, printerId, async (step) => {
    const { print, now } = step
    await resetFor(step, print && statsAt(step, print))
    if (print !== null)
      await end(step, print, {
        do: 'end',
        outcome: 'finished',
        stats: statsAt(step, print),
        completion: null,
      })
    let extId = Math.floor(now / 1000)
    while ((await findByKey(step.ctx.db, printerId, extId)) !== null) extId++
    await start(step, { do: 'start', extId, filename, fileId: null, isLive: true, isFirst: true })
  })
}

/** An app says that the print has ended; false when none runs. */
export async function finishPrint(
  ctx: Ctx,
  { id: printerId }: Authorized<'control'>,
  outcome: 'finished' | 'cancelled',
): Promise<boolean> {
  const done = await inStep(ctx, printerId, async (step) => {
    const { print, now } = step
    if (print === null) return false
    await resetFor(step, statsAt(step, print))
    const cancelledAt = outcome === 'cancelled' ? new Date(now) : null
    await end(
      step,
      { ...print, cancelledAt: print.cancelledAt ?? cancelledAt },
      { do: 'end', outcome, stats: statsAt(step, print), completion: null },
    )
    return true
  })
  return done?.result ?? false
}
