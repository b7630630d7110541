import { type Kysely, sql } from 'kysely'

/**
 * What owners were told of prints that are not watched: the last alarm of a printer, which stands until it is cleared. And when
 * each part of the printers was looked after last: whoever comes after a server that died sees by it how long nobody did.
 */
const TABLES = `
create table watch_alarms (
  printer_id integer primary key references printers on delete cascade,
  print_id integer not null,
  code text not null,
  recurred integer not null default 0,
  raised_at timestamptz not null,
  cleared_at timestamptz
);
create index watch_alarms_open on watch_alarms (printer_id) where cleared_at is null;
create index printers_running on printers (id) where current_print_id is not null;
create table watch_rounds (
  part integer primary key,
  at timestamptz not null
);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
