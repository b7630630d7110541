import { type Insertable, sql } from 'kysely'
import type { Id, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import { LISTS } from '../../../engines/db/transaction.ts'
import type { Audit, PrinterEvents } from '../../../engines/db/types.gen.ts'

/**
 * Users take turns, in the order of their ids: a lock on their rows would meet the shared ones of transactions that
 * wrote rows of theirs before, and of two who count twice each would wait for the other.
 */
const countUnseen = statement(
  (_db, userIds: readonly UserId[]) => sql`
    with events as (
      select user_id, count(*)::integer as new from unnest(${userIds}::integer[]) as user_id
      group by user_id order by user_id offset 0),
    turns as materialized (
      select user_id, new, pg_advisory_xact_lock(${sql.lit(LISTS.unseenOfUser)}, user_id) from events)
    update users set unseen_printer_events = unseen_printer_events + new from turns where users.id = turns.user_id`,
)

/** Writes the rows, whose ids it returns in their order, and counts them for their owners' badges (docs/wire/rest.md 5, PrinterEvent). */
export async function insertEvents(
  db: Db,
  events: readonly Insertable<PrinterEvents>[],
): Promise<Id<'printerEvents'>[]> {
  const rows = await db
    .insertInto('printerEvents')
    .values([...events])
    .returning('id')
    .execute()
  await countUnseen(
    db,
    events.map(({ userId }) => userId),
  )
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}

const told = statement((db, ids: readonly Id<'printerEvents'>[], times: readonly Date[]) =>
  db
    .selectFrom('printerEvents')
    .innerJoin('users', 'users.id', 'printerEvents.userId')
    .selectAll('printerEvents')
    .select('users.language')
    .where(sql<boolean>`printer_events.id = any(${ids}::bigint[])`)
    .where(sql<boolean>`printer_events.created_at = any(${times}::timestamptz[])`)
    .orderBy('printerEvents.id'),
)

/** Events with their readers' languages; those whose owners are gone are not among them. */
export const findEvents = async (
  db: Db,
  events: readonly { readonly id: Id<'printerEvents'>; readonly createdAt: Date }[],
) =>
  await told(
    db,
    events.map(({ id }) => id),
    events.map(({ createdAt }) => createdAt),
  )
export type EventRow = Awaited<ReturnType<typeof findEvents>>[number]

export async function insertAudit(db: Db, row: Insertable<Audit>): Promise<void> {
  await db.insertInto('audit').values(row).execute()
}

/** Makes the monthly partitions of this month and the next two. */
export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  for (const months of [0, 1, 2]) {
    await sql`select ensure_partitions((${now}::timestamptz + make_interval(months => ${months}))::date)`.execute(
      db,
    )
  }
}

/**
 * Frames older than `before` whose print is not running, oldest first. Those of a print that is over go with its
 * time-lapse; these are what printers and accounts left that have gone.
 */
export async function findExpiredFrames(db: Db, before: Date, limit: number) {
  return await db
    .selectFrom('frames')
    .select(['id', 'createdAt', 'picture', 'tagged'])
    .where('createdAt', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('printers')
            .select('printers.id')
            .whereRef('printers.currentPrintId', '=', 'frames.printId'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('timelapses').select('printId').whereRef('timelapses.printId', '=', 'frames.printId'),
        ),
      ),
    )
    .orderBy('createdAt')
    .limit(limit)
    .execute()
}

export async function deleteFrames(
  db: Db,
  frames: readonly { id: Id<'frames'>; createdAt: Date }[],
): Promise<void> {
  const ids = frames.map(({ id }) => id)
  const oldest = frames[0]?.createdAt
  const newest = frames.at(-1)?.createdAt
  if (oldest === undefined || newest === undefined) return
  await db
    .deleteFrom('frames')
    .where('id', 'in', ids)
    .where('createdAt', '>=', oldest)
    .where('createdAt', '<', new Date(newest.getTime() + 1))
    .execute()
}

/** Deletes some decisions older than `before` whose print is not running; returns how many. */
export async function deleteExpiredDecisions(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from decisions where (id, created_at) in (
      select id, created_at from decisions d where created_at < ${before}
        and not exists (select 1 from printers p where p.current_print_id = d.print_id)
        and not exists (select 1 from timelapses t where t.print_id = d.print_id) limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Monthly partitions of frames and decisions that end before a day: `frames_2026_09`. */
export async function findOldPartitions(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname in ('frames', 'decisions') and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ${before}::timestamptz`.execute(db)
  return rows.map(({ name }) => name)
}

/** Drops a partition when nothing is left in it; gives way when it is in use. */
export async function dropIfEmpty(db: Db, partition: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '5s'`.execute(tx)
    const { rows } = await sql<{
      used: boolean
    }>`select exists (select 1 from ${sql.table(partition)}) as used`.execute(tx)
    if (rows[0]?.used === false) await sql`drop table ${sql.table(partition)}`.execute(tx)
  })
}
