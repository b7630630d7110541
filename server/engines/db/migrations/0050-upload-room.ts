import { type Kysely, sql } from 'kysely'

/**
 * Uploads that have begun: the room that each may take is theirs until it has ended or lapsed (docs/wire/rest.md 9). `quota` is what
 * it counts for, with what its owner has stored; null: for nothing but the disk.
 */
const TABLE = `
create table upload_room (
  id text primary key,
  owner text not null,
  quota text,
  num_bytes bigint not null,
  come_bytes bigint not null default 0,
  lapses_at timestamptz not null
);
create index upload_room_owner on upload_room (owner);
create index upload_room_lapses on upload_room (lapses_at);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}
