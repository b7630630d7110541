import { type Kysely, sql } from 'kysely'

/**
 * An automatic pause is decided and committed before it is sent: its envelope's id, and until when nothing is known of
 * it. `pause_seen_at`: when the printer was last seen to stand still in a pause.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table prints
      add column pause_id uuid,
      add column pause_until timestamptz,
      add column pause_seen_at timestamptz`.execute(db)
}
