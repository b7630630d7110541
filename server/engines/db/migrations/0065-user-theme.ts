import { type Kysely, sql } from 'kysely'

/** The theme that somebody has chosen, for their next device; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table users add theme text check (theme in ('light', 'dark', 'system'))`).execute(db)
}
