/** What a picture of a running print costs a node of several, and how large the rows are that grow for ever. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { type BenchCompany, minus, startCompany } from './lib/company.ts'
import { startLoad } from './lib/load.ts'
import { webcamPicture } from './lib/picture.ts'
import { bodyOf, headOf } from './lib/snapshot.ts'
import type { AgentsLoad } from './load/agents.ts'
import type { RequestsLoad } from './load/requests.ts'

const PRINTERS = 20
const CONNECTIONS = 4
const WARM_SECONDS = 6
const SECONDS = 12
const AT_MOST = 50_000
const PRINTS_WITHIN_MS = 60_000
/** So many copies of the rows that came, so that pages and indexes count as they do in a year. */
const ROWS = 50_000

/** Tables that grow with every print; all but the last have a partition for each month. */
const TABLES = ['frames', 'decisions', 'printer_events', 'prints'] as const

async function waitForPrints(company: BenchCompany): Promise<void> {
  const until = performance.now() + PRINTS_WITHIN_MS
  for (;;) {
    const [row] = await company.query(
      'select count(*)::int as prints from printers where current_print_id is not null',
    )
    if (row?.['prints'] === PRINTERS) return
    if (performance.now() > until) throw new Error('not every printer began to print')
    await sleep(250)
  }
}

/** Bytes of a row, its share of pages and indexes included. */
async function sizeOf(company: BenchCompany, table: string): Promise<number> {
  const columns = await company.query(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${table}'
     and is_identity = 'NO' and is_generated = 'NEVER' and column_name <> 'ext_id'`,
  )
  const names = columns.map(({ name }) => `"${String(name)}"`).join(', ')
  const [known] = await company.query(`select count(*)::int as count from ${table}`)
  const count = Number(known?.['count'] ?? 0)
  if (count === 0) return Number.NaN
  await company.query(
    `insert into ${table} (${names}) select ${names} from ${table}, generate_series(1, ${Math.ceil(ROWS / count)})`,
  )
  const [size] = await company.query(
    `select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}')), pg_total_relation_size('${table}'))::float
     / (select count(*) from ${table}) as bytes`,
  )
  return Number(size?.['bytes'])
}

/** What pictures cost, each on a connection of its own, while their printers print and are watched. */
async function pictures(company: BenchCompany): Promise<Measurement[]> {
  const [node] = company.nodes
  if (node === undefined) throw new Error('a company has at least one node')
  const { url } = node.server
  const printers = await company.addPrinters(PRINTERS)
  const [agents, requests] = [startLoad<AgentsLoad>('agents'), startLoad<RequestsLoad>('requests')]
  try {
    // What the detector costs is measured by itself.
    await company.query('update printers set watching_enabled = false')
    const tokens = printers.map((printer) => printer.auth_token)
    await agents.ask('start', { url, tokens, printing: PRINTERS, posting: 0 })
    await waitForPrints(company)
    const body = bodyOf(await webcamPicture(640, 480))
    const heads = tokens.map((token) => headOf(token, url, body.length))
    const options = { url, connections: CONNECTIONS, atMost: AT_MOST, heads, body, isFresh: true }
    await requests.ask('run', { ...options, seconds: WARM_SECONDS })
    const before = await company.used()
    const { answered } = await requests.ask('run', { ...options, seconds: SECONDS })
    const used = minus(await company.used(), before)
    await company.query('update printers set watching_enabled = true')
    await requests.ask('run', { ...options, seconds: SECONDS })
    const each = (value: number) => value / answered
    return [
      { what: 'CPU of the node for a picture', unit: 'µs', values: [each(used.nodes) * 1e6] },
      { what: 'CPU of PostgreSQL for a picture', unit: 'µs', values: [each(used.postgres) * 1e6] },
      { what: 'commands to Redis for a picture', unit: '', values: [each(used.redisCommands)] },
      { what: 'bytes through Redis for a picture', unit: 'B', values: [each(used.redisBytes)] },
      { what: 'transactions for a picture', unit: '', values: [each(used.transactions)] },
      { what: 'WAL for a picture', unit: 'B', values: [each(used.walBytes)] },
    ]
  } finally {
    await Promise.all([agents.end(), requests.end()])
  }
}

const rows: Benchmark = {
  name: 'rows',
  conditions:
    `A node with PostgreSQL and Redis; ${PRINTERS} printers print, and pictures of 640x480 come for them as fast as they are taken, ` +
    `each on a connection of its own, for ${SECONDS} s, of which none is looked at; then as long with looks. Then the rows of each table are copied until there are ${ROWS.toLocaleString('en-US')}: bytes with indexes, by row.`,
  async run(say) {
    const company = await startCompany(1, 1)
    try {
      const costs = await pictures(company)
      const sizes: Measurement[] = []
      for (const table of TABLES) {
        say(`rows of ${table}`)
        sizes.push({ what: `a row of ${table}`, unit: 'B', values: [await sizeOf(company, table)] })
      }
      return [...costs, ...sizes]
    } finally {
      await company.close()
    }
  },
}

export const benchmarks = [rows]
