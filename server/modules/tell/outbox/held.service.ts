import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { aboutNoPrint, type Notice, KINDS } from '../messages/index.ts'
import { type DeliveryRow, endDelivery } from '../deliveries/deliveries.queries.ts'
import {
  endFilmWait,
  findDueSettings,
  insertSummary,
  letGo,
  lockHeld,
  withdrawHeld,
} from '../deliveries/held.queries.ts'
import { isNeeded } from '../sending/needed.service.ts'
import { DELIVER } from '../sending/outbox.service.ts'
import { findRules } from '../deliveries/rules.queries.ts'

/** So many channels at a time. */
const BATCH = 100
/** A summary names so many, the latest ones, and says how many there were. */
const ITEMS_MOST = 30

/** Makes messages of what was held back until now: one for each channel, in which there is all of it. */
export async function releaseHeld(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  const now = new Date(ctx.clock.now())
  for (const { settingId } of await findDueSettings(ctx.db, now, BATCH)) {
    if (settingId === null) {
      await withdrawHeld(ctx.db, now)
      continue
    }
    await ctx.db.transaction().execute(async (tx) => {
      const [first, ...others] = await stillNeeded(tx, await lockHeld(tx, settingId, now), now)
      if (first === undefined) return
      const worthUntil = ({ kind }: Pick<DeliveryRow, 'kind'>) =>
        new Date(now.getTime() + KINDS[kind].worthMs)
      if (others.length === 0) return await letGo(tx, first.id, { now, expiresAt: worthUntil(first) })
      const { timeZone } = await findRules(tx, first.userId)
      const notice = summaryOf([first, ...others], timeZone ?? 'UTC')
      await insertSummary(tx, [first, ...others], { notice, now, expiresAt: worthUntil(notice) })
    })
  }
}

/** What need not be told any more ends. */
async function stillNeeded(tx: Ctx['db'], held: readonly DeliveryRow[], now: Date): Promise<DeliveryRow[]> {
  const needed: DeliveryRow[] = []
  for (const row of held)
    if (await isNeeded(tx, row)) needed.push(row)
    else await endDelivery(tx, row.id, { outcome: 'answered', problem: null, now })
  return needed
}

function summaryOf(rows: readonly DeliveryRow[], timeZone: string): Notice {
  const items = rows.map(({ notice, createdAt }) => ({ at: createdAt.getTime(), notice }))
  const summary = { count: items.length, timeZone, items: items.slice(-ITEMS_MOST) }
  return { ...aboutNoPrint('Summary'), summary }
}

/** The time-lapse of a print is made, or will not be: who was to hear of the print with it hears of it now. */
export async function filmSettled(ctx: Pick<Ctx, 'db' | 'clock' | 'jobs'>, printId: PrintId): Promise<void> {
  const waited = await endFilmWait(ctx.db, printId, new Date(ctx.clock.now()))
  if (waited > 0) await ctx.jobs.enqueue(ctx.db, DELIVER, { key: `film:${printId}` })
}
