import { type Kysely, sql } from 'kysely'

/**
 * When a print was not watched, and why (docs/rules/watch.md 2): a row for each reason in turn, open while it lasts. A print
 * that ends closes nothing: its end is the row's.
 */
const TABLE = `
create table unwatched (
  print_id integer not null references prints on delete cascade,
  since timestamptz not null,
  until timestamptz,
  code text not null,
  primary key (print_id, since)
);
create unique index unwatched_open on unwatched (print_id) where until is null;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}
