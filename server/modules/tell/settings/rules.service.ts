import type { NotificationRules, RulesWrite } from '@vigil/contract/tell/notification-rules.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { invalid } from '../../../http/errors.ts'
import { CHANNELS, say } from '../channels/index.ts'
import { holdOf, KINDS } from '../messages/index.ts'
import { findRules, holdAgain, putRules, type RulesRow, tellingRulesOf } from '../outbox/index.ts'
import { setStep, setTimeZone, settingsOf } from './settings.queries.ts'

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const clockOrNull = (minutes: number | null) => (minutes === null ? null : clock(minutes))
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** When somebody is told, on the wire. */
export async function rulesOf({ db }: Pick<Ctx, 'db'>, userId: UserId): Promise<NotificationRules> {
  const row = await findRules(db, userId)
  const settings = await settingsOf(db, userId)
  return {
    time_zone: row.timeZone,
    quiet_from: clockOrNull(row.quietFrom),
    quiet_until: clockOrNull(row.quietUntil),
    quiet_spares_alerts: row.quietSparesAlerts,
    digest: row.digest,
    digest_at: clock(row.digestAt),
    escalate_after: row.escalateAfter,
    escalation_steps: Object.fromEntries(
      settings.filter(({ name }) => CHANNELS.has(name)).map((one) => [one.name, one.escalationStep]),
    ),
  }
}

/** What was sent of the rules, over what they were; raises 400 for quiet hours that are half said, or a day long. */
function changed(before: RulesRow, write: RulesWrite): Omit<RulesRow, 'timeZone'> {
  const minutes = (time: string | null | undefined, was: number | null) =>
    time === undefined ? was : time === null ? null : minutesOf(time)
  const quietFrom = minutes(write.quiet_from, before.quietFrom)
  const quietUntil = minutes(write.quiet_until, before.quietUntil)
  if ((quietFrom === null) !== (quietUntil === null))
    throw invalid({ [quietFrom === null ? 'quiet_from' : 'quiet_until']: say('required') })
  if (quietFrom !== null && quietFrom === quietUntil) throw invalid({ quiet_until: say('quietAllDay') })
  return {
    quietFrom,
    quietUntil,
    quietSparesAlerts: write.quiet_spares_alerts ?? before.quietSparesAlerts,
    digest: write.digest ?? before.digest,
    digestAt: write.digest_at === undefined ? before.digestAt : minutesOf(write.digest_at),
    escalateAfter: write.escalate_after === undefined ? before.escalateAfter : write.escalate_after,
  }
}

/** Changes when somebody is told; what is held back for them is held as the new rules have it. Raises 400. */
export async function changeRules(ctx: Ctx, userId: UserId, write: RulesWrite): Promise<NotificationRules> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const columns = changed(await findRules(tx, userId), write)
    if (typeof write.time_zone === 'string') await setTimeZone(tx, userId, write.time_zone)
    await putRules(tx, userId, { ...columns, updatedAt: new Date(now) })
    for (const [name, step] of Object.entries(write.escalation_steps ?? {}))
      await setStep(tx, userId, { name, step, now: new Date(now) })
    const rules = tellingRulesOf(await findRules(tx, userId))
    const held = { news: holdOf('PrintDone', rules, now), soon: holdOf('FilamentChange', rules, now) }
    await holdAgain(tx, userId, { ...held, now: new Date(now) }, NEWS)
  })
  return await rulesOf(ctx, userId)
}

const NEWS = Object.entries(KINDS).flatMap(([kind, { urgency }]) => (urgency === 'news' ? [kind] : []))
