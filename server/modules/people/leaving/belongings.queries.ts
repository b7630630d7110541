import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { UserId } from '../../../lib/id.ts'

/** Columns by which a row is somebody's, the nearest first; each with the ids that are theirs. */
const BY: readonly (readonly [column: string, ids: string])[] = [
  ['user_id', 'select $1::bigint'],
  ['owner_id', 'select $1::bigint'],
  ['printer_id', 'select id from printers where user_id = $1'],
  ['print_id', 'select id from prints where user_id = $1'],
  [
    'inspection_id',
    'select l.id from first_layer_inspections l join prints p on p.id = l.print_id where p.user_id = $1',
  ],
  ['g_code_file_id', 'select id from g_code_files where user_id = $1'],
  ['transaction_id', 'select id from hour_transactions where user_id = $1'],
  ['address_id', 'select id from email_addresses where user_id = $1'],
  ['access_token_id', 'select id from access_tokens where user_id = $1'],
  ['owner', 'select customer_id from billing_customers where user_id = $1'],
]

/** Tables that hold nothing of anybody: the server's own. A test holds this list against the database. */
export const OF_NOBODY: readonly string[] = [
  'account_notices',
  'billing_events',
  'instance',
  'kysely_migration',
  'kysely_migration_lock',
  'push_keys',
  'upload_room',
  'watch_rounds',
]

/** What opens something, or is good for nothing but to look it up, is handed to nobody. */
const SECRET = /password|token|secret|(?:^|_)key$/

export interface Column {
  readonly name: string
  /** As PostgreSQL calls it. */
  readonly type: string
  readonly isNullable: boolean
}

export interface Belongings {
  readonly table: string
  readonly columns: readonly Column[]
  /** The condition of whose the rows are; null: no column says it. */
  readonly whose: ((user: UserId) => RawBuilder<unknown>) | null
}

interface Found extends Column {
  readonly table: string
}

/** Every table, with how its rows are somebody's, and their columns that are shown to them. */
export async function allTables(db: Db): Promise<Belongings[]> {
  const { rows } = await sql<Found>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db)
  const tables = Map.groupBy(rows, ({ table }) => table)
  return [...tables].map(([table, columns]) => ({
    table,
    columns: columns.filter(
      ({ name, type }) => type !== 'bytea' && (!SECRET.test(name) || name.endsWith('_id')),
    ),
    whose: whoseOf(table, new Set(columns.map(({ name }) => name))),
  }))
}

function whoseOf(table: string, columns: ReadonlySet<string>): Belongings['whose'] {
  if (table === 'users') return (user) => sql`id = ${user}`
  if (OF_NOBODY.includes(table)) return null
  const by = BY.find(([column]) => columns.has(column))
  if (by === undefined) return null
  const [column, ids] = by
  const [before = '', after = ''] = ids.split('$1')
  return (user) => sql`${sql.ref(column)} in (${sql.raw(before)}${user}${sql.raw(after)})`
}

/** How many rows of a table are somebody's. */
export async function countOf(db: Db, { table, whose }: Belongings, user: UserId): Promise<number> {
  if (whose === null) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} where ${whose(user)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** So many rows are read at once. */
const ROWS = 500

/** Somebody's rows of a table as lines of JSON, through a cursor: call in a transaction. */
export async function* rowsOf(
  db: Db,
  { table, columns, whose }: Belongings,
  user: UserId,
): AsyncGenerator<string[]> {
  if (whose === null) return
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  await sql`declare belongings no scroll cursor for
    select row_to_json(mine)::text as line from (select ${names} from ${sql.table(table)} where ${whose(user)}) mine`.execute(
    db,
  )
  for (let isMore = true; isMore;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(ROWS)} from belongings`.execute(db)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    isMore = rows.length === ROWS
  }
  await sql`close belongings`.execute(db)
}
