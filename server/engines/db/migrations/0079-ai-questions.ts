import { type Kysely, sql } from 'kysely'

/** Credits that are taken and whose answer has not come: what a server that was killed took comes back (docs/rules/assistant.md 7). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ai_questions (
      id uuid primary key default gen_random_uuid(),
      user_id integer not null references users on delete cascade,
      asked_at timestamptz not null
    )`.execute(db)
  await sql`create index ai_questions_user on ai_questions (user_id)`.execute(db)
}
