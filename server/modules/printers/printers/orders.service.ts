import { statusOf } from '@vigil/contract/core/status.ts'
import type { PrintId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../../core/access/index.ts'
import { pauseArgs, type Refusal, sendCommand } from '../../core/commands/index.ts'
import { acknowledge, afterResume, notePausedBy } from '../../watch/detection/index.ts'
import { readPresence } from '../../core/presence/index.ts'
import type { PrinterRow } from '../../watch/printer-base/index.ts'
import * as prints from '../../prints/prints/index.ts'

/** What somebody wants of a print, wherever they pressed it: page, app, message, broker. */
interface Order {
  readonly printer: Authorized<'control', PrinterRow>
  readonly printId: PrintId
  readonly initiator: 'web' | 'api'
  readonly userId: UserId
}

/** Tells the printer, once; resume and cancel answer an open alert (docs/rules/watch.md 5): as `overwrite` says, else as no failure and as one. What was said before outlives a cancellation. */
export async function order(
  ctx: Ctx,
  {
    cmd,
    overwrite,
    ...to
  }: Order & {
    readonly cmd: 'pause' | 'resume' | 'cancel'
    readonly overwrite?: 'FAILED' | 'NOT_FAILED' | undefined
  },
): Promise<'sent' | Refusal> {
  const { printer, printId } = to
  const answer = await sendCommand(ctx, { ...to, cmd, args: cmd === 'pause' ? pauseArgs(printer) : {} })
  if (!answer.sent) return answer.reason
  if (cmd === 'resume') await afterResume(ctx, printer)
  if (cmd !== 'cancel') await notePausedBy(ctx, { printer, printId, by: cmd === 'pause' ? 'owner' : null })
  if (cmd === 'resume') await acknowledge(ctx, { printer, printId, overwrite: overwrite ?? 'NOT_FAILED' })
  if (cmd === 'cancel')
    await acknowledge(ctx, { printer, printId, overwrite: overwrite ?? 'FAILED', isImplied: !overwrite })
  return 'sent'
}

/** What somebody says of an alert: that it is a failure, that it is none, or that they have seen it. */
type Verdict = 'FAILED' | 'NOT_FAILED' | null

/** Answers an alert, wherever that was said; `alertedAt`: of this alert, and of none that came later. */
export async function answer(
  ctx: Ctx,
  { overwrite, ...to }: Order & { readonly overwrite: Verdict; readonly alertedAt?: number },
): Promise<'answered' | 'resumed' | Refusal> {
  if (overwrite === 'NOT_FAILED') return await notAFailure(ctx, to)
  const { printer, printId, alertedAt } = to
  await acknowledge(ctx, { printer, printId, overwrite, ...(alertedAt === undefined ? {} : { alertedAt }) })
  return 'answered'
}

/**
 * "Not a failure": a print that we have paused for the alert is resumed by it, of any other the alert is answered
 * (docs/rules/watch.md 5). What could not be sent answers nothing.
 */
async function notAFailure(
  ctx: Ctx,
  { alertedAt, ...to }: Order & { readonly alertedAt?: number },
): Promise<'answered' | 'resumed' | Refusal> {
  const { printer, printId } = to
  const print = await prints.findCurrentPrint(ctx.db, printer.id)
  const isOpen =
    print?.id === printId &&
    print.alertedAt !== null &&
    // who has only seen it has said nothing of the print
    (print.alertAcknowledgedAt === null ||
      print.alertAcknowledgedAt < print.alertedAt ||
      print.alertSeenAt !== null)
  const { status } = await readPresence(ctx, printer.id)
  const reading = statusOf(status)
  // Whose printer is not heard of stands as we left it.
  const isStanding = reading === null || reading.standsPaused || reading.pausing
  if (isOpen && print.pausedAt !== null && isStanding) {
    const sent = await order(ctx, { ...to, cmd: 'resume' })
    return sent === 'sent' ? 'resumed' : sent
  }
  await acknowledge(ctx, {
    printer,
    printId,
    overwrite: 'NOT_FAILED',
    ...(alertedAt === undefined ? {} : { alertedAt }),
  })
  return 'answered'
}
