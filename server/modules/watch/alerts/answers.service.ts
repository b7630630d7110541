import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../../core/access/index.ts'
import { tell } from '../../core/presence/index.ts'
import { writeEvent } from '../../core/events/index.ts'
import { learnFailing, learnSound } from '../deciding/prediction.service.ts'
import { lockPrediction } from '../deciding/predictions.queries.ts'
import { pushShouldWatch } from '../watching/watching.service.ts'
import { findWatched } from '../watching/watched.queries.ts'
import { lockCurrentPrint, updatePrint } from './alerts.queries.ts'

/**
 * The owner answers an alert (docs/rules/watch.md 5 acknowledge): only if something was alerted. NOT_FAILED keeps
 * what the camera shows now as its baseline and pauses nothing for a while; FAILED keeps it from ever being learnt so.
 */
export async function acknowledge(
  ctx: Ctx,
  {
    printer,
    printId,
    overwrite,
    alertedAt,
    isImplied = false,
  }: {
    printer: Authorized<'control'>
    printId: PrintId
    overwrite: 'FAILED' | 'NOT_FAILED' | null
    /** The alert that is meant, milliseconds: a later one stays unanswered. Absent: whichever there is. */
    alertedAt?: number
    /** Nobody has said so: what somebody has said of this alert stays. */
    isImplied?: boolean
  },
): Promise<void> {
  const printerId = printer.id
  await ctx.db.transaction().execute(async (tx) => {
    // Always the prediction before the print: looks and life-cycle lock in this order too.
    const row = await lockPrediction(tx, printerId)
    const print = await lockCurrentPrint(tx, printerId, printId)
    if (print === null || print.alertedAt === null) return
    if (alertedAt !== undefined && print.alertedAt.getTime() > alertedAt) return
    const isAnswered = print.alertAcknowledgedAt !== null && print.alertAcknowledgedAt >= print.alertedAt
    if (isImplied && isAnswered && print.alertOverwrite !== null) return
    const now = new Date(ctx.clock.now())
    await updatePrint(tx, printId, {
      alertAcknowledgedAt: now,
      alertSeenAt: overwrite === null ? now : null,
      ...(overwrite === null ? {} : { alertOverwrite: overwrite }),
    })
    if (overwrite === 'NOT_FAILED') await learnSound(tx, row, ctx.clock.now())
    if (overwrite === 'FAILED') await learnFailing(tx, row)
  })
  tell(ctx, printerId, 'changed')
}

/** Notes that the owner had the print paused, or go on: told beside its state (`paused_by`). */
export async function notePausedBy(
  ctx: Ctx,
  { printer, printId, by }: { printer: Authorized<'control'>; printId: PrintId; by: 'owner' | null },
): Promise<void> {
  // The command is out, whatever the database does.
  await updatePrint(ctx.db, printId, { pausedBy: by }).catch((error: unknown) =>
    ctx.log.warn({ err: error, printId, by }, 'who paused a print was not written'),
  )
  tell(ctx, printer.id, 'changed')
}

/** Mutes or un-mutes failure detection for the current print; false when there is none (docs/rules/watch.md 5). */
export async function mute(
  ctx: Ctx,
  { printer, printId, muted }: { printer: Authorized<'control'>; printId: PrintId; muted: boolean },
): Promise<boolean> {
  const printerId = printer.id
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
  tell(ctx, printerId, 'changed')
  return done
}
