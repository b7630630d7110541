import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { UserId } from '../../../lib/id.ts'

/** The month that a moment lies in, as its first day. */
const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

/**
 * Takes one of the month's credits, at once and before anything is asked, and notes that its answer is awaited. Null where there is none,
 * else by what it is kept or given back.
 */
export async function takeCredit(
  db: Db,
  userId: UserId,
  { most, now }: { most: number; now: Date },
): Promise<string | null> {
  const month = monthOf(now)
  const { rows } = await sql<{ id: string }>`
    with taken as (
      insert into ai_credits as held (user_id, month, used, created_at, updated_at)
      select ${userId}, ${month}::date, 1, ${now}::timestamptz, ${now}::timestamptz where ${most}::integer > 0
      on conflict (user_id) do update set
        used = case when held.month = excluded.month then held.used + 1 else 1 end,
        month = excluded.month,
        updated_at = excluded.updated_at
      where held.month <> excluded.month or held.used < ${most}::integer
      returning user_id
    )
    insert into ai_questions (user_id, asked_at) select user_id, ${now}::timestamptz from taken returning id`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

/** The answer has come: its credit is spent. */
export async function spendCredit(db: Db, userId: UserId, question: string): Promise<void> {
  await db.deleteFrom('aiQuestions').where('userId', '=', userId).where('id', '=', question).execute()
}

/**
 * Answers that came to nothing: of this question, or of all that were asked before a moment, whose server is gone. What was taken is theirs
 * again, once, unless another month has begun.
 */
export async function giveCreditsBack(
  db: Db,
  which: { readonly userId: UserId; readonly question: string } | { readonly askedBefore: Date },
  now: Date,
): Promise<void> {
  const isMeant =
    'question' in which
      ? sql`user_id = ${which.userId} and id = ${which.question}`
      : sql`asked_at < ${which.askedBefore}::timestamptz`
  await sql`
    with lost as (delete from ai_questions where ${isMeant} returning user_id, asked_at),
    due as (
      select user_id, date_trunc('month', asked_at at time zone 'UTC')::date as month, count(*)::integer as count
      from lost group by 1, 2
    )
    update ai_credits held set used = greatest(used - due.count, 0), updated_at = ${now}::timestamptz
    from due where held.user_id = due.user_id and held.month = due.month`.execute(db)
}

/** What somebody has used; before the first question there is no row. */
export async function findCredits(db: Db, userId: UserId) {
  return await db.selectFrom('aiCredits').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** A new month: everybody has all of theirs again. */
export async function resetCredits(db: Db, now: Date): Promise<void> {
  const month = monthOf(now)
  await sql`
    update ai_credits set used = 0, month = ${month}::date, updated_at = ${now}::timestamptz
    where month < ${month}::date`.execute(db)
}
