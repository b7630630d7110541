import { type Kysely, sql } from 'kysely'

/**
 * What is sliced, waits for it or was: whoever works on a row says so each second (`beat_at`), and one that falls silent loses it
 * (docs/rules/slice.md 6). What somebody slices with: ids of profiles, which are no rows.
 */
const TABLES = `
create table slice_jobs (
  id integer primary key generated always as identity,
  user_id integer not null references users (id) on delete cascade,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  asked jsonb not null,
  thumbnail jsonb,
  progress real not null default 0,
  notes jsonb not null default '[]',
  error jsonb,
  g_code_file_id integer references g_code_files (id) on delete set null,
  runner uuid,
  beat_at timestamptz,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index slice_jobs_user on slice_jobs (user_id, id desc);
create index slice_jobs_open on slice_jobs (id) where state in ('queued', 'running');
create index slice_jobs_file on slice_jobs (g_code_file_id) where g_code_file_id is not null;
create table slice_settings (
  user_id integer primary key references users (id) on delete cascade,
  machine integer not null,
  filament integer not null,
  print_process integer not null
);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
