import { randomUUID } from 'node:crypto'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { tell } from '../../core/presence/index.ts'
import { byServer } from '../../core/access/index.ts'
import {
  auditOf,
  type Command,
  type CommandAnswer,
  deliverCommand,
  pauseArgs,
} from '../../core/commands/index.ts'
import { inLane } from '../../../engines/db/lane.ts'
import { writeAudit } from '../../core/events/index.ts'
import type { Decision } from '../temporal/decision.rules.ts'
import { inDecidingLane, whenDecided } from '../deciding/lane.service.ts'
import type { Watched } from '../watching/watched.queries.ts'
import { pauseNotSent, react } from './alert.rules.ts'
import { type AlertPicture, alertStateOf, writeFailure } from './alerts.service.ts'
import { findFailing, lockCurrentPrint, lockIntent, type PrintRow, updatePrint } from './alerts.queries.ts'
import { INTENT_MS, PAUSE_EXPIRES_MS, type Seen, standingOf } from './pause.rules.ts'
import { readSeen, scheduleFollowing, settleIntent } from './pause.service.ts'
import { shouldWatchOf } from '../watching/watching.service.ts'

/** Many prints may fail in the same second: connections that they share to write down what came of their pauses. */
const RECORDING = 2
/** What shows again sooner is still the same failure. */
const SAME_MS = 5 * 60_000
/** Writing down what came of a pause lets other prints be decided on first, for so long. */
const YIELD_MS = 2_000

interface Failure {
  readonly watched: Watched & { readonly printId: PrintId }
  readonly decision: Decision
  /** The picture that it is about, once its boxes are drawn: soon. A pause does not wait for that. */
  readonly picture: Promise<AlertPicture>
}

/** The command of a committed intent. */
type Pause = Command & { readonly id: string }

/**
 * What a decision came to: nothing, something that was told, a pause to be sent now, or something to be told with a
 * picture, when none was given.
 */
type Outcome = 'nothing' | 'told' | 'to be told' | Pause

/**
 * Warns or pauses (docs/rules/watch.md 5). A pause is committed as an intent, sent while neither a row nor a connection is
 * held, and what came of it is written down; so it is never sent twice, and `paused_at` never claims what was not sent
 * (docs/decisions/0002). Ended between any two of these steps, it is settled later, by `settleIntent`.
 */
export async function announceFailure(ctx: Ctx, failure: Failure): Promise<void> {
  const { printerId } = failure.watched
  const seen = await readSeen(ctx, printerId)
  const deciding = (picture: AlertPicture | null) =>
    inDecidingLane(ctx, () => decide(ctx, failure, seen, picture))
  const first = await deciding(null)
  const outcome = first === 'to be told' ? await deciding(await failure.picture) : first
  if (outcome === 'told') tell(ctx, printerId, 'changed')
  if (typeof outcome === 'string') return
  const answer = await deliverCommand(ctx, outcome).catch((error: unknown): CommandAnswer => {
    ctx.log.warn({ err: error, printerId }, 'nothing is known of the pause of a failing print')
    return { sent: false, reason: 'unanswered' }
  })
  const picture = await failure.picture
  // Others are still to be paused: the intent is safe, and says so for much longer than this.
  await whenDecided(ctx, YIELD_MS)
  await inLane(ctx.db, 'recording', RECORDING, () => record(ctx, { ...failure, picture }, outcome, answer))
  tell(ctx, printerId, 'changed')
}

/** Commits what follows from a decision, an intent to pause among it. */
async function decide(
  ctx: Ctx,
  failure: Failure,
  seen: Seen,
  picture: AlertPicture | null,
): Promise<Outcome> {
  const { watched, decision } = failure
  const scale = ctx.config.DETECTION_TIME_SCALE
  return await ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx }
    const print = await lockCurrentPrint(tx, watched.printerId, watched.printId)
    const now = ctx.clock.now()
    const standing = print && standingOf(print, now)
    if (print === null || standing === 'young') return 'nothing'
    const before = alertStateOf(print, scale)
    if (standing === 'open') {
      const evidence = await settleIntent(inside, watched, print, seen, picture)
      if (evidence === 'paused') return 'told'
      if (evidence !== 'printing')
        return await warn(inside, watched, { print, picture }, pauseNotSent(before, now * scale))
    }
    const reaction = react(before, decision, {
      now: now * scale,
      shouldWatch: shouldWatchOf({
        watchingEnabled: watched.watchingEnabled,
        detectionHours: watched.watchHours,
        print,
      }),
      pauseOnFailure: watched.actionOnFailure === 'PAUSE',
    })
    if (reaction.pause) return await intend(inside, watched, now)
    if (reaction.alert !== null && (await isSeen(tx, print, decision, { now, scale }))) return 'nothing'
    return await warn(inside, watched, { print, picture }, reaction)
  })
}

/** It is the alert that its owner has seen: it goes on, no worse than it was then. */
async function isSeen(
  db: Ctx['db'],
  { id, alertedAt, alertSeenAt }: PrintRow,
  { shouldPause }: Decision,
  { now, scale }: { now: number; scale: number },
): Promise<boolean> {
  if (alertedAt === null || alertSeenAt === null || alertSeenAt < alertedAt) return false
  const ago = SAME_MS / scale
  const { recently, worst } = await findFailing(db, id, {
    since: new Date(now - ago),
    before: { from: new Date(alertedAt.getTime() - ago), until: alertSeenAt },
  })
  return recently > 1 && (worst || !shouldPause)
}

/** Writes the intent to pause, and has it followed. */
async function intend(ctx: Ctx, watched: Failure['watched'], now: number): Promise<Pause> {
  const { printerId, printId } = watched
  const id = randomUUID()
  await updatePrint(ctx.db, printId, { pauseId: id, pauseUntil: new Date(now + INTENT_MS) })
  await scheduleFollowing(ctx, { printerId, printId, id })
  const args = pauseArgs(watched)
  const expiresAt = now + PAUSE_EXPIRES_MS
  const printer = byServer(printerId)
  return { id, printer, printId, cmd: 'pause', args, initiator: 'system', userId: null, expiresAt }
}

/** Warns without a pause, when the rules want it. */
async function warn(
  ctx: Ctx,
  watched: Failure['watched'],
  { print, picture }: { readonly print: PrintRow; readonly picture: AlertPicture | null },
  { alert }: { readonly alert: object | null },
): Promise<Outcome> {
  if (alert === null) return 'nothing'
  if (picture === null) return 'to be told'
  await updatePrint(ctx.db, print.id, { alertedAt: new Date(ctx.clock.now()) })
  await writeFailure(ctx, watched, print, 'failure_alerted', picture)
  return 'told'
}

/**
 * Writes down what came of a pause: that it was sent; that it was not, so that the next frame decides again; or that
 * nobody knows, so that the intent stays and the printer's status decides.
 */
async function record(
  ctx: Ctx,
  { watched, picture }: Pick<Failure, 'watched'> & { readonly picture: AlertPicture },
  pause: Pause,
  answer: CommandAnswer,
): Promise<void> {
  const scale = ctx.config.DETECTION_TIME_SCALE
  await ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx }
    const print = await lockIntent(tx, watched.printId, pause.id)
    await writeAudit(inside, auditOf(pause, answer))
    // Settled meanwhile: this took too long.
    if (print === null || print.pausedAt !== null) return
    const now = ctx.clock.now()
    if (answer.sent) {
      await updatePrint(tx, print.id, { pausedAt: answer.at, pausedBy: 'vigil', alertedAt: new Date(now) })
      return await writeFailure(inside, watched, print, 'failure_paused', picture)
    }
    ctx.log.warn({ ...watchedIds(watched), reason: answer.reason }, 'a failing print could not be paused')
    if (answer.reason !== 'unanswered') await updatePrint(tx, print.id, { pauseId: null, pauseUntil: null })
    await warn(inside, watched, { print, picture }, pauseNotSent(alertStateOf(print, scale), now * scale))
  })
}

const watchedIds = ({ printerId, printId }: Watched) => ({ printerId, printId })
