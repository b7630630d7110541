import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { lookSoon } from './next.service.ts'
import { failStart, refuseStart } from './send.service.ts'
import { findFollowed, type FollowedRow, markSent, updateStart } from '../queue-plan/starts.queries.ts'

/** A start that is not sent this long after its time has nobody who sends it any more. */
const ABANDONED_MS = 20_000
const AT_ONCE = 200

/** Looks what has become of what was begun, until its print is known: of this process's starts, and of those that died. */
export async function followStarts(ctx: Ctx): Promise<void> {
  for (const start of await findFollowed(ctx.db, AT_ONCE)) {
    if (await follow(ctx, start)) await lookSoon(ctx, start.userId)
  }
}

/** True when it has ended. */
async function follow(ctx: Ctx, start: FollowedRow): Promise<boolean> {
  if (start.state === 'sending') {
    if (ctx.clock.now() < start.sendUntil.getTime() + ABANDONED_MS) return false
    // Whoever decided it has died: it was handed over, or it never will be.
    if (start.handOverId === null) await refuseStart(ctx, start, 'not_sent')
    else await markSent(ctx.db, start.id, start.handOverId)
    return start.handOverId === null
  }
  if (start.foundPrintId !== null) return await found(ctx, start, start.foundPrintId)
  if (start.handOverState !== null && start.handOverState !== 'failed') return false
  await failStart(ctx, start, start.handOverReason ?? 'not_sent')
  return true
}

/** Its print has begun; of a short one the end may have passed by already. */
async function found(ctx: Ctx, start: FollowedRow, printId: PrintId): Promise<boolean> {
  const endedAt = start.cancelledAt ?? start.finishedAt
  if (endedAt === null) {
    await updateStart(ctx.db, start.id, { state: 'printing', printId })
    return false
  }
  const why = start.cancelledAt === null ? 'finished' : 'cancelled'
  await updateStart(ctx.db, start.id, { state: 'done', printId, why, endedAt })
  return true
}
