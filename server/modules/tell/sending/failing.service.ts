import type { Ctx } from '../../../ctx.ts'
import { CHANNELS, isSetUp, PROGRAMS } from '../channels/index.ts'
import { aboutNoPrint, holdOf, KINDS, type Notice } from '../messages/index.ts'
import type { DeliveryRow } from '../deliveries/deliveries.queries.ts'
import { lockNotice, tellNext } from '../deliveries/escalation.queries.ts'
import { insertDeliveries } from '../deliveries/owed.queries.ts'
import { DELIVER } from './outbox.service.ts'
import { markFailing } from '../deliveries/reach.queries.ts'
import { findRules, tellingRulesOf } from '../deliveries/rules.queries.ts'

/** What fails for less, and is tried again, its owner need not hear of. */
const TOLD_AFTER_MS = 60_000

type Tx = Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>

/**
 * A try has failed, or has had no answer for long: its channel is known to fail, and an alert goes on to the next channels. In the
 * caller's transaction (`{...ctx, db: tx}`). `isOver`: it is tried no more.
 */
export async function afterFailure(
  ctx: Tx,
  row: DeliveryRow,
  { problem, isOver }: { problem: string; isOver: boolean },
): Promise<void> {
  const now = new Date(ctx.clock.now())
  const doing = row.settingId && (await markFailing(ctx.db, row.settingId, { now, refusal: problem }))
  if (doing) {
    const since = doing.refusedAt ?? now
    // One that has never taken anything, and never will, is not set up yet: its page says so.
    const isBroken = isOver && doing.acceptedAt !== null
    if (isBroken || now.getTime() - since.getTime() >= TOLD_AFTER_MS)
      await tellByOthers(ctx, row, { problem, since })
  }
  await goOn(ctx, row)
}

/** An alert that none of those took who were told so far goes on to the next channels. */
export async function goOn(ctx: Tx, { kind, noticeKey, userId, notice }: DeliveryRow): Promise<void> {
  // On who may only look nothing waits.
  if (KINDS[kind].urgency !== 'alert' || notice.linkId === undefined) return
  // Of two that fail in the same moment, of whichever readers, each would see the other as one that may still take it.
  await lockNotice(ctx.db, noticeKey)
  if (await tellNext(ctx.db, { noticeKey, userId }, { now: new Date(ctx.clock.now()), programs: PROGRAMS }))
    await ctx.jobs.enqueue(ctx.db, DELIVER, { key: noticeKey })
}

/** The owner hears by their other channels that one fails, once until it works again. */
async function tellByOthers(
  ctx: Tx,
  { userId, channel, settingId }: DeliveryRow,
  { problem, since }: { problem: string; since: Date },
): Promise<void> {
  const now = ctx.clock.now()
  const kind = 'ChannelFailing'
  const hold = holdOf(kind, tellingRulesOf(await findRules(ctx.db, userId)), now)
  const notice: Notice = { ...aboutNoPrint(kind), channel: { name: channel, problem } }
  const key = `channel:${settingId}:${since.getTime()}`
  const others = [...CHANNELS.values()].filter(
    (one) =>
      one.name !== channel &&
      one.isForPrograms !== true &&
      one.sendPrinterNotification !== undefined &&
      isSetUp(one, ctx.config),
  )
  const { feature, worthMs } = KINDS[kind]
  const told = await insertDeliveries(
    ctx.db,
    {
      features: [feature],
      programs: PROGRAMS,
      ignoresMasterSwitch: true,
      now: new Date(now),
      worthMs,
    },
    [{ userId, key, notice, channels: others.map(({ name }) => name), wait: hold, stepMs: null }],
  )
  if (told.size > 0) await ctx.jobs.enqueue(ctx.db, DELIVER, { key })
}
