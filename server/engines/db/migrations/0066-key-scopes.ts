import { type Kysely, sql } from 'kysely'

/** API keys that reach as far as their maker said, perhaps on some printers alone, and from where they were used (docs/rules/people.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: of a printer that goes the key must not become one for all printers.
  await sql`
    alter table access_tokens
      add column printer_ids integer[],
      add column last_address text
  `.execute(db)
}
