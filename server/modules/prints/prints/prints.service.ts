import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../../core/access/index.ts'
import { hoursToWatch } from '../../shop/hours/index.ts'
import { shouldWatchOf } from '../../watch/detection/index.ts'
import { end } from './end.service.ts'
import { type Action, type CurrentPrint, decide, type Report } from '../lifecycle/lifecycle.rules.ts'
import * as queries from '../lifecycle/prints.queries.ts'
import type { PrintRow } from '../lifecycle/prints.queries.ts'
import { start } from '../lifecycle/start.service.ts'
import { resetFor, statsColumns } from '../lifecycle/statistics.service.ts'
import { inStep, say, type Step } from '../lifecycle/step.service.ts'
import { beginningOf, beginTogether } from './together.service.ts'

/** What a report came to. `refused`: a key or file that is not to be asked about again. */
export interface Applied {
  readonly print: CurrentPrint | null
  readonly hasChanged: boolean
  readonly shouldWatch: boolean
  readonly refused: { readonly extId: number | null; readonly fileId: number | null }
}

/** A row as the rules want it. */
export function currentPrintOf(row: PrintRow | null): CurrentPrint | null {
  return (
    row && {
      id: row.id,
      extId: row.extId ?? 0,
      filename: row.filename,
      startedAt: (row.startedAt ?? row.createdAt).getTime(),
      cancelledAt: row.cancelledAt?.getTime() ?? null,
      gCodeFileId: row.gCodeFileId,
    }
  )
}

/**
 * Begins the print of a report, if it says no more than that, together with others that begin in this moment; null when the rows have
 * to be asked about it (`applyReport`). Only for printers of which the caller believes that nothing runs.
 */
export async function applyBeginning(
  ctx: Ctx,
  printer: Authorized<'control'>,
  report: Report,
): Promise<Applied | null> {
  const action = beginningOf(report, ctx.clock.now())
  const begun = action && (await beginTogether(ctx, printer, action))
  return (
    begun && {
      print: currentPrintOf(begun.print),
      hasChanged: true,
      shouldWatch: shouldWatchOf({
        ...begun.printer,
        detectionHours: hoursToWatch(begun.print, begun.printer.dhBalance),
        print: begun.print,
      }),
      refused: { extId: null, fileId: begun.refusedFileId },
    }
  )
}

/**
 * Applies an agent's report to the printer's prints, in one transaction with events and prediction reset; null
 * when the printer is gone. The rows decide, whatever the caller believed (docs/rules/prints.md 1).
 */
export async function applyReport(
  ctx: Ctx,
  { id: printerId }: Authorized<'control'>,
  report: Report,
): Promise<Applied | null> {
  const done = await inStep(ctx, printerId, async (step) => {
    const actions = decide(currentPrintOf(step.print), report, step.now)
    // First of all, in the order in which detection locks: prediction, then print.
    const ended = actions.find((action) => action.do === 'end')
    if (ended || actions.some((action) => action.do === 'start')) await resetFor(step, ended?.stats ?? null)
    for (const action of actions) if (!(await apply(step, action))) break
    return actions
  })
  if (done === null) return null
  const { printer, print, refusedExtId, refusedFileId } = done.step
  return {
    print: currentPrintOf(print),
    hasChanged: done.result.length > 0,
    shouldWatch: shouldWatchOf({ ...printer, detectionHours: hoursToWatch(print, printer.dhBalance), print }),
    refused: { extId: refusedExtId, fileId: refusedFileId },
  }
}

/** Does one action; false ends the list, because the print that the others speak of was not started. */
async function apply(step: Step, action: Action): Promise<boolean> {
  if (action.do === 'start') return await start(step, action)
  const { print } = step
  if (print === null) return false
  const { db } = step.ctx
  if (action.do === 'end') await end(step, print, action)
  if (action.do === 'rename') await rename(step, print, action.extId)
  if (action.do === 'file') await changeFile(step, print, action.fileId)
  if (action.do === 'say') {
    await say(step, print, action.type, SAID[action.type].class, SAID[action.type].code)
    if (action.type === 'RESUMED') step.print = await queries.updatePrint(db, print.id, { pausedBy: null })
  }
  if (action.do === 'stats')
    step.print = await queries.updatePrint(db, print.id, await statsColumns(step, print, action.stats))
  if (action.do === 'cancel') {
    const columns = await statsColumns(step, print, action.stats)
    step.print = await queries.updatePrint(db, print.id, {
      ...columns,
      cancelledAt: print.cancelledAt ?? new Date(step.now),
    })
  }
  return true
}

const SAID = {
  PAUSED: { class: 'INFO', code: 'print_paused' },
  RESUMED: { class: 'INFO', code: 'print_resumed' },
  FILAMENT_CHANGE: { class: 'WARNING', code: 'filament_change' },
} as const

/** The agent's clock moved: the same print under a new key, unless another print has it. */
async function rename(step: Step, print: PrintRow, extId: number): Promise<void> {
  const { ctx, printer } = step
  const other = await queries.findByKey(ctx.db, printer.id, extId)
  if (other === null) step.print = await queries.updatePrint(ctx.db, print.id, { extId })
  else step.refusedExtId = extId
}

async function changeFile(step: Step, print: PrintRow, fileId: number): Promise<void> {
  const { ctx, printer } = step
  const file = await queries.findOwnFile(ctx.db, printer.userId, fileId)
  if (file === null) step.refusedFileId = fileId
  else step.print = await queries.updatePrint(ctx.db, print.id, { gCodeFileId: file.id })
}
