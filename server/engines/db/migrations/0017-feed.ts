import { type Kysely, sql } from 'kysely'

/** A page of somebody's events, whichever are filtered out, is found in the index alone. */
const INDEXES = `
create index printer_events_feed on printer_events (user_id, created_at desc, id desc)
  include (event_class, event_type, printer_id);
drop index printer_events_user;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(INDEXES).execute(db)
}
