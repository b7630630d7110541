import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Authorized } from '../../core/access/index.ts'
import { gapMs } from '../watching/interval.rules.ts'
import { readWatchMark, watchFurther, type WatchMark } from '../watching/watched-time.rules.ts'
import { NEW_PRINTER } from './again.rules.ts'
import { unpackGrid } from '../temporal/heat-grid.rules.ts'
import {
  addWatched,
  findPrediction,
  lockPrediction,
  lockPredictions,
  type PredictionRow,
  readPrediction,
  startOver,
  updatePrediction,
} from './predictions.queries.ts'
import { STEADY } from '../temporal/steady-constants.rules.ts'
import { learnBaseline, learnFailure, resumed } from './taught.rules.ts'
import { forgetLearnt, resetForPrint, type SteadyState, type Taught } from '../temporal/steady-state.rules.ts'
import { type Remembered, steadyOf } from './temporal.rules.ts'

/** A print that is over: how long it printed in seconds, and when it ended in milliseconds. */
interface Over {
  readonly printId: PrintId
  readonly printTime: number
  readonly at: number
  /** Between two looks, as its owner's plan gives it. */
  readonly planMs: number
}

/** Statuses come seldom: what was watched since the last one counts, too. */
async function settleWatched(db: Db, mark: WatchMark | null, { printId, printTime, at, planMs }: Over) {
  if (mark === null) return
  const { seconds, mark: end } = watchFurther(mark, at, printTime, gapMs(planMs))
  await addWatched(db, printId, { seconds, of: end.of })
}

/**
 * A print begins or ends: counters, quick means and the gauge start over; the long mean and the camera's
 * baseline persist (docs/rules/watch.md 3). Call inside the transaction that changes the current print.
 */
export async function resetPrediction(db: Db, printerId: PrinterId, over: Over | null = null): Promise<void> {
  const row = await lockPrediction(db, printerId)
  if (over !== null) await settleWatched(db, readWatchMark(row.watchMark), over)
  await reset(db, [row])
}

/** The same of printers that begin a print each, and of which none had one: by as many statements as of one. */
export async function resetPredictions(db: Db, printerIds: readonly PrinterId[]): Promise<void> {
  await reset(db, await lockPredictions(db, printerIds))
}

const reset = async (db: Db, rows: readonly PredictionRow[]) =>
  await startOver(
    db,
    new Date(),
    rows.map(({ printerId }) => printerId),
    rows.map((row) => (row.steady === null ? null : JSON.stringify(resetForPrint(steadyOf(row))))),
  )

/**
 * What a print goes by that begins on this printer now: what was learnt of its camera, and nothing of a print. That of a
 * printer that was never watched where `printerId` is null or gone.
 */
export async function rememberedOf(db: Db, printerId: PrinterId | null): Promise<Remembered> {
  const row = printerId === null ? undefined : await readPrediction(db, printerId)
  if (row === undefined) return NEW_PRINTER
  const steady = row.steady === null ? null : resetForPrint(steadyOf(row))
  return { ...row, currentFrameNum: 0, currentP: 0, ewmMean: 0, rollingMeanShort: 0, normalizedP: 0, steady }
}

/** The key of the model under which what is remembered was learnt; null where nothing was. */
export const learntUnder = (row: Remembered): string | null =>
  row.steady === null ? null : steadyOf(row).model

/** What the camera shows now is no failure: kept as its baseline. `row` is locked by the caller's transaction. */
export async function learnSound(db: Db, row: PredictionRow, now: number): Promise<void> {
  await saveSteady(db, row, (state) => learnBaseline(state, now))
}

/** What the camera shows now is a failure: it is not taken for normal again. `row` is locked likewise. */
export async function learnFailing(db: Db, row: PredictionRow): Promise<void> {
  await saveSteady(db, row, learnFailure)
}

/** What was learnt of a printer's camera, for its owner. */
export interface Learnt extends Taught {
  /** How long sound pictures were learnt from, in seconds; at most 20 hours count. */
  readonly seconds: number
  /** Share of the picture (0..1) in which something was said to be no failure. */
  readonly dismissed: number
}

/** What was learnt of this camera, by the decision's own state (docs/detector.md). */
export async function findLearnt(db: Db, printerId: PrinterId): Promise<Learnt> {
  const { taught, baselineSeconds, dismissed } = steadyOf(await findPrediction(db, printerId))
  const places = unpackGrid(dismissed)
  return {
    ...taught,
    seconds: Math.max(0, baselineSeconds - STEADY.priorSeconds),
    dismissed: places.filter((value) => value > 0).length / places.length,
  }
}

/** Judges this camera anew from its next picture on. */
export async function forgetLearned(ctx: Ctx, { id: printerId }: Authorized<'edit'>): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await saveSteady(tx, await lockPrediction(tx, printerId), forgetLearnt)
  })
}

/** A resume was sent: what made us pause must not do so again at once (docs/detector.md, weak point d). */
export async function afterResume(ctx: Ctx, { id: printerId }: Authorized<'control'>): Promise<void> {
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
