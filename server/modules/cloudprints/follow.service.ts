import { statusOf } from '@vigil/contract/status.ts'
import type { CloudPrintState } from '@vigil/contract/cloud-prints.ts'
import type { Ctx } from '../../ctx.ts'
import { everyTick } from '../../lib/ticks.ts'
import { byServer } from '../access/index.ts'
import { sendCommand } from '../commands/index.ts'
import { readPresences, tell } from '../presence/index.ts'
import { nextStep, type PrintSeen, type Step, type UnderWay } from './cloudprints.rules.ts'
import { type CloudPrintRow, findOutcomes, takeDue, updateCloudPrint } from './cloudprints.queries.ts'
import { fail } from './ending.service.ts'

const EVERY_MS = 1_000
/** Of several nodes each takes those that no other has just taken. */
const APART_MS = 800
const AT_ONCE = 200

/** Follows the hand-overs that are under way, those of before a restart among them, until they end. */
export function followCloudPrints(ctx: Ctx): void {
  everyTick(ctx, EVERY_MS, () => look(ctx))
}

async function look(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const before = new Date(now - APART_MS)
  const rows = await takeDue(ctx.db, { before, now: new Date(now), limit: AT_ONCE })
  if (rows.length === 0) return
  const outcomes = new Map(
    (
      await findOutcomes(
        ctx.db,
        rows.map(({ id }) => id),
      )
    ).map((outcome) => [outcome.id, outcome]),
  )
  const presences = await readPresences(
    ctx,
    rows.map(({ printerId }) => printerId),
  )
  for (const [at, row] of rows.entries()) {
    const outcome = outcomes.get(row.id)
    const status = statusOf(presences[at]?.status ?? null)
    const print = outcome ? printOf(outcome) : null
    const step = nextStep(underWayOf(row), { now, status, print, bytesThere: outcome?.bytesThere ?? null })
    if (step !== null) await take(ctx, row, step)
  }
}

type Outcome = Awaited<ReturnType<typeof findOutcomes>>[number]

function printOf(outcome: Outcome): PrintSeen | null {
  const { printId, gCodeFileId, filename, startedAt, createdAt, finishedAt, cancelledAt } = outcome
  if (printId === null || filename === null) return null
  return {
    id: printId,
    fileId: gCodeFileId,
    filename,
    startedAt: (startedAt ?? createdAt)?.getTime() ?? 0,
    endedAt: (cancelledAt ?? finishedAt)?.getTime() ?? null,
    isCancelled: cancelledAt !== null,
  }
}

const underWayOf = (row: CloudPrintRow): UnderWay => ({
  state: row.state as CloudPrintState,
  fileId: row.gCodeFileId,
  names: [row.filename, row.safeFilename],
  numBytes: row.numBytes,
  createdAt: row.createdAt.getTime(),
  fetchedAt: row.fetchedAt?.getTime() ?? null,
  cutAt: row.cutAt?.getTime() ?? null,
  idleSince: row.idleSince?.getTime() ?? null,
  printId: row.printId,
})

async function take(ctx: Ctx, row: CloudPrintRow, { reason, ...step }: Step): Promise<void> {
  if (reason !== undefined) {
    // Whoever cancels a print knows of it, and is told by the print's own event.
    await fail(ctx, row, { reason, isKnown: reason === 'cancelled' })
    if (reason === 'incomplete' && row.printId !== null) await stop(ctx, row.printerId, row.printId)
    return
  }
  const { idleSince, ...values } = step
  const isDone = step.state === 'printing'
  const changed = await updateCloudPrint(ctx.db, row.id, [row.state], {
    ...values,
    ...(idleSince === undefined ? {} : { idleSince: idleSince === null ? null : new Date(idleSince) }),
    ...(isDone ? { endedAt: new Date(ctx.clock.now()) } : {}),
  })
  if (changed !== null && step.state !== undefined) tell(ctx, row.printerId, 'changed')
}

/** What is not whole would end in mid-air with its heaters on. */
async function stop(ctx: Ctx, printerId: number, printId: number): Promise<void> {
  const printer = byServer(printerId)
  await sendCommand(ctx, { printer, printId, cmd: 'cancel', args: {}, initiator: 'system', userId: null })
}
