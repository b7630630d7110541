import { sql } from 'kysely'
import type { Id, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Hold, Notice } from '../messages/index.ts'
import type { DeliveryRow } from './deliveries.queries.ts'

const HELD = ['quiet', 'digest'] as const

/** The channels for which something was held back until now, some of them; null stands for those that were taken away. */
export const findDueSettings = statement((db, now: Date, limit: number) =>
  db
    .selectFrom('deliveries')
    .select('settingId')
    .distinct()
    .where('outcome', 'is', null)
    .where(sql<boolean>`waits_for in ('quiet', 'digest')`)
    .where('dueAt', '<=', now)
    .limit(limit),
)

/** What was held back for a channel until now, oldest first; nothing while another node has it in hand. */
export async function lockHeld(
  tx: Db,
  settingId: Id<'notificationSettings'>,
  now: Date,
): Promise<DeliveryRow[]> {
  const setting = await tx
    .selectFrom('notificationSettings')
    .select('id')
    .where('id', '=', settingId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (setting === undefined) return []
  return await tx
    .selectFrom('deliveries')
    .selectAll()
    .where('settingId', '=', settingId)
    .where('outcome', 'is', null)
    .where('waitsFor', 'in', HELD)
    .where('dueAt', '<=', now)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Has one that was held back sent as what it is. */
export async function letGo(
  tx: Db,
  id: Id<'deliveries'>,
  { now, expiresAt }: { now: Date; expiresAt: Date },
) {
  await tx
    .updateTable('deliveries')
    .set({ waitsFor: null, dueAt: now, expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Writes one message in the place of several. */
export async function insertSummary(
  tx: Db,
  rows: readonly [DeliveryRow, ...DeliveryRow[]],
  { notice, now, expiresAt }: { notice: Notice; now: Date; expiresAt: Date },
): Promise<void> {
  const [{ userId, settingId, channel }] = rows
  const { id } = await tx
    .insertInto('deliveries')
    .values({
      userId,
      settingId,
      channel,
      noticeKey: `summary:${rows[0].id}-${rows.at(-1)?.id ?? 0}`,
      kind: notice.kind,
      notice: JSON.stringify(notice),
      dueAt: now,
      expiresAt,
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('deliveries')
    .set({ outcome: 'summarized', endedAt: now, summaryId: id })
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
}

/** What was held back for channels that were taken away goes nowhere. */
export async function withdrawHeld(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ outcome: 'withdrawn', endedAt: now })
    .where('outcome', 'is', null)
    .where('waitsFor', 'in', HELD)
    .where('dueAt', '<=', now)
    .where('settingId', 'is', null)
    .execute()
}

/** Everything that is held back for somebody is held until then, or is due now. */
export async function holdAgain(
  db: Db,
  userId: UserId,
  { news, soon, now }: { news: Hold | null; soon: Hold | null; now: Date },
  newsKinds: readonly string[],
): Promise<void> {
  const due = (hold: Hold | null) => (hold ? new Date(hold.until) : now)
  await db
    .updateTable('deliveries')
    .set({
      dueAt: sql<Date>`case when kind = any(${[...newsKinds]}::text[]) then ${due(news)}::timestamptz else ${due(soon)}::timestamptz end`,
    })
    .where('userId', '=', userId)
    .where('outcome', 'is', null)
    .where('waitsFor', 'in', HELD)
    .execute()
}

/** Has those sent that wait for the time-lapse of a print; returns how many did. */
export async function endFilmWait(db: Db, printId: PrintId, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ dueAt: now, waitsFor: null })
    .where(sql`(notice -> 'print' ->> 'id')::integer`, '=', printId)
    .where('outcome', 'is', null)
    .where('waitsFor', '=', 'film')
    .where('attempts', '=', 0)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Whether a time-lapse will be made of a print that ends now: it has pictures, and took long enough. */
export async function expectsFilm(db: Db, printId: PrintId): Promise<boolean> {
  const row = await db
    .selectFrom('prints')
    .innerJoin('printers', 'printers.id', 'prints.printerId')
    .select('prints.id')
    .where('prints.id', '=', printId)
    .where('printers.minTimelapseSecsOnFinish', '>=', 0)
    .where(
      sql<boolean>`extract(epoch from prints.finished_at - prints.started_at) >= printers.min_timelapse_secs_on_finish`,
    )
    .where((eb) =>
      eb.exists(eb.selectFrom('frames').select('frames.id').where('frames.printId', '=', printId)),
    )
    .executeTakeFirst()
  return row !== undefined
}
