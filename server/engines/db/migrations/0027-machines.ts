import { type Kysely, sql } from 'kysely'

/** Printers as machines: what agents told of bed, height, nozzle and temperatures, and what owners said by hand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table machines (
      printer_id integer primary key references printers on delete cascade,
      told jsonb,
      told_at timestamptz,
      said jsonb not null default '{}'
    )`.execute(db)
}
