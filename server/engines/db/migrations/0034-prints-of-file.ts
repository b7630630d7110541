import { type Kysely, sql } from 'kysely'

/** Lists of files name the prints of each: found by the file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index prints_file on prints (g_code_file_id) where g_code_file_id is not null`.execute(db)
}
