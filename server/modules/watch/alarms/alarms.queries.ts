import { sql } from 'kysely'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'

/** Printers are looked after in so many parts, each by one node. */
export const PARTS = 8

/** So many prints are read at once. */
const PAGE = 1_000

/** Prints that run, with the alarm of each, if one was ever raised, and why it was not watched a moment ago. */
const page = statement((db, parts: readonly number[], after: number) =>
  db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .innerJoin('prints', 'prints.id', 'printers.currentPrintId')
    .leftJoin('watchAlarms', 'watchAlarms.printerId', 'printers.id')
    .leftJoin('unwatched', (join) =>
      join.onRef('unwatched.printId', '=', 'prints.id').on('unwatched.until', 'is', null),
    )
    .select([
      'printers.id',
      'printers.userId',
      'printers.name',
      'printers.watchingEnabled',
      'printers.actionOnFailure',
      'printers.agentSeenAt',
      'printers.agentName',
      'users.dhBalance',
      'users.isPro',
      'prints.id as printId',
      'prints.filename',
      'prints.startedAt',
      'prints.alertMutedAt',
      'prints.alertedAt',
      'prints.pausedBy',
      'prints.watchedSeconds',
      'prints.watchedOf',
      'watchAlarms.printId as alarmPrintId',
      'watchAlarms.recurred',
      'watchAlarms.clearedAt',
      'unwatched.code as unwatchedCode',
    ])
    .where(sql<boolean>`printers.id % ${sql.lit(PARTS)} = any(${parts}::integer[])`)
    .where(sql<boolean>`printers.id > ${after}::integer`)
    .where(sql<boolean>`users.is_active`)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .orderBy('printers.id')
    .limit(sql.lit(PAGE)),
)
export type RunningRow = Awaited<ReturnType<typeof page>>[number]

/** Page after page of the prints that run in these parts. */
export async function* findRunning(db: Db, parts: readonly number[]): AsyncGenerator<RunningRow[]> {
  for (let after = 0; ;) {
    const rows = await page(db, parts, after)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
  }
}

const running = statement((db, printerId: PrinterId, printId: PrintId) =>
  db
    .selectFrom('printers')
    .select('id')
    .where('id', '=', printerId)
    .where('currentPrintId', '=', printId)
    .forShare(),
)

/** Whether a print is still its printer's; one that is ending right now is waited for. */
export const isRunning = async (db: Db, printerId: PrinterId, printId: PrintId): Promise<boolean> =>
  (await running(db, printerId, printId)).length > 0

const raiseOnce = statement(
  (db, printerId: PrinterId, printId: PrintId, code: string, now: Date, recursAfter: Date) =>
    db
      .insertInto('watchAlarms')
      .values({
        printerId,
        printId,
        code,
        raisedAt: now,
        clearedAt: sql<null>`null`,
        recurred: sql<number>`0`,
      })
      .onConflict((conflict) =>
        conflict
          .column('printerId')
          .doUpdateSet((eb) => ({
            printId: eb.ref('excluded.printId'),
            code: eb.ref('excluded.code'),
            raisedAt: eb.ref('excluded.raisedAt'),
            clearedAt: sql<null>`null`,
            recurred: sql<number>`case when ${eb.ref('watchAlarms.printId')} = ${eb.ref('excluded.printId')}
              and ${eb.ref('watchAlarms.clearedAt')} > ${recursAfter}::timestamptz
              then ${eb.ref('watchAlarms.recurred')} + 1 else 0 end`,
          }))
          .where(
            sql<boolean>`watch_alarms.cleared_at is not null or watch_alarms.print_id != excluded.print_id`,
          ),
      )
      .returning('printerId'),
)

/** Raises the alarm of a printer, unless one stands for this print; false when one does. */
export async function raise(
  db: Db,
  alarm: { printerId: PrinterId; printId: PrintId; code: string; now: Date; recursAfter: Date },
): Promise<boolean> {
  const { printerId, printId, code, now, recursAfter } = alarm
  return (await raiseOnce(db, printerId, printId, code, now, recursAfter)).length > 0
}

/** Clears the alarm of a print; false when none stands. */
export async function clear(
  db: Db,
  { printerId, printId, now }: { printerId: PrinterId; printId: PrintId; now: Date },
): Promise<boolean> {
  const done = await db
    .updateTable('watchAlarms')
    .set({ clearedAt: now })
    .where('printerId', '=', printerId)
    .where('printId', '=', printId)
    .where('clearedAt', 'is', null)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** Alarms of prints that are over, or are not to be watched any more, are over (whose printer is lost are so until they end) without a word. */
export async function endOthers(db: Db, parts: readonly number[], now: Date): Promise<void> {
  await sql`
    update watch_alarms a set cleared_at = ${now}
    from printers p join users u on u.id = p.user_id left join prints r on r.id = p.current_print_id
    where a.cleared_at is null and p.id = a.printer_id and p.id % ${sql.lit(PARTS)} = any(${parts}::integer[])
      and (p.current_print_id is distinct from a.print_id or a.code <> 'printer_lost'
        and (not p.watching_enabled or r.alert_muted_at is not null or u.dh_balance < 0))`.execute(db)
}

/** Asks for nothing but an answer. */
export async function ask(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** When each of these parts was looked after last, by whichever node. */
export async function findRounds(db: Db, parts: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  const rows = await db
    .selectFrom('watchRounds')
    .selectAll()
    .where('part', 'in', [...parts])
    .execute()
  return new Map(rows.map(({ part, at }) => [part, at]))
}

/** Notes that these parts have been looked after. */
export async function noteRound(db: Db, parts: readonly number[], now: Date): Promise<void> {
  await sql`
    insert into watch_rounds (part, at) select part, ${now}::timestamptz from unnest(${parts}::integer[]) as part
    on conflict (part) do update set at = excluded.at`.execute(db)
}
