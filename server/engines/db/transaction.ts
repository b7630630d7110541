import { sql } from 'kysely'
import type { PrinterId, UserId } from '../../lib/id.ts'
import type { Db } from './port.ts'

/** Runs `work` in a transaction: the caller's when `db` is one already, else a new one. */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? await work(db) : await db.transaction().execute(work)
}

/** What of somebody's is counted by one transaction at a time, each by the number of its lock. */
export const LISTS = {
  printersOfUser: 7_310_002,
  linksOfPrinter: 7_310_003,
  offersOfUser: 7_310_004,
  replaysOfUser: 7_310_005,
  uploadsOfUser: 7_310_006,
  told: 7_310_007,
  slicesOfUser: 7_310_008,
  unseenOfUser: 7_310_009,
  presetsOfUser: 7_310_020,
  householdOfUser: 7_310_010,
  planOfUser: 7_310_030,
} as const

/**
 * Waits for its turn to add to somebody's list, until the transaction ends: of two who count the rows at the same
 * moment both would find room.
 */
export const lockList = async (tx: Db, list: keyof typeof LISTS, of: UserId | PrinterId): Promise<void> =>
  await lockLists(tx, list, [of])

/** The same for the lists of several, in an order that is always the same. */
export async function lockLists(
  tx: Db,
  list: keyof typeof LISTS,
  of: readonly (UserId | PrinterId)[],
): Promise<void> {
  const ids = [...new Set(of)].toSorted((a, b) => a - b)
  await sql`select pg_advisory_xact_lock(${LISTS[list]}::int, id) from unnest(${ids}::int[]) as id`.execute(
    tx,
  )
}
