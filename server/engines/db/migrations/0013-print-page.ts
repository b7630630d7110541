import { type Kysely, sql } from 'kysely'

/**
 * Temperatures of a print, a point every 30 s: lines of JSON as server/modules/printers/temperatures packs them, a few minutes in
 * a row while it prints and all of it in one when it has ended. And the link by which a print's time-lapse is shown to
 * whoever has it.
 */
const PAGE = `
create table print_temperatures (
  print_id integer not null references prints on delete cascade,
  at timestamptz not null,
  lines text not null,
  primary key (print_id, at)
);

create table print_links (
  print_id integer primary key references prints on delete cascade,
  share_token text not null unique,
  created_at timestamptz not null default now()
);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(PAGE).execute(db)
}
