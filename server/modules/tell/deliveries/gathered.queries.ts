import { sql } from 'kysely'
import type { PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { NamedPrint, Notice } from '../messages/index.ts'

/** What is told of so many prints is one message; more are another. */
const GATHERED_MOST = 100

/** Whether somebody has more than one print of which the same could be told. */
export async function hasSeveralPrints(db: Db, userId: UserId): Promise<boolean> {
  const rows = await db
    .selectFrom('printers')
    .select('id')
    .where('userId', '=', userId)
    .where('currentPrintId', 'is not', null)
    .where('deletedAt', 'is', null)
    .limit(2)
    .execute()
  return rows.length > 1
}

/**
 * Names a print in the messages of the same, owed to the same person since, that nobody has begun to send. Returns the channels
 * by which it is told so. Those that programs read are told of each print by itself.
 */
export async function joinOwed(
  db: Db,
  { kind, code, printer, print }: Pick<Notice, 'kind' | 'code' | 'printer' | 'print'>,
  { userId, since, programs }: { userId: UserId; since: Date; programs: readonly string[] },
): Promise<string[]> {
  const named: NamedPrint = {
    printer: { id: printer.id, name: printer.name },
    print: { id: print.id, filename: print.filename },
  }
  const more = sql`jsonb_set(notice, '{others}',
    coalesce(notice -> 'others', '[]') || jsonb_build_array(${JSON.stringify(named)}::jsonb))`
  const { rows } = await sql<{ channel: string; noticeKey: string }>`
    update deliveries set notice = ${more}
    where user_id = ${userId} and outcome is null and attempts = 0 and created_at > ${since}
      and kind = ${kind} and notice ->> 'code' is not distinct from ${code}::text and channel <> all(${[...programs]}::text[])
      and jsonb_array_length(coalesce(notice -> 'others', '[]')) < ${GATHERED_MOST}
    returning channel, notice_key`.execute(db)
  const keys = [...new Set(rows.map(({ noticeKey }) => noticeKey))]
  if (keys.length > 0)
    await sql`update alert_links set notice = ${more} where notice_key = any(${keys}::text[])`.execute(db)
  return rows.map(({ channel }) => channel)
}

/** Of these prints those of which an alarm stands: they are not watched. */
export async function findUnwatched(db: Db, printIds: readonly PrintId[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('watchAlarms')
    .select('printId')
    .where('printId', 'in', [...printIds])
    .where('clearedAt', 'is', null)
    .execute()
  return new Set(rows.map(({ printId }) => printId))
}
