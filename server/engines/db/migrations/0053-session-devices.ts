import { type Kysely, sql } from 'kysely'

/** Where a session is used: what its owner knows it by in the list of their devices (docs/rules/people.md 2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      add column agent text not null default '',
      add column address text not null default '',
      add column used_at timestamptz not null default now()
  `.execute(db)
}
