import { type Kysely, sql } from 'kysely'

/**
 * Time-lapses that their owners offer to everybody. `consented_at`: when the owner agreed to the name and the film that
 * become public. `key`: under which the copies are served while `state` is `public`; nothing in it tells whose they are.
 */
const TABLE = `
create table public_timelapses (
  id integer generated always as identity primary key,
  print_id integer not null unique references prints on delete cascade,
  user_id integer not null references users on delete cascade,
  state text not null check (state in ('offered', 'accepted', 'public', 'refused', 'removed', 'withdrawn')),
  creator_name text not null,
  consented_at timestamptz not null,
  priority integer not null default 0,
  reason text,
  problem text,
  decided_at timestamptz,
  decided_by integer references users on delete set null,
  key text unique,
  has_poster boolean not null default false,
  public_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index public_timelapses_shown on public_timelapses (priority desc, public_at desc) where state = 'public';
create index public_timelapses_waiting on public_timelapses (consented_at) where state = 'offered';
create index public_timelapses_decided on public_timelapses (state, decided_at desc);
create index public_timelapses_user on public_timelapses (user_id);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}
