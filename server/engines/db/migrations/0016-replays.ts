import { type Kysely, sql } from 'kysely'

/** Today's detector over the stored pictures of a print: how far it is, and where what it said lies (`looks`). */
const TABLE = `
create table replays (
  print_id integer primary key references prints on delete cascade,
  user_id integer not null references users on delete cascade,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  looked integer not null default 0,
  frames integer not null,
  model text,
  looks jsonb,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index replays_under_way on replays (user_id) where state in ('waiting', 'running');
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}
