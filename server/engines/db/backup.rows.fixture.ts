import { randomBytes } from 'node:crypto'
import pg from 'pg'

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function firstColumn<T>(client: pg.Client, text: string, values: unknown[] = []): Promise<T[]> {
  // An array, when there were several statements.
  const result: unknown = await client.query(text, values.length > 0 ? values : undefined)
  const { rows } = [result].flat().at(-1) as pg.QueryResult<Record<string, T>>
  return rows.map((row) => Object.values(row)[0]!)
}

/** The first column of what a statement answers. */
export const ask = <T = string>(url: string, text: string, values?: unknown[]): Promise<T[]> =>
  connected(url, (client) => firstColumn<T>(client, text, values))

/** Every row of every table as text. */
export const everything = (url: string): Promise<Record<string, string[]>> =>
  connected(url, async (client) => {
    const tables = await firstColumn<string>(
      client,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not like 'kysely%' order by 1`,
    )
    const all: Record<string, string[]> = {}
    for (const table of tables)
      all[table] = await firstColumn(client, `select t::text from public.${table} t order by 1`)
    return all
  })

const ODD = 'tab\t line\n return\r back\\slash \\. \\N "quoted" ünïcödé 打印机 🦊 \u0001\u007f\u2028'

/** Rows with whatever may stand in a row. */
export async function fill(url: string): Promise<void> {
  await ask(
    url,
    `insert into users (email, first_name, last_name, dh_balance, created_at, time_zone) values
       ('a@example.org', $1, '', 1e-300, '2026-01-02 03:04:05.678901+00', null),
       ('b@example.org', '', '\\N', 'Infinity', 'infinity', '')`,
    [ODD],
  )
  await ask(url, `insert into users (email) select 'gone@example.org'`)
  await ask(url, `delete from users where email = 'gone@example.org'`)
  await ask(
    url,
    `insert into sessions (token_hash, user_id, remember, expires_at) values ($1, 1, true, '0044-03-15 12:00:00+00 BC')`,
    [Buffer.from([0, 1, 9, 10, 13, 92, 255])],
  )
  await ask(
    url,
    `insert into printers (user_id, name, auth_token, agent_settings) values (1, $1, 'token', $2)`,
    [ODD, JSON.stringify({ [ODD]: [null, 0.1, 1e21, { deep: ODD }] })],
  )
  await ask(
    url,
    `insert into prints (user_id, printer_id, ext_id, filename) values (1, 1, 9223372036854775807, 'x')`,
  )
  await ask(url, 'update printers set current_print_id = 1')
  await ask(
    url,
    `insert into printer_events (created_at, user_id, printer_id, event_type, event_class, params)
     select at, 1, 1, 'STARTED', 'PRINT', jsonb_build_object('n', at::text) from unnest(array[
       '2019-05-05 05:05:05.000001+00', '2031-12-31 23:59:59.999999+00', now()::text]::timestamptz[]) at`,
  )
  await ask(
    url,
    `insert into frames (printer_id, print_id, picture, num_bytes, width, height)
     select 1, 1, jsonb_build_object('key', repeat(md5(n::text), 20)), n, 1, 1 from generate_series(1, 5000) n`,
  )
  // One row that no chunk holds.
  await ask(
    url,
    `insert into g_code_files (user_id, filename, safe_filename, metadata_json) values (1, '', '', $1)`,
    [randomBytes(2_000_000).toString('base64')],
  )
}
