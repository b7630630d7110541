import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { findKept, keep } from '../users/instance.queries.ts'

const KEY = 'site'

/** What administrators have changed, as it was kept; null: nothing yet. */
export const findChanges = (db: Db): Promise<unknown> => findKept(db, KEY)

/** The same, held for this transaction: two who change at once do so one after the other. */
export async function lockChanges(db: Db): Promise<unknown> {
  await sql`select pg_advisory_xact_lock(7310021)`.execute(db)
  return await findChanges(db)
}

export const saveChanges = (db: Db, value: string): Promise<void> => keep(db, KEY, value)
