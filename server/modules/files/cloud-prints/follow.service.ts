import { statusOf } from '@vigil/contract/core/status.ts'
import type { CloudPrintState } from '@vigil/contract/files/cloud-prints.ts'
import type { FastifyInstance } from 'fastify'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { byServer } from '../../core/access/index.ts'
import { sendCommand } from '../../core/commands/index.ts'
import { findOwnFile } from '../gcode-files/index.ts'
import { readPresences, tell } from '../../core/presence/index.ts'
import { nextStep, type PrintSeen, type Step, type UnderWay } from './cloud-prints.rules.ts'
import { type CloudPrintRow, findOutcomes, takeDue, updateCloudPrint } from './cloud-prints.queries.ts'
import { fail, tellUnsure } from './ending.service.ts'
import { type Claim, type Stored, isStorable, storedByKlipper, storedByOctoPrint } from './stored.rules.ts'

const EVERY_MS = 1_000
/** Of several nodes each takes those that no other has just taken. */
const APART_MS = 800
const AT_ONCE = 200

/** Follows the hand-overs that are under way, those of before a restart among them, until they end. */
export function followCloudPrints(app: FastifyInstance, ctx: Ctx): void {
  const readings: Readings = new Map()
  // Not before the jobs run: how one ends commits with what has it told.
  app.addHook('onReady', async () => void everyTick(ctx, EVERY_MS, () => look(ctx, readings)))
}

/** By hand-over, what comparing the file with what its agent says of it has shown. */
type Readings = Map<number, { readonly signature: string; stored: Stored | 'reading' }>

async function look(ctx: Ctx, readings: Readings): Promise<void> {
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
    const stored = outcome ? storedOf(ctx, row, outcome, readings) : null
    const step = nextStep(underWayOf(row), { now, status, print, stored })
    if (step === null) continue
    readings.delete(row.id)
    const agentName = outcome?.agentName ?? null
    await take(ctx, { ...row, agentName }, step)
  }
}

type Followed = CloudPrintRow & { readonly agentName: string | null }
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

/** Compares the file in the background, once; a Klipper agent's word is compared at once. */
function storedOf(
  ctx: Ctx,
  row: CloudPrintRow,
  outcome: Outcome,
  readings: Readings,
): Stored | 'reading' | null {
  const { signature, bytesThere: numBytes, agentName } = outcome
  if (row.state !== 'starting' || signature === null) return null
  const claim = { signature, numBytes }
  if (agentName === 'moonraker_obico') return storedByKlipper(claim, row.numBytes)
  const known = readings.get(row.id)
  if (known?.signature === signature) return known.stored
  const reading: { signature: string; stored: Stored | 'reading' } = { signature, stored: 'reading' }
  readings.set(row.id, reading)
  void compare(ctx, row, claim).then((stored) => (reading.stored = stored))
  return reading.stored
}

async function contentOf(ctx: Ctx, { gCodeFileId, userId }: CloudPrintRow) {
  const file = gCodeFileId === null ? null : await findOwnFile(ctx.db, userId, gCodeFileId)
  return file?.content ? await ctx.files.get(file.content) : null
}

/** What can be said of a file that was fetched and not printed. */
async function whyNotStarted(ctx: Ctx, row: Followed): Promise<'not_started' | 'not_utf8'> {
  if (row.agentName === 'moonraker_obico') return 'not_started'
  try {
    const content = await contentOf(ctx, row)
    return content !== null && !(await isStorable(content)) ? 'not_utf8' : 'not_started'
  } catch (err) {
    ctx.log.warn({ err, printerId: row.printerId }, 'a file that was not printed could not be looked at')
    return 'not_started'
  }
}

async function compare(ctx: Ctx, row: CloudPrintRow, claim: Claim): Promise<Stored> {
  try {
    const content = await contentOf(ctx, row)
    return content === null ? 'unsure' : await storedByOctoPrint(claim, content)
  } catch (err) {
    ctx.log.warn(
      { err, printerId: row.printerId },
      'a file could not be compared with the one on its printer',
    )
    return 'unsure'
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

async function take(ctx: Ctx, row: Followed, { reason, isUnsure, ...step }: Step): Promise<void> {
  if (reason !== undefined) {
    // Whoever cancels a print knows of it, and is told by the print's own event.
    const why = reason === 'not_started' ? await whyNotStarted(ctx, row) : reason
    await fail(ctx, row, { reason: why, isKnown: reason === 'cancelled' })
    if (reason === 'incomplete' && row.printId !== null) await stop(ctx, row.printerId, row.printId)
    return
  }
  const { idleSince, ...values } = step
  const isDone = step.state === 'printing'
  const changed = await ctx.db.transaction().execute(async (db) => {
    const written = await updateCloudPrint(db, row.id, [row.state], {
      ...values,
      ...(idleSince === undefined ? {} : { idleSince: idleSince === null ? null : new Date(idleSince) }),
      ...(isDone ? { endedAt: new Date(ctx.clock.now()) } : {}),
    })
    if (written !== null && isUnsure) await tellUnsure({ ...ctx, db }, written)
    return written
  })
  if (changed !== null && step.state !== undefined) tell(ctx, row.printerId, 'changed')
}

/** What is not whole would end in mid-air with its heaters on. */
async function stop(ctx: Ctx, printerId: PrinterId, printId: PrintId): Promise<void> {
  const printer = byServer(printerId)
  await sendCommand(ctx, { printer, printId, cmd: 'cancel', args: {}, initiator: 'system', userId: null })
}
