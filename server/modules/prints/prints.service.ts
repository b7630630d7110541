import type { Ctx } from '../../ctx.ts'
import { resetPrediction, shouldWatchOf } from '../detection/index.ts'
import { writeEvent, type EventClass, type EventType } from '../events/index.ts'
import type { HeaterChange } from './heaters.rules.ts'
import {
  type Action,
  type CurrentPrint,
  decide,
  estimateFilament,
  mayStart,
  type Outcome,
  type Report,
  type Stats,
} from './lifecycle.rules.ts'
import * as queries from './prints.queries.ts'
import type { LockedPrinter, PrintRow } from './prints.queries.ts'

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

interface Step {
  readonly ctx: Ctx
  readonly printer: LockedPrinter
  readonly now: number
  print: PrintRow | null
  refusedExtId: number | null
  refusedFileId: number | null
  readonly told: (() => void)[]
}

/** One transaction over a printer's prints; null when the printer is gone. News are told once it has succeeded. */
async function inStep<T>(
  ctx: Ctx,
  printerId: number,
  work: (step: Step) => Promise<T>,
): Promise<{ step: Step; result: T } | null> {
  const now = ctx.clock.now()
  const done = await ctx.db.transaction().execute(async (tx) => {
    const printer = await queries.lockPrinter(tx, printerId)
    if (printer === undefined) return null
    const print = await queries.findPrint(tx, printer.currentPrintId)
    const step: Step = {
      ctx: { ...ctx, db: tx },
      printer,
      now,
      print,
      refusedExtId: null,
      refusedFileId: null,
      told: [],
    }
    return { step, result: await work(step) }
  })
  for (const tell of done?.step.told ?? []) tell()
  return done
}

/**
 * Applies an agent's report to the printer's prints, in one transaction with events and prediction reset; null
 * when the printer is gone. The rows decide, whatever the caller believed (docs/rules/prints.md 1).
 */
export async function applyReport(ctx: Ctx, printerId: number, report: Report): Promise<Applied | null> {
  const done = await inStep(ctx, printerId, async (step) => {
    const actions = decide(currentPrintOf(step.print), report, step.now)
    // First of all, in the order in which detection locks: prediction, then print.
    if (actions.some((action) => action.do === 'start' || action.do === 'end'))
      await resetPrediction(step.ctx.db, printerId)
    for (const action of actions) if (!(await apply(step, action))) break
    return actions
  })
  if (done === null) return null
  const { printer, print, refusedExtId, refusedFileId } = done.step
  return {
    print: currentPrintOf(print),
    hasChanged: done.result.length > 0,
    shouldWatch: shouldWatchOf({ ...printer, detectionHours: printer.dhBalance, print }),
    refused: { extId: refusedExtId, fileId: refusedFileId },
  }
}

/** What is known of a print that an app ends, whose printer has no agent to tell more. */
const statsAt = (step: Step, print: PrintRow): Stats => ({
  printTime: Math.max(0, (step.now - (print.startedAt ?? print.createdAt).getTime()) / 1000),
  filamentUsed: null,
  ratio: null,
})

/**
 * An app says that a print has begun, for a printer without an agent (docs/wire/rest.md 6): one that still runs counts
 * as finished. Its key is the time, one more while that is taken.
 */
export async function startPrint(ctx: Ctx, printerId: number, filename: string): Promise<void> {
  await inStep(ctx, printerId, async (step) => {
    const { print, now } = step
    await resetPrediction(step.ctx.db, printerId)
    if (print !== null)
      await end(step, print, {
        do: 'end',
        outcome: 'finished',
        stats: statsAt(step, print),
        completion: null,
      })
    let extId = Math.floor(now / 1000)
    while ((await queries.findByKey(step.ctx.db, printerId, extId)) !== null) extId++
    await start(step, { do: 'start', extId, filename, fileId: null })
  })
}

/** An app says that the print has ended; false when none runs. */
export async function finishPrint(
  ctx: Ctx,
  printerId: number,
  outcome: 'finished' | 'cancelled',
): Promise<boolean> {
  const done = await inStep(ctx, printerId, async (step) => {
    const { print, now } = step
    if (print === null) return false
    await resetPrediction(step.ctx.db, printerId)
    const cancelledAt = outcome === 'cancelled' ? new Date(now) : null
    await end(
      step,
      { ...print, cancelledAt: print.cancelledAt ?? cancelledAt },
      { do: 'end', outcome, stats: statsAt(step, print), completion: null },
    )
    return true
  })
  return done?.result ?? false
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
  if (action.do === 'say')
    await say(step, print, action.type, SAID[action.type].class, SAID[action.type].code)
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

const ENDED: Record<Outcome, { class: EventClass; code: string }> = {
  finished: { class: 'SUCCESS', code: 'print_finished' },
  cancelled: { class: 'WARNING', code: 'print_cancelled' },
  lost: { class: 'WARNING', code: 'print_lost' },
}

async function start(step: Step, { extId, filename, fileId }: Action & { do: 'start' }): Promise<boolean> {
  const { ctx, printer, now } = step
  const found = await queries.findByKey(ctx.db, printer.id, extId)
  if (found !== null) {
    const endedAt = (found.cancelledAt ?? found.finishedAt)?.getTime() ?? null
    const verdict = mayStart({ endedAt, isDeleted: found.deletedAt !== null }, now)
    if (verdict !== 'resume') {
      step.refusedExtId = extId
      if (verdict === 'refuse')
        ctx.log.warn(
          { printerId: printer.id, printId: found.id, extId },
          'a print that has ended was reported again',
        )
      return false
    }
  }
  const file = await queries.findOwnFile(ctx.db, printer.userId, fileId)
  if (fileId !== null && file === null) step.refusedFileId = fileId
  const print =
    found ??
    (await queries.insertPrint(ctx.db, {
      userId: printer.userId,
      printerId: printer.id,
      extId,
      filename,
      gCodeFileId: file?.id ?? null,
      startedAt: new Date(now),
    }))
  step.print = print
  await queries.setCurrentPrint(ctx.db, printer.id, print.id)
  if (found === null) await say(step, print, 'STARTED', 'INFO', 'print_started')
  step.told.push(() => ctx.events.emit('print.started', { printerId: printer.id, printId: print.id }))
  return true
}

async function end(
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
  const progress = completion === null ? '?' : `${Math.round(completion)}%`
  await say(step, ended, 'ENDED', ENDED[outcome].class, ENDED[outcome].code, {
    progress,
    seconds: Math.round(stats.printTime),
    // Somebody cancelled it; otherwise the printer gave up by itself.
    ...(outcome === 'cancelled' && { wanted: print.cancelledAt !== null }),
  })
  step.print = null
  step.told.push(() =>
    ctx.events.emit('print.ended', { printerId: printer.id, printId: print.id, cancelled: isCancelled }),
  )
}

async function say(
  { ctx, printer }: Step,
  print: PrintRow,
  type: EventType,
  eventClass: EventClass,
  code: string,
  more: Record<string, string | number | boolean> = {},
): Promise<void> {
  const params = { printer: printer.name, file: print.filename, ...more }
  await writeEvent(ctx, {
    userId: printer.userId,
    printerId: printer.id,
    printId: print.id,
    type,
    class: eventClass,
    code,
    params,
  })
}

/** Statistics are captured once (docs/rules/prints.md 2). */
async function statsColumns({ ctx, printer }: Step, print: PrintRow, stats: Stats) {
  const file =
    print.filamentUsed === null ? await queries.findOwnFile(ctx.db, printer.userId, print.gCodeFileId) : null
  return {
    printTime: print.printTime ?? stats.printTime,
    filamentUsed: print.filamentUsed ?? estimateFilament(file, stats),
  }
}

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

/** Writes what a status changed about the heaters; a target reached while printing is kept with the print. */
export async function applyHeaters(
  ctx: Ctx,
  { printerId, printId, change }: { printerId: number; printId: number | null; change: HeaterChange },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    for (const [name, tracker] of change.changes) await queries.writeTracker(tx, printerId, name, tracker)
    if (printId === null) return
    for (const fired of change.fired)
      if (fired.what === 'reached') await queries.keepHeaterTarget(tx, printId, fired)
  })
}
