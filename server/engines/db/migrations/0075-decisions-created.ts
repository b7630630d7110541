import { type Kysely, sql } from 'kysely'

/** How many pictures were judged of late is asked while an administrator looks (docs/rules/people.md 20): rows come in their order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index decisions_created on decisions using brin (created_at)`.execute(db)
}
