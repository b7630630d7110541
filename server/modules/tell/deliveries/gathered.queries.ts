import { sql } from 'kysely'
import { inPieces } from '../../../lib/pieces.ts'
import type { PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { NamedPrint, Notice } from '../messages/index.ts'

/** What is told of so many prints is one message; more are another. */
const GATHERED_MOST = 100

/** Of these owners those who have more than one print of which the same could be told. */
export async function withSeveralPrints(db: Db, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  const rows = await db
    .selectFrom('printers')
    .select('userId')
    .where('userId', 'in', [...userIds])
    .where('currentPrintId', 'is not', null)
    .where('deletedAt', 'is', null)
    .groupBy('userId')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

/** Prints of one owner of which somebody is told the same. */
export interface Gathered extends Pick<Notice, 'kind' | 'code'> {
  readonly userId: UserId
  readonly ownerId: UserId
  readonly prints: readonly NamedPrint[]
}

/** So many fit into one message; what is left over, and may fit into one that is owed already, comes first. */
export const inMessages = <T>(all: readonly T[]): [T, ...T[]][] =>
  inPieces(all, GATHERED_MOST + 1).toReversed()

/**
 * Names prints in the messages of the same of their owner's, owed to the same person since, that nobody has begun to send. Returns for
 * each of these the channels by which it is told so. Those that programs read are told of each print by itself. No two may be of the same
 * reader, owner, kind and code.
 */
export async function joinOwed(
  db: Db,
  all: readonly Gathered[],
  { since, programs }: { since: Date; programs: readonly string[] },
): Promise<string[][]> {
  const more = (notice: string) =>
    sql`jsonb_set(${sql.ref(notice)}, '{others}', coalesce(${sql.ref(notice)} -> 'others', '[]') || new.prints)`
  const { rows } = await sql<{ at: number; channel: string }>`
    with new as (
      select * from unnest(${all.map(({ userId }) => userId)}::integer[], ${all.map(({ kind }) => kind)}::text[],
        ${all.map(({ code }) => code)}::text[], ${all.map(({ prints }) => JSON.stringify(prints))}::jsonb[],
        ${all.map(({ ownerId }) => ownerId)}::integer[]) with ordinality as new (user_id, kind, code, prints, owner_id, at)
    ), joined as (
      update deliveries d set notice = ${more('d.notice')} from new
      where d.user_id = new.user_id and d.outcome is null and d.attempts = 0 and d.created_at > ${since}
        and d.kind = new.kind and d.notice ->> 'code' is not distinct from new.code and d.channel <> all(${[...programs]}::text[])
        and (d.notice -> 'printer' ->> 'id')::integer in (select id from printers where user_id = new.owner_id)
        and jsonb_array_length(coalesce(d.notice -> 'others', '[]')) + jsonb_array_length(new.prints) <= ${GATHERED_MOST}
      returning new.at, d.channel, d.notice_key
    ), linked as (
      update alert_links l set notice = ${more('l.notice')} from new
      where l.user_id = new.user_id
        and exists (select from joined where joined.at = new.at and joined.notice_key = l.notice_key)
    )
    select at::integer - 1 as at, channel from joined`.execute(db)
  return all.map((_, at) => rows.filter((row) => row.at === at).map(({ channel }) => channel))
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
