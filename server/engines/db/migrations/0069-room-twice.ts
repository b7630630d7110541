import { type Kysely, sql } from 'kysely'

/** An upload in parts lies on the disk twice while it is finished: so often its bytes need room (docs/wire/rest.md 9). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upload_room add column times_on_disk smallint not null default 1`.execute(db)
}
