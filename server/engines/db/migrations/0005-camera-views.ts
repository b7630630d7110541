import { type Kysely, sql } from 'kysely'

/** What a printer's camera shows, so that one that was moved while the server was away is told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table camera_views (
      printer_id integer primary key references printers on delete cascade,
      view bytea not null,
      updated_at timestamptz not null default now()
    )`.execute(db)
}
