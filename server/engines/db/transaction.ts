import type { Db } from './port.ts'

/** Runs `work` in a transaction: the caller's when `db` is one already, else a new one. */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? await work(db) : await db.transaction().execute(work)
}
