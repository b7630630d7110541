import { type Kysely, sql } from 'kysely'

/** When an agent was last heard before it left: "Last seen 3 h ago" survives a restart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table printers add column agent_seen_at timestamptz`.execute(db)
}
