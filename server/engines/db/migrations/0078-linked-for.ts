import { type Kysely, sql } from 'kysely'

/** Who runs a household with others links printers into its account (docs/rules/people.md 16); null: into their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table verification_codes add column account_id integer references users on delete cascade`.execute(
    db,
  )
  await sql`create index verification_codes_account on verification_codes (account_id) where account_id is not null`.execute(
    db,
  )
}
