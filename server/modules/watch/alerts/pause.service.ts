import { z } from 'zod'
import { idOf, type PrinterId, type PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { readAgent, readStatus, tell } from '../../core/presence/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { pauseNotSent } from './alert.rules.ts'
import { type AlertPicture, alertStateOf, type FailureCode, writeFailure } from './alerts.service.ts'
import { findWatched, type Watched } from '../watching/watched.queries.ts'
import { lockCurrentPrint, lockIntent, markPauseSeen, type PrintRow, updatePrint } from './alerts.queries.ts'
import { askedAt, type Evidence, evidenceOf, type Seen, standingOf } from './pause.rules.ts'

/** A pause that nothing has confirmed by then raises an alert of its own (docs/rules/prints.md 4). */
const FOLLOW_AFTER_MS = 60_000
/** A printer that is about to pause, or whose agent has not reported yet, is looked at again. */
const AGAIN_AFTER_MS = 30_000
/** For so long after the pause. */
const PATIENCE_MS = 180_000

const followedPause = z.object({ printerId: idOf<'printers'>(), printId: idOf<'prints'>(), id: z.uuid() })
type FollowedPause = z.infer<typeof followedPause>
/** Looks what came of a pause: settles an intent that nobody settled, and whether the printer has really paused. */
export const FOLLOW_PAUSE: JobKind<FollowedPause> = { name: 'follow-pause', schema: followedPause }

/** Has a pause followed, in the caller's transaction. */
export async function scheduleFollowing(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'config'>,
  pause: FollowedPause,
  afterMs = FOLLOW_AFTER_MS,
): Promise<void> {
  const startAfterMs = afterMs / ctx.config.DETECTION_TIME_SCALE
  await ctx.jobs.enqueue(ctx.db, FOLLOW_PAUSE, pause, { startAfterMs })
}

/** What is known of a printer now. Not for inside a transaction. */
export async function readSeen(ctx: Ctx, printerId: PrinterId): Promise<Seen> {
  const [status, agent] = await Promise.all([readStatus(ctx, printerId), readAgent(ctx, printerId)])
  return { status, agent }
}

/**
 * Settles an intent whose time is over by what the printer says, in the caller's transaction, which has locked the
 * print. `paused`: it counts as sent. `printing`: as not sent, and may be decided on again. Otherwise it stays open.
 */
export async function settleIntent(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  watched: Pick<Watched, 'userId' | 'printerId' | 'name'>,
  print: PrintRow,
  seen: Seen,
  picture: AlertPicture | null = null,
): Promise<Evidence> {
  const now = ctx.clock.now()
  const after = print.pauseUntil?.getTime() ?? now
  const evidence = evidenceOf(seen, print.pauseSeenAt, { since: askedAt(print), after })
  if (evidence === 'paused') {
    const at = new Date(now)
    await updatePrint(ctx.db, print.id, { pausedAt: at, pausedBy: 'vigil', alertedAt: at })
    await writeFailure(ctx, watched, print, 'failure_found_paused', picture)
    await auditSettled(ctx, watched, print, 'found_paused')
  }
  if (evidence === 'printing') {
    await updatePrint(ctx.db, print.id, { pauseId: null, pauseUntil: null })
    await auditSettled(ctx, watched, print, 'found_printing')
  }
  return evidence
}

/** What came of a pause as far as its printer's status tells. */
async function auditSettled(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { printerId }: Pick<Watched, 'printerId'>,
  { id: printId, pauseId }: PrintRow,
  outcome: string,
): Promise<void> {
  await writeAudit(ctx, {
    actor: 'system',
    userId: null,
    printerId,
    printId,
    action: 'command.pause',
    outcome,
    detail: { id: pauseId },
  })
}

/**
 * A printer stands still in a pause, or its agent says so: remembered, because it answers our pause also when the agent
 * is gone a minute later. Settles an open intent.
 */
export async function sawPause(
  ctx: Ctx,
  { printerId, printId }: { printerId: PrinterId; printId: PrintId },
): Promise<void> {
  const now = ctx.clock.now()
  const marked = await markPauseSeen(ctx.db, printId, new Date(now))
  if (marked === null || standingOf(marked, now) !== 'open') return
  const watched = await findWatched(ctx.db, printerId)
  if (watched === undefined) return
  await ctx.db.transaction().execute(async (tx) => {
    const print = await lockCurrentPrint(tx, printerId, printId)
    if (print === null || standingOf(print, now) !== 'open') return
    await settleIntent({ ...ctx, db: tx }, watched, print, { status: null, agent: null })
  })
  tell(ctx, printerId, 'changed')
}

/** The job of `FOLLOW_PAUSE`. */
export async function followPause(ctx: Ctx, pause: FollowedPause): Promise<void> {
  const { printerId, printId, id } = pause
  const watched = await findWatched(ctx.db, printerId)
  if (watched === undefined) return
  const seen = await readSeen(ctx, printerId)
  await ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx }
    const print = await lockIntent(tx, printId, id)
    if (print === null) return
    if (watched.printId !== printId) return await close(inside, watched, print)
    if (print.pausedAt === null) return await settle(inside, watched, print, { seen, pause })
    await confirm(inside, watched, print, { seen, pause })
  })
  tell(ctx, printerId, 'changed')
}

interface Following {
  readonly seen: Seen
  readonly pause: FollowedPause
}

/** The print has ended before anybody knew what came of its pause. */
async function close(ctx: Ctx, watched: Watched, print: PrintRow): Promise<void> {
  if (print.pausedAt !== null) return
  await updatePrint(ctx.db, print.id, { pauseId: null, pauseUntil: null })
  await auditSettled(ctx, watched, print, 'print_ended')
}

async function settle(
  ctx: Ctx,
  watched: Watched,
  print: PrintRow,
  { seen, pause }: Following,
): Promise<void> {
  const now = ctx.clock.now()
  if (standingOf(print, now) === 'young') return await scheduleFollowing(ctx, pause, AGAIN_AFTER_MS)
  if ((await settleIntent(ctx, watched, print, seen)) === 'paused') return
  const scale = ctx.config.DETECTION_TIME_SCALE
  if (pauseNotSent(alertStateOf(print, scale), now * scale).alert)
    await alert(ctx, watched, print, 'failure_alerted')
}

/** Says so when the printer goes on although it was told to pause, or when nobody can know. */
async function confirm(
  ctx: Ctx,
  watched: Watched,
  print: PrintRow,
  { seen, pause }: Following,
): Promise<void> {
  const pausedAt = print.pausedAt?.getTime() ?? 0
  if ((print.alertAcknowledgedAt?.getTime() ?? 0) > pausedAt) return
  const now = ctx.clock.now()
  const evidence = evidenceOf(seen, print.pauseSeenAt, { since: pausedAt, after: pausedAt })
  if (evidence === 'paused' || evidence === 'still') return
  const isOpen = evidence === 'pausing' || evidence === 'silent'
  if (isOpen && now - pausedAt < PATIENCE_MS / ctx.config.DETECTION_TIME_SCALE)
    return await scheduleFollowing(ctx, pause, AGAIN_AFTER_MS)
  const isLost = evidence === 'gone' || evidence === 'silent'
  await alert(ctx, watched, print, isLost ? 'pause_agent_lost' : 'pause_unconfirmed')
}

async function alert(ctx: Ctx, watched: Watched, print: PrintRow, code: FailureCode): Promise<void> {
  await updatePrint(ctx.db, print.id, { alertedAt: new Date(ctx.clock.now()) })
  await writeFailure(ctx, watched, print, code, null)
}
