import { type Kysely, sql } from 'kysely'

/** When the owner has said of a print's alert that they have seen it, and not what it is; null once they have said that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table prints add column alert_seen_at timestamptz`).execute(db)
}
