import { type Beginning, writeBeginnings } from './begin.service.ts'
import { type Action, mayStart } from './lifecycle.rules.ts'
import * as queries from './prints.queries.ts'
import type { PrintRow } from './prints.queries.ts'
import type { Step } from './step.service.ts'

/** Begins a print, or goes on with one that has not ended; false when its key is that of a print that is over, and nothing says that another has begun. */
export async function start(
  step: Step,
  { extId, filename, fileId, isLive, isFirst }: Action & { do: 'start' },
): Promise<boolean> {
  const { ctx, printer, still, now } = step
  let found = await queries.findByKey(ctx.db, printer.id, extId)
  if (found !== null) {
    const endedAt = (found.cancelledAt ?? found.finishedAt)?.getTime() ?? null
    const verdict = mayStart({ endedAt, isDeleted: found.deletedAt !== null }, { isLive, isFirst }, now)
    if (verdict === 'again') {
      // The key is of what is printed now.
      await queries.updatePrint(ctx.db, found.id, { extId: null })
      found = null
    } else if (verdict !== 'resume') {
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
  const print = found ?? (await begin(step, { printer, extId, filename, fileId: file?.id ?? null, still }))
  step.print = print
  if (found !== null) await queries.setCurrentPrint(ctx.db, printer.id, print.id)
  step.told.push(() => ctx.events.emit('print.started', { printerId: printer.id, printId: print.id }))
  return true
}

async function begin(step: Step, beginning: Beginning): Promise<PrintRow> {
  step.events++
  const [print] = await writeBeginnings(step.ctx, [beginning], step.now)
  if (print === undefined) throw new Error(`print ${beginning.extId} was not written`)
  return print
}
