import pg from 'pg'
import type { UserId } from '../../../lib/id.ts'

/** Stands in every text that is filled in. */
export const MARK = 'of-maria'

/** What a column takes whose values are listed or checked. */
const CHECKED: Readonly<Record<string, unknown>> = {
  // what is lost is given back within the minute
  'ai_questions.asked_at': '2100-01-01',
  'billing_checkouts.kind': 'plan',
  'billing_checkouts.state': 'closed',
  'decisions.decision': 'none',
  // what is due is gone within the minute, and the account with it
  'departures.due_at': '2100-01-01',
  'hour_balances.bucket': 'earned',
  'hour_transactions.bucket': 'earned',
  'hour_transactions.kind': 'earned',
  'mail_links.kind': 'confirm',
  'memberships.role': 'viewer',
  'mobile_devices.platform': 'ios',
  'payments.kind': 'payment',
  'payments.what': 'plan',
  'public_timelapses.state': 'offered',
  'queue_entries.place': 1,
  'queue_starts.state': 'done',
  'replays.state': 'done',
  'sandbox_objects.owner': `${MARK}-customer_id`,
  'slice_jobs.state': 'done',
  'subscriptions.state': 'expired',
  'tunnel_usage.month': '2026-11',
  'tunnels.code': '0123456789abcdef',
  'tunnels.kind': 'internal',
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isNeeded: boolean
  /** The table whose `id` it is. */
  readonly parent: string | null
}

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as "isNeeded",
    (select p.relname from pg_constraint k join pg_class p on p.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] limit 1) as parent
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`

/** A picture, film or file that a row names. */
const REF = JSON.stringify({ container: 'tsd-timelapses', path: `private/${MARK}` })

function valueFor({ type, name }: Column): unknown {
  if (type.endsWith('[]')) return '{}'
  if (/^(?:smallint|integer|bigint|real|double precision|numeric)$/.test(type)) return 1
  if (type === 'boolean') return true
  if (/^timestamp|^date/.test(type)) return '2026-11-01'
  if (type === 'bytea') return Buffer.from(`${MARK}-${name}`)
  if (type === 'uuid') return crypto.randomUUID()
  return /^jsonb?$/.test(type) ? REF : `${MARK}-${name}`
}

/** A row of an account in each of these tables, whatever their columns are. */
export async function fillTables(url: string, userId: UserId, tables: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Column>(COLUMNS)
    // What everybody is told, and this account has put away.
    await client.query(`insert into account_notices (level, body_en, body_zh, audience, dismissible, from_at, created_at)
      values ('info', 'x', 'x', 'all', true, now(), now())`)
    let left = tables.filter((table) => table !== 'users')
    for (let why: unknown[] = []; left.length > 0;) {
      const failed: string[] = []
      for (const table of left)
        await insert(
          client,
          userId,
          rows.filter((row) => row.table === table),
        ).catch((error: unknown) => {
          failed.push(table)
          why.push(table, error)
        })
      if (failed.length === left.length)
        throw new AggregateError(why, `cannot fill ${failed.join(', ')}: ${why.join(' ')}`)
      ;[left, why] = [failed, []]
    }
  } finally {
    await client.end()
  }
}

async function insert(client: pg.Client, userId: UserId, columns: readonly Column[]): Promise<void> {
  const table = columns[0]?.table ?? ''
  const names: string[] = []
  const values: unknown[] = []
  for (const column of columns) {
    const key = `${table}.${column.name}`
    const isWhose = /^(?:user|printer|print)_id$/.test(column.name)
    if (!column.isNeeded && !isWhose && !(key in CHECKED)) continue
    names.push(column.name)
    values.push(
      key in CHECKED
        ? CHECKED[key]
        : column.name === 'user_id' || column.parent === 'users'
          ? userId
          : column.parent !== null || isWhose
            ? await newest(client, column.parent ?? `${column.name.slice(0, -3)}s`)
            : valueFor(column),
    )
  }
  const places = values.map((_, n) => `$${n + 1}`)
  // It was made with the account.
  const ifNone = table === 'hour_accounts' ? 'on conflict do nothing' : ''
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) ${ifNone}`,
    values,
  )
}

/** The last row of a table is this account's: it was the last to get any. */
async function newest(client: pg.Client, table: string): Promise<unknown> {
  const { rows } = await client.query<{ id: unknown }>(`select id from ${table} order by id desc limit 1`)
  if (rows[0] === undefined) throw new Error(`${table} is empty`)
  return rows[0].id
}
