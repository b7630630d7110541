import { sql } from 'kysely'
import type { Db } from '../../engines/db/port.ts'
import type { Values } from './world.ts'

/** A table that has rows, of those that must be empty; undefined when all are. */
export async function findFull(db: Db, tables: readonly string[]): Promise<string | undefined> {
  for (const table of tables) {
    const { rows } = await sql<{
      full: boolean
    }>`select exists (select from ${sql.table(table)}) as full`.execute(db)
    if (rows[0]?.full === true) return table
  }
  return undefined
}

/** What a new account has from the beginning: the row that comes takes its place. */
const BEGUN: Readonly<Record<string, readonly string[]>> = { notification_settings: ['user_id', 'name'] }

/** Writes rows that all have the same columns; their numbers are theirs. */
export async function insertRows(db: Db, table: string, rows: readonly Values[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const columns = sql.join(names.map((column) => sql.ref(column)))
  const key = BEGUN[table]
  const conflict = key
    ? sql`on conflict (${sql.join(key.map((one) => sql.ref(one)))}) do update set ${sql.join(
        names.map((one) => sql`${sql.ref(one)} = ${sql.ref(`excluded.${one}`)}`),
      )}`
    : sql``
  await sql`insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    ${conflict}`.execute(db)
}

/** Has room made for the months of these moments, in tables that are cut by month. */
export async function makeMonths(db: Db, moments: Iterable<string>): Promise<void> {
  for (const month of new Set([...moments].map((moment) => `${moment.slice(0, 7)}-01`)))
    await sql`select ensure_partitions(${month}::date)`.execute(db)
}

/** Says which row a column of others names, once both are there. */
export async function setReferences(
  db: Db,
  table: string,
  column: string,
  pairs: readonly { readonly id: number; readonly to: number }[],
): Promise<void> {
  await sql`update ${sql.table(table)} as t set ${sql.ref(column)} = p.to
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p(id integer, "to" integer) where t.id = p.id`.execute(
    db,
  )
}

/** The next number that a table gives comes after those that came. */
export async function moveSequence(db: Db, table: string): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))
    from ${sql.table(table)} limit 1`.execute(db)
}
