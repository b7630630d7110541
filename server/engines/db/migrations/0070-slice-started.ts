import { type Kysely, sql } from 'kysely'

/** When somebody began to work on it, last: how long the next ones take is learnt from that (docs/rules/slice.md 6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table slice_jobs add column started_at timestamptz`.execute(db)
}
