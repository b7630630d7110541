import { type Kysely, sql } from 'kysely'

/**
 * What people have saved to slice with, by names of their own: profiles by their `sub_path`, and what is changed of them. Versions of
 * one model have a `family`: the id of the first.
 */
const TABLES = `
create table slice_presets (
  id integer primary key generated always as identity,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  machine text not null,
  filament text not null,
  print text not null,
  overwrites jsonb not null,
  is_shared boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index slice_presets_name on slice_presets (user_id, lower(name));
create index slice_presets_shared on slice_presets (id) where is_shared;
alter table mesh_models add column family integer;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
