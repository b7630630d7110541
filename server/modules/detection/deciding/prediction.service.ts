import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import { lockPrediction, type PredictionRow, updatePrediction } from './predictions.queries.ts'
import { learnBaseline, resumed } from './steady.rules.ts'
import { resetForPrint, type SteadyState } from './steady-state.rules.ts'
import { steadyOf } from './temporal.rules.ts'

/**
 * A print begins or ends: counters, quick means and the gauge start over; the long mean and the camera's
 * baseline persist (docs/rules/detection.md 3). Call inside the transaction that changes the current print.
 */
export async function resetPrediction(db: Db, printerId: number): Promise<void> {
  const row = await lockPrediction(db, printerId)
  await updatePrediction(db, printerId, {
    currentFrameNum: 0,
    currentP: 0,
    ewmMean: 0,
    rollingMeanShort: 0,
    normalizedP: 0,
    watchMark: null,
    steady: row.steady === null ? null : JSON.stringify(resetForPrint(steadyOf(row))),
  })
}

/** What the camera shows now is no failure: kept as its baseline. `row` is locked by the caller's transaction. */
export async function learnSound(db: Db, row: PredictionRow): Promise<void> {
  await saveSteady(db, row, learnBaseline)
}

/** A resume was sent: what made us pause must not do so again at once (docs/detector.md, weak point d). */
export async function afterResume(ctx: Ctx, printerId: number): Promise<void> {
  const at = ctx.clock.now() * ctx.config.DETECTION_TIME_SCALE
  await ctx.db.transaction().execute(async (tx) => {
    await saveSteady(tx, await lockPrediction(tx, printerId), (state) => resumed(state, at))
  })
}

async function saveSteady(
  db: Db,
  row: PredictionRow,
  change: (state: SteadyState) => SteadyState,
): Promise<void> {
  if (row.steady === null) return
  await updatePrediction(db, row.printerId, { steady: JSON.stringify(change(steadyOf(row))) })
}
