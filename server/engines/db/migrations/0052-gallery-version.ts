import { type Kysely, sql } from 'kysely'

/** What an administrator has seen and accepted: copies are made of that alone (prints/gallery/copies.service.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table public_timelapses add column accepted_version text`.execute(db)
}
