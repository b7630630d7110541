import { type Kysely, sql } from 'kysely'

/**
 * A plan's video plays until the one and rests until the other (docs/wire/browsers.md 6): what was begun counts on, whatever
 * restarts. One row for each user and printer, written anew with each cycle.
 */
const TABLE = `
create table video_cycles (
  printer_id integer not null references printers on delete cascade,
  user_id integer not null references users on delete cascade,
  play_until timestamptz not null,
  rest_until timestamptz not null,
  primary key (printer_id, user_id)
);
create index video_cycles_user on video_cycles (user_id);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}
