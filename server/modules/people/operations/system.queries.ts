import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { findKept, keep } from '../users/instance.queries.ts'

const KEY = 'disk_count'

export const findCount = (db: Db): Promise<unknown> => findKept(db, KEY)

export const saveCount = (db: Db, value: string): Promise<void> => keep(db, KEY, value)

/** Bytes of the database, whether a job counts the files, and how many pictures were judged since. */
export async function findSystem(db: Db, since: Date) {
  const { rows } = await sql<{ databaseBytes: number; isCounting: boolean; looks: number }>`
    select pg_database_size(current_database())::float8 as database_bytes,
      exists (select from pgboss.job where name = 'disk-count' and state in ('created', 'retry', 'active')) as is_counting,
      (select count(*)::int from decisions where created_at > ${since}) as looks`.execute(db)
  return rows[0] ?? { databaseBytes: 0, isCounting: false, looks: 0 }
}
