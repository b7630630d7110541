import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { writeEvent, type EventClass, type EventType } from '../../core/events/index.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import * as queries from './prints.queries.ts'
import type { LockedPrinter, PrintRow } from './prints.queries.ts'
import { dropStill, takeStill } from './still.service.ts'

/** A transaction over a printer's prints. */
export interface Step {
  readonly ctx: Ctx
  readonly printer: LockedPrinter
  readonly now: number
  /** What the camera shows. */
  readonly still: MediaRef | null
  print: PrintRow | null
  refusedExtId: number | null
  refusedFileId: number | null
  /** So many were written. */
  events: number
  readonly told: (() => void)[]
}

/** One transaction over a printer's prints; null when the printer is gone. News are told once it has succeeded. */
export async function inStep<T>(
  ctx: Ctx,
  printerId: PrinterId,
  work: (step: Step) => Promise<T>,
): Promise<{ step: Step; result: T } | null> {
  const now = ctx.clock.now()
  const still = await takeStill(ctx, printerId)
  let isShown = false
  try {
    const done = await ctx.db.transaction().execute(async (tx) => {
      const [printer] = await queries.lockPrinters(tx, [printerId])
      if (printer === undefined) return null
      const print = await queries.findPrint(tx, printer.currentPrintId)
      const refused = { refusedExtId: null, refusedFileId: null }
      const step: Step = {
        ctx: { ...ctx, db: tx },
        printer,
        now,
        still,
        print,
        ...refused,
        events: 0,
        told: [],
      }
      return { step, result: await work(step) }
    })
    isShown = (done?.step.events ?? 0) > 0
    for (const tell of done?.step.told ?? []) tell()
    return done
  } finally {
    if (!isShown) await dropStill(ctx, still)
  }
}

/** Writes an event of the print. */
export async function say(
  step: Step,
  print: PrintRow,
  type: EventType,
  eventClass: EventClass,
  code: string,
  more: Record<string, string | number | boolean> = {},
): Promise<void> {
  const { ctx, printer, still } = step
  step.events++
  const params = { printer: printer.name, file: print.filename, ...more }
  await writeEvent(ctx, {
    userId: printer.userId,
    printerId: printer.id,
    printId: print.id,
    type,
    class: eventClass,
    code,
    params,
    image: still,
  })
}
