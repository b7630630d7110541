import type { Ctx } from '../../../ctx.ts'
import { notifications } from '../../../engines/metrics/index.ts'
import { TRY_MS } from '../../../lib/tries.ts'
import { writeEvent } from '../../core/events/index.ts'
import { type Channel, CHANNELS, type Message, NotAccepted, say } from '../channels/index.ts'
import {
  type DeliveryRow,
  endDelivery,
  mayStillArrive,
  noteProblem,
  type Outcome,
  postpone,
} from '../deliveries/deliveries.queries.ts'
import { markWorks } from '../deliveries/reach.queries.ts'
import { findRecipient } from '../deliveries/recipients.queries.ts'
import { keptProblem } from '../messages/index.ts'
import { backOff, type Breaker } from './breaker.rules.ts'
import { afterFailure, goOn } from './failing.service.ts'
import { messageOf } from './message.service.ts'
import { isNeeded } from './needed.service.ts'
import { withOutcome } from './outcome.service.ts'

/** Who has not answered for so long is not waited for: the next are told beside it. */
export const ANSWER_MS = 10_000

/** Sends a message as its kind wants it; undefined where the channel has no such message. */
export function sendBy(channel: Channel, message: Message): Promise<void> | undefined {
  const { kind } = message.notice
  if (kind === 'Test') return channel.sendTestMessage?.(message)
  if (kind === 'PrintFailure') return channel.sendFailureAlert?.(message)
  return channel.sendPrinterNotification?.(message)
}

/** Why a try did not succeed, as it is kept for its owner (`problemText`). */
export const problemOf = (error: unknown): string =>
  keptProblem(error instanceof NotAccepted ? error.said : String(error))

/** Tries a delivery that was taken, and writes down what came of it. Resolves with when it is due again, or null. */
export async function deliver(ctx: Ctx, breaker: Breaker, row: DeliveryRow): Promise<number | null> {
  const channel = CHANNELS.get(row.channel)
  const to = row.settingId === null ? undefined : await findRecipient(ctx.db, row.settingId)
  if (channel === undefined || to === undefined) return await end(ctx, row, 'withdrawn', null)
  if (row.expiresAt.getTime() <= ctx.clock.now()) return await end(ctx, row, 'expired', row.problem)
  if (!(await isNeeded(ctx.db, row))) return await end(ctx, row, 'answered', null)
  const message = messageOf(ctx, to, {
    notice: await withOutcome(ctx, row.userId, row.notice),
    key: `${row.noticeKey}:${row.id}`,
    signal: AbortSignal.timeout(TRY_MS),
  })
  const receiver = `${channel.name} ${channel.destination(message.config, to)}`
  const wait = breaker.wait(receiver, ctx.clock.monotonic())
  if (wait > 0) {
    const problem = row.problem ?? keptProblem(say('receiverAway'))
    return await again(ctx, row, { ms: wait * (1 + Math.random() / 4), problem, counts: false })
  }
  try {
    await waitFor(ctx, row, sendBy(channel, message))
  } catch (error) {
    const isFinal = error instanceof NotAccepted && error.isFinal
    if (isFinal) breaker.succeeded(receiver)
    else breaker.failed(receiver, ctx.clock.monotonic())
    if (!(error instanceof NotAccepted))
      ctx.log.error({ err: error, channel: channel.name }, 'a channel failed')
    if (isFinal) return await end(ctx, row, 'refused', problemOf(error))
    const asked = error instanceof NotAccepted ? error.againAfterMs : null
    return await again(ctx, row, {
      ms: Math.max(backOff(row.attempts), asked ?? 0),
      problem: problemOf(error),
      counts: true,
    })
  }
  breaker.succeeded(receiver)
  return await end(ctx, row, 'accepted', null)
}

/** Waits for what is being sent; an alert goes on to the next channels meanwhile, when that takes long. */
async function waitFor(ctx: Ctx, row: DeliveryRow, sending: Promise<void> | undefined): Promise<void> {
  const problem = keptProblem(say('noAnswerYet'))
  const goesOn = setTimeout(() => {
    const written = ctx.db.transaction().execute(async (tx) => {
      await noteProblem(tx, row.id, problem)
      await afterFailure({ ...ctx, db: tx }, row, { problem, isOver: false })
    })
    written.catch((error: unknown) => ctx.log.error({ err: error, id: row.id }, 'a slow channel'))
  }, ANSWER_MS)
  try {
    await sending
  } finally {
    clearTimeout(goesOn)
  }
}

async function again(
  ctx: Ctx,
  row: DeliveryRow,
  { ms, problem, counts }: { ms: number; problem: string; counts: boolean },
): Promise<number> {
  if (counts) notifications.inc({ channel: row.channel, outcome: 'again' })
  const dueAt = Math.min(ctx.clock.now() + ms, row.expiresAt.getTime())
  await ctx.db.transaction().execute(async (tx) => {
    await postpone(tx, row, { dueAt: new Date(dueAt), problem, counts })
    await afterFailure({ ...ctx, db: tx }, row, { problem, isOver: false })
  })
  return dueAt
}

/** Writes the end of a delivery; an alert that nobody accepted is said in the feed, in the same transaction. */
async function end(ctx: Ctx, row: DeliveryRow, outcome: Outcome, problem: string | null): Promise<null> {
  const now = new Date(ctx.clock.now())
  await ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx }
    if (!(await endDelivery(tx, row.id, { outcome, problem, now }))) return
    notifications.inc({ channel: row.channel, outcome })
    if (outcome === 'answered') return
    if (outcome === 'accepted') {
      if (row.settingId !== null) await markWorks(tx, row.settingId, now)
      return
    }
    if (outcome === 'withdrawn') await goOn(inside, row)
    else await afterFailure(inside, row, { problem: problem ?? '', isOver: true })
    if (row.kind === 'PrintFailure' && !(await mayStillArrive(tx, row.noticeKey)))
      await writeUndelivered(inside, row)
  })
  return null
}

async function writeUndelivered(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  { userId, notice: { printer, print } }: DeliveryRow,
): Promise<void> {
  await writeEvent(ctx, {
    userId,
    printerId: printer.id,
    printId: print.id === 0 ? null : print.id,
    type: 'PRINTER_ERROR',
    class: 'ERROR',
    code: 'alert_undelivered',
    params: { printer: printer.name, file: print.filename },
  })
}
