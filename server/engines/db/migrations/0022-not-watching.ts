import { type Kysely, sql } from 'kysely'

/** Whoever is told of failures is told, at first, when nobody looks for them any more. */
const SWITCH = `
alter table notification_settings add column notify_on_not_watching boolean not null default true;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SWITCH).execute(db)
}
