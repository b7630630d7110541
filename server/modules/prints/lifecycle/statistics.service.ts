import { resetPrediction } from '../../watch/detection/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { estimateFilament, type Stats } from './lifecycle.rules.ts'
import { findOwnFile, type PrintRow } from './prints.queries.ts'
import type { Step } from './step.service.ts'

/** Statistics are captured once (docs/rules/prints.md 2). */
export async function statsColumns({ ctx, printer }: Step, print: PrintRow, stats: Stats) {
  const file =
    print.filamentUsed === null ? await findOwnFile(ctx.db, printer.userId, print.gCodeFileId) : null
  return {
    printTime: print.printTime ?? stats.printTime,
    filamentUsed: print.filamentUsed ?? estimateFilament(file, stats),
  }
}

/** Another print begins or this one is over (`ended`): what detection held of it, in the order in which it locks. */
export async function resetFor({ ctx, printer, print, now }: Step, ended: Stats | null): Promise<void> {
  const planMs = entitlementsOf(ctx, printer).detectionIntervalMs
  const over = print !== null &&
    ended !== null && { printId: print.id, printTime: print.printTime ?? ended.printTime, at: now, planMs }
  await resetPrediction(ctx.db, printer.id, over || null)
}

/** What is known of a print that an app ends, whose printer has no agent to tell more. */
export const statsAt = (step: Step, print: PrintRow): Stats => ({
  printTime: Math.max(0, (step.now - (print.startedAt ?? print.createdAt).getTime()) / 1000),
  filamentUsed: null,
  ratio: null,
})
