import type { Pool } from 'pg'
import type { Config } from '../../config.ts'
import { isFromNewer, pendingMigrations } from '../../engines/db/migrate.ts'
import { isDatabaseDown, openDb } from '../../engines/db/postgres.ts'
import { explainFailure, reasonOf, isDamage } from '../../failures.ts'
import { commandLog, withDatabase } from '../context.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'
import { textOf } from '../../lib/thrown.ts'

/** Reading all takes seconds at home; of a database larger than that as much as fits is read. */
const PATIENCE_MS = 20_000

/**
 * Reads the pages of our tables, whose checksums PostgreSQL compares. Null when none is damaged, as far as was read:
 * the rest of a large database is what `pg_amcheck` is for.
 */
async function findDamage(pool: Pool): Promise<Finding | null> {
  const until = performance.now() + PATIENCE_MS
  const { rows } = await pool.query<{ name: string; shown: string }>(
    `select oid::regclass::text as name, coalesce(owner, oid)::regclass::text as shown from (
       select t.oid, t.relpages, null::oid as owner from pg_class t
       where t.relkind in ('r', 'm') and t.relnamespace = 'public'::regnamespace
       union all
       select t.reltoastrelid, 0, t.oid from pg_class t
       where t.reltoastrelid <> 0 and t.relnamespace = 'public'::regnamespace and pg_has_role(t.relowner, 'usage')
     ) all_of_them order by relpages`,
  )
  for (const { name, shown } of rows) {
    const left = Math.floor(until - performance.now())
    if (left <= 0) return null
    const damage = await readPages(pool, name, left)
    if (damage !== null) return { ...damage, found: `Table ${shown}: ${damage.found}` }
  }
  return null
}

async function readPages(pool: Pool, name: string, patienceMs: number): Promise<Finding | null> {
  const client = await pool.connect()
  let isSound = false
  try {
    // Sequentially: an index would answer for pages that nobody reads then.
    await client.query(
      `set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off;
       set statement_timeout = ${patienceMs}`,
    )
    await client.query(`select count(*) from ${name}`)
    isSound = true
    return null
  } catch (error) {
    const explained = error instanceof Error && isDamage(error) ? explainFailure(error) : null
    return explained && broken(explained.found, explained.cure ?? 'See the log of the database.')
  } finally {
    // The next table is read by the same: a connection for each took longer than all the reading.
    client.release(!isSound)
  }
}

const OLDEST_MAJOR = 15
const CONNECT = 'Check DATABASE_URL, and that this machine may connect there.'

/** Reaches the database, starting an embedded one if need be; shows its version, size and state. */
export async function checkDatabase(config: Config): Promise<Finding> {
  const kind = config.DATABASE_URL === undefined ? 'embedded' : 'of DATABASE_URL'
  try {
    return await withDatabase(config, (url) => inspect(config, url, kind))
  } catch (error) {
    const explained = explainFailure(error)
    if (config.DATABASE_URL === undefined) {
      const advice = explained?.cure ?? 'Its own words are in log/postgres.log of the data folder.'
      return broken(explained?.found ?? `The database cannot be used: ${textOf(error)}`, advice)
    }
    if (explained !== null && !isDatabaseDown(error))
      return broken(explained.found, explained.cure ?? CONNECT)
    return broken(`The database ${kind} is not reachable: ${reasonOf(error)}`, CONNECT)
  }
}

async function inspect(config: Config, url: string, kind: string): Promise<Finding> {
  const { pool, close } = openDb(url, { log: commandLog(config), poolSize: 1 })
  try {
    const { rows } = await pool.query<{ version: number; bytes: number; checksums: string; fsync: string }>(
      `select current_setting('server_version_num')::int as version, pg_database_size(current_database()) as bytes,
              current_setting('data_checksums') as checksums, current_setting('fsync') as fsync`,
    )
    const { version = 0, bytes = 0, checksums, fsync } = rows[0] ?? {}
    const major = Math.floor(version / 10_000)
    const found = `PostgreSQL ${major}.${version % 10_000}, ${kind}, ${(bytes / 1024 ** 2).toFixed(0)} MB.`
    if (major < OLDEST_MAJOR) return broken(found, `Vigil needs PostgreSQL ${OLDEST_MAJOR} or later.`)
    if (fsync !== 'on') return broken(found, 'fsync is off: a power cut would lose data. Switch it on.')
    if (checksums !== 'on')
      return doubtful(found, 'It has no data checksums; a failing disk may go unnoticed.')
    const damage = await findDamage(pool)
    if (damage !== null) return damage
    if (await isFromNewer(pool))
      return broken(
        `${found} It was written by a newer version of Vigil.`,
        'Install that version again, or restore the backup of before into a new folder (docs/self-hosting.md, Restore).',
      )
    const pending = await pendingMigrations(url, { log: commandLog(config) })
    const first = pending.length > 0 ? ` ${pending.length} migration(s) will run at the next start.` : ''
    return fine(found + first)
  } finally {
    await close()
  }
}
