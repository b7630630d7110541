import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { findKept, keep } from '../users/instance.queries.ts'

const KEY = 'keyring'

/** The keys as they are kept, sealed; null: there was never another than the first. */
export const findKeyring = (db: Db): Promise<unknown> => findKept(db, KEY)

/** The same, held for this transaction: one at a time changes it. */
export async function lockKeyring(db: Db): Promise<unknown> {
  await sql`select pg_advisory_xact_lock(7310029)`.execute(db)
  return await findKeyring(db)
}

export const saveKeyring = (db: Db, value: string): Promise<void> => keep(db, KEY, value)
