import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import type { JobKind } from '../../engines/jobs/port.ts'
import { keys, topics, type PrinterNews } from '../commands/keys.ts'
import { pauseArgs, sendCommand } from '../commands/index.ts'
import { writeEvent } from '../events/index.ts'
import { pauseNotSent, react, type AlertState, type Decision } from './alert.rules.ts'
import {
  findWatched,
  lockCurrentPrint,
  updatePrint,
  type PrintRow,
  type Watched,
} from './detection.queries.ts'
import { shouldWatchOf } from './watch.service.ts'

/** A pause that no status has confirmed by then raises an alert of its own (issue 3, part 3). */
const CONFIRM_AFTER_MS = 60_000

const confirmPause = z.object({ printerId: z.int(), printId: z.int() })
/** Looks whether the printer has really paused. */
export const CONFIRM_PAUSE: JobKind<z.infer<typeof confirmPause>> = {
  name: 'confirm-pause',
  schema: confirmPause,
}

interface Failure {
  readonly watched: Watched & { readonly printId: number }
  readonly at: number
  readonly decision: Decision
  readonly picture: { readonly container: 'tsd-pics'; readonly path: string }
}

/** Alert columns of a print as the rules want them, on the clock of decisions. */
function alertStateOf(print: PrintRow, scale: number): AlertState {
  const time = (date: Date | null) => date && date.getTime() * scale
  return {
    alertedAt: time(print.alertedAt),
    acknowledgedAt: time(print.alertAcknowledgedAt),
    pausedAt: time(print.pausedAt),
    mutedAt: time(print.alertMutedAt),
  }
}

/**
 * Warns or pauses (api-contract 3.7). The print's row stays locked while the pause is written to the agent's
 * socket, so it can be neither sent twice nor claimed when it was not: `paused_at` is set only when it was sent,
 * otherwise the next frame decides again.
 */
export async function announceFailure(ctx: Ctx, { watched, decision, picture }: Failure): Promise<void> {
  const { printerId, printId } = watched
  const scale = ctx.config.DETECTION_TIME_SCALE
  const changed = await ctx.db.transaction().execute(async (tx) => {
    const print = await lockCurrentPrint(tx, printerId, printId)
    if (print === null) return false
    const before = alertStateOf(print, scale)
    const now = ctx.clock.now()
    const asked = react(before, decision, {
      now: now * scale,
      shouldWatch: shouldWatchOf({
        watchingEnabled: watched.watchingEnabled,
        detectionHours: watched.dhBalance,
        print,
      }),
      pauseOnFailure: watched.actionOnFailure === 'PAUSE',
    })
    const sent = asked.pause && (await pause(ctx, watched))
    const reaction = asked.pause && !sent ? pauseNotSent(before, now * scale) : asked
    if (reaction.alert === null) return false
    const at = new Date(now)
    await updatePrint(tx, printId, { alertedAt: at, ...(sent ? { pausedAt: at } : {}) })
    await writeFailure(
      { ...ctx, db: tx },
      watched,
      print,
      sent ? 'failure_paused' : 'failure_alerted',
      picture,
    )
    if (sent) {
      await ctx.jobs.enqueue(
        tx,
        CONFIRM_PAUSE,
        { printerId, printId },
        { startAfterMs: CONFIRM_AFTER_MS / scale },
      )
    }
    return true
  })
  if (changed) tellBrowsers(ctx, printerId)
}

async function pause(ctx: Ctx, watched: Watched & { readonly printId: number }): Promise<boolean> {
  const { printerId, printId } = watched
  const answer = await sendCommand(ctx, {
    printerId,
    printId,
    cmd: 'pause',
    args: pauseArgs(watched),
    initiator: 'system',
    userId: null,
  })
  if (!answer.sent)
    ctx.log.warn({ printerId, printId, reason: answer.reason }, 'a failing print could not be paused')
  return answer.sent
}

/** The job of `CONFIRM_PAUSE`: says so when the printer goes on although it was told to pause. */
export async function checkPause(
  ctx: Ctx,
  { printerId, printId }: z.infer<typeof confirmPause>,
): Promise<void> {
  const watched = await findWatched(ctx.db, printerId)
  if (watched === undefined || watched.printId !== printId) return
  const stored = await ctx.live.get(keys.status(printerId))
  const status =
    stored && (JSON.parse(stored.toString()) as { state?: { text?: string; flags?: { paused?: boolean } } })
  if (status?.state?.flags?.paused === true || status?.state?.text === 'Paused') return
  await ctx.db.transaction().execute(async (tx) => {
    const print = await lockCurrentPrint(tx, printerId, printId)
    if (print === null || (print.alertAcknowledgedAt ?? 0) > (print.pausedAt ?? 0)) return
    await writeFailure({ ...ctx, db: tx }, watched, print, 'pause_unconfirmed', null)
    await updatePrint(tx, printId, { alertedAt: new Date(ctx.clock.now()) })
  })
  tellBrowsers(ctx, printerId)
}

/** The event of a failing print, in the caller's transaction. */
async function writeFailure(
  ctx: Ctx,
  { userId, printerId, name }: Watched,
  print: PrintRow,
  code: 'failure_alerted' | 'failure_paused' | 'pause_unconfirmed',
  image: Failure['picture'] | null,
): Promise<void> {
  await writeEvent(ctx, {
    userId,
    printerId,
    printId: print.id,
    type: 'FAILURE_ALERTED',
    class: 'ERROR',
    code,
    params: { printer: name, file: print.filename },
    image,
  })
}

/** Rows of a printer changed: its browsers read them again. */
export function tellBrowsers(ctx: Ctx, printerId: number): void {
  ctx.live.publish(topics.news(printerId), JSON.stringify({ kind: 'changed' } satisfies PrinterNews))
  ctx.events.emit('printer.changed', { printerId })
}
