import type { WatchCode } from '@vigil/contract/watch/watch-code.ts'
import { sql } from 'kysely'
import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** A print that is not watched any more, for another reason than before, or again (null). */
export interface WatchChange {
  readonly printId: PrintId
  readonly code: WatchCode | null
}

/** Notes from when on prints are not watched, and why; what stood open of them ends. */
export async function noteUnwatched(db: Db, changes: readonly WatchChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ printId }) => printId)
  const codes = changes.map(({ code }) => code)
  await db.transaction().execute(async (tx) => {
    await sql`update unwatched set until = greatest(since, ${now}::timestamptz)
      where print_id = any(${ids}::integer[]) and until is null`.execute(tx)
    await sql`insert into unwatched (print_id, since, code)
      select print_id, ${now}::timestamptz, code from unnest(${ids}::integer[], ${codes}::text[]) as change (print_id, code)
      where code is not null on conflict do nothing`.execute(tx)
  })
}

/** Nobody watched these prints meanwhile: what stood open ends with its beginning. */
export async function noteGap(
  db: Db,
  printIds: readonly PrintId[],
  { since, until, code }: { since: Date; until: Date; code: WatchCode },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`update unwatched set until = greatest(since, ${since}::timestamptz)
      where print_id = any(${printIds}::integer[]) and until is null`.execute(tx)
    await sql`insert into unwatched (print_id, since, until, code)
      select id, greatest(started_at, ${since}::timestamptz), ${until}::timestamptz, ${code} from prints
      where id = any(${printIds}::integer[]) and started_at < ${until}::timestamptz
      on conflict do nothing`.execute(tx)
  })
}

/** A row that stands open ends with its print, or now. */
const untilOf = sql<Date>`least(coalesce(unwatched.until, prints.cancelled_at, prints.finished_at, now()),
  coalesce(prints.cancelled_at, prints.finished_at, now()))`

/** For how many seconds each print was not watched, by reason. */
export async function sumUnwatched(db: Db, printIds: readonly PrintId[]) {
  if (printIds.length === 0) return []
  return await db
    .selectFrom('unwatched')
    .innerJoin('prints', 'prints.id', 'unwatched.printId')
    .select(['unwatched.printId', 'unwatched.code'])
    .select(
      sql<number>`sum(greatest(0, extract(epoch from ${untilOf} - unwatched.since)))::float8`.as('seconds'),
    )
    .where('unwatched.printId', 'in', [...printIds])
    .groupBy(['unwatched.printId', 'unwatched.code'])
    .execute()
}

/** The longest times in which a print was not watched, in the order of time. */
export async function findUnwatched(db: Db, printId: PrintId, limit: number) {
  const rows = await db
    .selectFrom('unwatched')
    .innerJoin('prints', 'prints.id', 'unwatched.printId')
    .select(['unwatched.since', 'unwatched.code'])
    .select(untilOf.as('until'))
    .where('unwatched.printId', '=', printId)
    .orderBy(sql`${untilOf} - unwatched.since`, 'desc')
    .limit(limit)
    .execute()
  return rows
    .filter(({ since, until }) => until > since)
    .toSorted((a, b) => a.since.getTime() - b.since.getTime())
}
