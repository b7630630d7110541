import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'

const KEY = 'site'

/** What administrators have changed, as it was kept; null: nothing yet. */
export async function findChanges(db: Db): Promise<unknown> {
  const row = await db.selectFrom('instance').select('value').where('key', '=', KEY).executeTakeFirst()
  return row?.value ?? null
}

/** The same, held for this transaction: two who change at once do so one after the other. */
export async function lockChanges(db: Db): Promise<unknown> {
  await sql`select pg_advisory_xact_lock(7310021)`.execute(db)
  return await findChanges(db)
}

export async function saveChanges(db: Db, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
