import { type Kysely, sql } from 'kysely'

/** Links lead where an administrator has signed in (docs/rules/people.md 7): what others came to is forgotten, and never asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update users set last_origin = null where last_origin is not null and not is_staff`.execute(db)
  await sql`create index users_home on users (id) where is_staff and last_origin is not null`.execute(db)
}
