import { sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** What decides over somebody's data: their month and their cap. */
export async function findUsers(db: Db, ids: readonly UserId[]) {
  return await db
    .selectFrom('users')
    .select(['id', 'timeZone', 'isPro', 'brand', 'tunnelCapMultiplier'])
    .where('id', 'in', ids)
    .execute()
}
export type UsageUser = Awaited<ReturnType<typeof findUsers>>[number]

/** Bytes of one month. */
export async function findUsage(db: Db, userId: UserId, month: string): Promise<number> {
  const row = await db
    .selectFrom('tunnelUsage')
    .select('bytes')
    .where('userId', '=', userId)
    .where('month', '=', month)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export interface Used {
  readonly userId: UserId
  readonly month: string
  readonly bytes: number
}

/** Adds to the months of several users at once; who is gone is left out. Returns what each has now. */
export async function addAll(db: Db, used: readonly Used[]): Promise<Used[]> {
  const { rows } = await sql<{ userId: UserId; month: string; bytes: number }>`
    insert into tunnel_usage (user_id, month, bytes)
    select users.id, given.month, given.bytes
    from unnest(
      ${used.map(({ userId }) => userId)}::int[],
      ${used.map(({ month }) => month)}::text[],
      ${used.map(({ bytes }) => bytes)}::bigint[]
    ) as given (user_id, month, bytes)
    join users on users.id = given.user_id
    order by users.id
    on conflict (user_id, month) do update set bytes = tunnel_usage.bytes + excluded.bytes
    returning user_id, month, bytes`.execute(db)
  return rows
}

/** Months that nobody asks for any more. */
export async function deleteBefore(db: Db, month: string): Promise<void> {
  await db.deleteFrom('tunnelUsage').where('month', '<', month).execute()
}
