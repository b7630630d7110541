import { printIsOver } from '../../shop/subscriptions/index.ts'
import { sharesOf } from '../../watch/detection/index.ts'
import type { EventClass } from '../../core/events/index.ts'
import { AFTER_END_MS, PRINT_ENDED } from '../lifecycle/ended.jobs.ts'
import type { Action, Outcome } from '../lifecycle/lifecycle.rules.ts'
import * as queries from '../lifecycle/prints.queries.ts'
import type { PrintRow } from '../lifecycle/prints.queries.ts'
import { statsColumns } from '../lifecycle/statistics.service.ts'
import { say, type Step } from '../lifecycle/step.service.ts'

const ENDED: Record<Outcome, { class: EventClass; code: string }> = {
  finished: { class: 'SUCCESS', code: 'print_finished' },
  cancelled: { class: 'WARNING', code: 'print_cancelled' },
  lost: { class: 'WARNING', code: 'print_lost' },
}

/** Ends the printer's current print, with what is known of it. */
export async function end(
  step: Step,
  print: PrintRow,
  { outcome, stats, completion }: Action & { do: 'end' },
): Promise<void> {
  const { ctx, printer, now } = step
  const at = new Date(now)
  const isCancelled = outcome !== 'finished'
  const ended = await queries.updatePrint(ctx.db, print.id, {
    ...(await statsColumns(step, print, stats)),
    ...(isCancelled ? { cancelledAt: print.cancelledAt ?? at } : { finishedAt: at }),
  })
  await queries.setCurrentPrint(ctx.db, printer.id, null)
  const share = (await sharesOf(ctx.db, [ended])).get(print.id)
  await printIsOver(ctx, { userId: print.userId, printId: print.id, seconds: share?.seconds ?? 0 })
  const progress = completion === null ? null : `${Math.round(completion)}\u00a0%`
  await say(step, ended, 'ENDED', ENDED[outcome].class, ENDED[outcome].code, {
    ...(progress !== null && { progress }),
    seconds: share?.of ?? Math.round(stats.printTime),
    ...(share && { watched: share.seconds, unseen: share.unseen.join(' ') }),
    // Somebody cancelled it; otherwise the printer gave up by itself.
    ...(outcome === 'cancelled' && { wanted: print.cancelledAt !== null }),
  })
  await ctx.jobs.enqueue(
    ctx.db,
    PRINT_ENDED,
    { printId: print.id },
    { startAfterMs: AFTER_END_MS, owner: print.userId },
  )
  step.print = null
  step.told.push(() =>
    ctx.events.emit('print.ended', { printerId: printer.id, printId: print.id, cancelled: isCancelled }),
  )
}
