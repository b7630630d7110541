import { type Kysely, sql } from 'kysely'

/** Tokens of slicers: what apps were given on the page that asks, and keys that their user has made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table access_tokens
      add column kind text not null default 'app' check (kind in ('app', 'key')),
      add column hint text not null default '',
      add column printer_id integer references printers on delete cascade,
      add column last_used_at timestamptz
  `.execute(db)
  // A printer that goes takes the keys for it along.
  await sql`create index access_tokens_printer on access_tokens (printer_id) where printer_id is not null`.execute(
    db,
  )
}
