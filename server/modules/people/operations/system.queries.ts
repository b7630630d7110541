import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { findKept, keep } from '../users/instance.queries.ts'

const KEY = 'disk_count'
const BACKUP = 'backup'
const SAMPLES = 'disk_samples'
const FREED = 'disk_freed'

export const findCount = (db: Db): Promise<unknown> => findKept(db, KEY)

export const saveCount = (db: Db, value: string): Promise<void> => keep(db, KEY, value)

export const findBackup = (db: Db): Promise<unknown> => findKept(db, BACKUP)

export const saveBackup = (db: Db, value: string): Promise<void> => keep(db, BACKUP, value)

export const findSamples = (db: Db): Promise<unknown> => findKept(db, SAMPLES)

export const saveSamples = (db: Db, value: string): Promise<void> => keep(db, SAMPLES, value)

export const findFreed = (db: Db): Promise<unknown> => findKept(db, FREED)

export const saveFreed = (db: Db, value: string): Promise<void> => keep(db, FREED, value)

/** Those who look after this server. */
export const findAdmins = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('isStaff', '=', true)
    .where('isActive', '=', true)
    .orderBy('id')
    .limit(100)
    .execute()

/** Bytes of the database, whether a job counts the files, and how many pictures were judged since. */
export async function findSystem(db: Db, since: Date) {
  const { rows } = await sql<{ databaseBytes: number; isCounting: boolean; looks: number }>`
    select pg_database_size(current_database())::float8 as database_bytes,
      exists (select from pgboss.job where name = 'disk-count' and state in ('created', 'retry', 'active')) as is_counting,
      (select count(*)::int from decisions where created_at > ${since}) as looks`.execute(db)
  return rows[0] ?? { databaseBytes: 0, isCounting: false, looks: 0 }
}
