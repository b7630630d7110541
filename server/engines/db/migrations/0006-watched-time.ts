import { type Kysely, sql } from 'kysely'

/**
 * How much of a print was watched is told in the print's own time: `watched_seconds` of its first `watched_of` seconds.
 * `watch_mark` is what was not counted yet (watch/watching/watched-time.rules.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table prints add column watched_of double precision`.execute(db)
  await sql`alter table printer_predictions add column watch_mark jsonb`.execute(db)
}
