import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import { sendMessage } from '../../commands/index.ts'
import { writeEvent } from '../../events/index.ts'
import { tellBrowsers } from './alerts.service.ts'
import {
  findWatched,
  lockCurrentPrint,
  lockPrediction,
  type PredictionRow,
  updatePrediction,
  updatePrint,
} from '../detection.queries.ts'
import { learnBaseline, resumed } from '../deciding/steady.rules.ts'
import { resetForPrint, type SteadyState } from '../deciding/steady-state.rules.ts'
import { steadyOf } from '../deciding/temporal.rules.ts'
import { isMeantToBeWatched } from '../watch/watch.service.ts'

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

/**
 * The owner answers an alert (docs/rules/detection.md 5 acknowledge): only if something was alerted. NOT_FAILED keeps
 * what the camera shows now as its baseline and pauses nothing for a while.
 */
export async function acknowledge(
  ctx: Ctx,
  {
    printerId,
    printId,
    overwrite,
  }: { printerId: number; printId: number; overwrite: 'FAILED' | 'NOT_FAILED' | null },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    // Always the prediction before the print: judge and life-cycle lock in this order too.
    const row = await lockPrediction(tx, printerId)
    const print = await lockCurrentPrint(tx, printerId, printId)
    if (print === null || print.alertedAt === null) return
    await updatePrint(tx, printId, {
      alertAcknowledgedAt: new Date(ctx.clock.now()),
      ...(overwrite === null ? {} : { alertOverwrite: overwrite }),
    })
    if (overwrite === 'NOT_FAILED') await saveSteady(tx, row, learnBaseline)
  })
  tellBrowsers(ctx, printerId)
}

/** A resume was sent: what made us pause must not do so again at once (docs/detector.md, weak point d). */
export async function afterResume(ctx: Ctx, printerId: number): Promise<void> {
  const at = ctx.clock.now() * ctx.config.DETECTION_TIME_SCALE
  await ctx.db.transaction().execute((tx) => changeSteady(tx, printerId, (state) => resumed(state, at)))
}

async function changeSteady(
  db: Db,
  printerId: number,
  change: (state: SteadyState) => SteadyState,
): Promise<void> {
  await saveSteady(db, await lockPrediction(db, printerId), change)
}

async function saveSteady(
  db: Db,
  row: PredictionRow,
  change: (state: SteadyState) => SteadyState,
): Promise<void> {
  if (row.steady === null) return
  await updatePrediction(db, row.printerId, { steady: JSON.stringify(change(steadyOf(row))) })
}

/** Mutes or un-mutes failure detection for the current print; false when there is none (docs/rules/detection.md 5). */
export async function mute(
  ctx: Ctx,
  { printerId, printId, muted }: { printerId: number; printId: number; muted: boolean },
): Promise<boolean> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const print = await lockCurrentPrint(tx, printerId, printId)
    const watched = await findWatched(tx, printerId)
    if (print === null || watched === undefined) return false
    if ((print.alertMutedAt !== null) === muted) return true
    await updatePrint(tx, printId, { alertMutedAt: muted ? new Date(ctx.clock.now()) : null })
    await writeEvent(
      { ...ctx, db: tx },
      {
        userId: watched.userId,
        printerId,
        printId,
        type: muted ? 'ALERT_MUTED' : 'ALERT_UNMUTED',
        class: muted ? 'WARNING' : 'INFO',
        code: muted ? 'alert_muted' : 'alert_unmuted',
        params: { printer: watched.name, file: print.filename },
        image: null,
      },
    )
    return true
  })
  if (done) await pushShouldWatch(ctx, printerId)
  tellBrowsers(ctx, printerId)
  return done
}

/** Tells the agent whether we watch; it sets its picture cadence by it (docs/wire/agents.md 3.2). */
export async function pushShouldWatch(ctx: Ctx, printerId: number): Promise<void> {
  const watched = await findWatched(ctx.db, printerId)
  if (watched === undefined) return
  await sendMessage(ctx, printerId, { remote_status: { should_watch: isMeantToBeWatched(watched) } })
}
