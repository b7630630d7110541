import { type Kysely, sql } from 'kysely'

/** Apps that were let in by a code: a token for an hour, and words by which the next is had, each once (docs/rules/slice.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table access_tokens add column access_until timestamptz`.execute(db)
  await sql`
    create table refresh_tokens (
      token_hash bytea primary key,
      access_token_id integer not null references access_tokens on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz
    )
  `.execute(db)
  await sql`create index refresh_tokens_of on refresh_tokens (access_token_id)`.execute(db)
}
