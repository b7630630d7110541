import { type Kysely, sql } from 'kysely'

/** Meshes that people have brought, to be sliced: mended, as binary STL (docs/rules/slice.md 5). `size` in mm. */
const TABLE = `
create table mesh_models (
  id integer primary key generated always as identity,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  num_bytes bigint not null,
  triangles integer not null,
  size jsonb not null,
  notes jsonb not null,
  content jsonb not null,
  picture jsonb not null,
  created_at timestamptz not null default now()
);
create index mesh_models_user on mesh_models (user_id, id desc);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}
