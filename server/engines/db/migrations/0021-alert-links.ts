import { type Kysely, sql } from 'kysely'

/**
 * Links in messages about one alert of one print: of their word the hash is kept. Until `open_until` they work for whoever has
 * them, later for the owner alone; each act is done once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_links (
      id uuid primary key,
      token_hash bytea not null unique,
      notice_key text not null,
      user_id integer not null references users on delete cascade,
      printer_id integer not null references printers on delete cascade,
      notice jsonb not null,
      open_until timestamptz not null,
      paused_at timestamptz,
      answered_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index alert_links_key on alert_links (notice_key)`.execute(db)
  await sql`create index alert_links_user on alert_links (user_id)`.execute(db)
  await sql`create index alert_links_printer on alert_links (printer_id)`.execute(db)
  await sql`create index alert_links_created on alert_links (created_at)`.execute(db)
}
