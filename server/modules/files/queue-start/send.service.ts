import type { FileId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { byServer } from '../../core/access/index.ts'
import { startCloudPrint } from '../cloud-prints/index.ts'
import { tell } from '../../core/presence/index.ts'
import { keepRefusal, soilBedIf } from './beds.queries.ts'
import type { StartRow } from '../queue-plan/queue.queries.ts'
import { markSent, takeBackStart, updateStart } from '../queue-plan/starts.queries.ts'

/** After a refusal the printer is left alone for so long. */
const AGAIN_AFTER_MS = 15_000

/** Nothing was sent, and what stood in the way may pass by itself. */
const PASSING: ReadonlySet<string> = new Set([
  'off',
  'not_connected',
  'busy',
  'too_old',
  'unavailable',
  'not_sent',
])

type Start = Pick<StartRow, 'id' | 'entryId' | 'printerId' | 'bed' | 'sendUntil' | 'createdAt'>

/** Sends what was decided, once, unless it is too late; whoever dies over it leaves it to `followStarts`. */
export async function sendStart(ctx: Ctx, start: Start & { readonly fileId: FileId }): Promise<void> {
  if (ctx.clock.now() > start.sendUntil.getTime()) return
  try {
    const printer = byServer(start.printerId)
    const by = { actor: 'system', userId: null } as const
    const answer = await startCloudPrint(ctx, { printer, fileId: start.fileId, by })
    if (!answer.ok) return await refuseStart(ctx, start, answer.reason)
    // Somebody has printed the same file there a moment before.
    if (answer.cloudPrint.createdAt < start.createdAt) return await refuseStart(ctx, start, 'busy')
    await markSent(ctx.db, start.id, answer.cloudPrint.id)
    tell(ctx, start.printerId, 'changed')
  } catch (error) {
    ctx.log.error({ err: error, printerId: start.printerId }, 'what became of a start is found out later')
  }
}

/** Nothing was printed. What may pass is tried again on the same bed; otherwise a person has to look. */
export async function refuseStart(ctx: Ctx, start: Start, reason: string): Promise<void> {
  if (!PASSING.has(reason)) return await failStart(ctx, start, reason)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await takeBackStart(tx, start.id))) return
    const tryAfter = new Date(ctx.clock.now() + AGAIN_AFTER_MS)
    await keepRefusal(tx, start.printerId, { refusal: reason, tryAfter })
  })
  tell(ctx, start.printerId, 'changed')
}

/** A start came to nothing: its copy waits again, and for somebody to look at the bed. */
export async function failStart(
  ctx: Pick<Ctx, 'db' | 'clock' | 'live'>,
  { id, printerId, bed }: Pick<Start, 'id' | 'printerId' | 'bed'>,
  why: string,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const endedAt = new Date(ctx.clock.now())
    if (await updateStart(tx, id, { state: 'failed', why, endedAt })) await soilBedIf(tx, printerId, bed)
  })
  tell(ctx, printerId, 'changed')
}
