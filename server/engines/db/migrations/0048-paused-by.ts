import { type Kysely, sql } from 'kysely'

/** Who has a print stand still, as far as Vigil knows; null while it goes on, and of a pause at the printer itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`alter table prints add column paused_by text check (paused_by in ('vigil', 'owner'))`)
    .execute(db)
}
