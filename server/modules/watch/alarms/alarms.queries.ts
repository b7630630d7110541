import { sql } from 'kysely'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import { watchHours } from '../../shop/hours/index.ts'

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
      watchHours,
      'users.isPro',
      'users.brand',
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
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: RunningRow[] = await page(db, parts, after)
    if (rows.length > 0) yield rows
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id
  }
}

/** A print, by its printer. */
interface OfPrint {
  readonly printerId: PrinterId
  readonly printId: PrintId
}
const idsOf = (all: readonly OfPrint[]) =>
  [all.map(({ printerId }) => printerId), all.map(({ printId }) => printId)] as const

const running = statement(
  (_db, printerIds: readonly PrinterId[], printIds: readonly PrintId[]) => sql<{ printerId: PrinterId }>`
    select p.id as printer_id from unnest(${printerIds}::integer[], ${printIds}::integer[]) as asked (printer_id, print_id)
    join printers p on p.id = asked.printer_id where p.current_print_id = asked.print_id order by p.id for share of p`,
)

/** The printers whose prints are still theirs, and stay so; one that is ending right now is waited for. */
export const lockRunning = async (db: Db, all: readonly OfPrint[]): Promise<ReadonlySet<PrinterId>> =>
  all.length === 0 ? new Set() : printersOf(await running(db, ...idsOf(all)))

const printersOf = (rows: readonly { readonly printerId: PrinterId }[]): ReadonlySet<PrinterId> =>
  new Set(rows.map(({ printerId }) => printerId))

const raiseOnce = statement(
  (
    _db,
    printerIds: readonly PrinterId[],
    printIds: readonly PrintId[],
    codes: readonly string[],
    now: Date,
    recursAfter: Date,
  ) => sql<{ printerId: PrinterId }>`
    insert into watch_alarms as a (printer_id, print_id, code, raised_at, cleared_at, recurred)
    select printer_id, print_id, code, raised_at, null, 0
    from unnest(${printerIds}::integer[], ${printIds}::integer[], ${codes}::text[]) as new (printer_id, print_id, code)
    cross join (select ${now}::timestamptz as raised_at) as at order by printer_id
    on conflict (printer_id) do update set print_id = excluded.print_id, code = excluded.code, raised_at = excluded.raised_at,
      cleared_at = null, recurred = case when a.print_id = excluded.print_id and a.cleared_at > ${recursAfter}::timestamptz
        then a.recurred + 1 else 0 end
    where a.cleared_at is not null or a.print_id != excluded.print_id
    returning a.printer_id`,
)

/** Raises the alarms of printers, but for those that stand for this print; returns whose it did. */
export async function raise(
  db: Db,
  alarms: readonly (OfPrint & { readonly code: string })[],
  { now, recursAfter }: { now: Date; recursAfter: Date },
): Promise<ReadonlySet<PrinterId>> {
  if (alarms.length === 0) return new Set()
  const codes = alarms.map(({ code }) => code)
  return printersOf(await raiseOnce(db, ...idsOf(alarms), codes, now, recursAfter))
}

const clearThose = statement(
  (_db, now: Date, printerIds: readonly PrinterId[], printIds: readonly PrintId[]) => sql<{
    printerId: PrinterId
  }>`
    update watch_alarms a set cleared_at = ${now}
    from unnest(${printerIds}::integer[], ${printIds}::integer[]) as over (printer_id, print_id)
    where a.printer_id = over.printer_id and a.print_id = over.print_id and a.cleared_at is null
    returning a.printer_id`,
)

/** Clears the alarms of prints; returns the printers of which one stood. */
export const clear = async (db: Db, all: readonly OfPrint[], now: Date): Promise<ReadonlySet<PrinterId>> =>
  all.length === 0 ? new Set() : printersOf(await clearThose(db, now, ...idsOf(all)))

/** Alarms of prints that are over, or are not to be watched any more, are over (whose printer is lost are so until they end) without a word. */
export async function endOthers(db: Db, parts: readonly number[], now: Date): Promise<void> {
  await sql`
    update watch_alarms a set cleared_at = ${now}
    from printers p left join prints r on r.id = p.current_print_id
    where a.cleared_at is null and p.id = a.printer_id and p.id % ${sql.lit(PARTS)} = any(${parts}::integer[])
      and (p.current_print_id is distinct from a.print_id or a.code <> 'printer_lost'
        and (not p.watching_enabled or r.alert_muted_at is not null))`.execute(db)
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
