import type { Ctx } from '../../ctx.ts'
import type { HeaterChange } from './heaters.rules.ts'
import { keepHeaterTarget, writeTracker } from './prints.queries.ts'

/** Writes what a status changed about the heaters; a target reached while printing is kept with the print. */
export async function applyHeaters(
  ctx: Ctx,
  { printerId, printId, change }: { printerId: number; printId: number | null; change: HeaterChange },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    for (const [name, tracker] of change.changes) await writeTracker(tx, printerId, name, tracker)
    if (printId === null) return
    for (const fired of change.fired) if (fired.what === 'reached') await keepHeaterTarget(tx, printId, fired)
  })
}
