import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { owe } from '../../tell/notifications/index.ts'
import type { Fired, HeaterChange } from '../lifecycle/heaters.rules.ts'
import { keepHeaterTarget, writeTracker } from '../lifecycle/prints.queries.ts'

/** Writes what a status changed about the heaters, and what is told of it; a target reached while printing is kept with the print. */
export async function applyHeaters(
  ctx: Ctx,
  { printerId, printId, change }: { printerId: PrinterId; printId: PrintId | null; change: HeaterChange },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    for (const [name, tracker] of change.changes) await writeTracker(tx, printerId, name, tracker)
    for (const fired of change.fired) {
      if (printId !== null && fired.what === 'reached') await keepHeaterTarget(tx, printId, fired)
      await tellHeater({ ...ctx, db: tx }, { printerId, printId, fired })
    }
  })
}

/** A heater that got where it was sent is told; it is no event of the feed. */
async function tellHeater(
  ctx: Ctx,
  { printerId, printId, fired }: { printerId: PrinterId; printId: PrintId | null; fired: Fired },
): Promise<void> {
  const { name, actual, target, offset } = fired
  await owe(ctx, {
    key: `heater:${printerId}:${name}:${ctx.clock.now()}`,
    kind: fired.what === 'reached' ? 'HeaterTargetReached' : 'HeaterCooledDown',
    code: null,
    printerId,
    printId,
    picture: null,
    heater: { name, actual, target, offset },
  })
}
