import { type Kysely, sql } from 'kysely'

/** What the detector saw of a print in 32 values of 0 to 100 at most, null where nobody looked: for rows of the history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table prints add column score_curve smallint[]').execute(db)
}
