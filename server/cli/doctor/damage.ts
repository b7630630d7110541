import type { Pool } from 'pg'
import { explainFailure, isDamage } from '../../failures.ts'
import { broken, type Finding } from './finding.ts'

/** Reading all takes seconds at home; of a database larger than that as much as fits is read. */
const PATIENCE_MS = 20_000

/**
 * Reads the pages of our tables, whose checksums PostgreSQL compares. Null when none is damaged, as far as was read:
 * the rest of a large database is what `pg_amcheck` is for.
 */
export async function findDamage(pool: Pool): Promise<Finding | null> {
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
    const explained = isDamage(error as Error) ? explainFailure(error) : null
    return explained && broken(explained.found, explained.cure ?? 'See the log of the database.')
  } finally {
    // The next table is read by the same: a connection for each took longer than all the reading.
    client.release(!isSound)
  }
}
