/** What plans and hours cost: whether somebody may, what was watched booked, a long statement. */
import { withContext } from '../server/cli/context.ts'
import { readConfig } from '../server/config.ts'
import type { Ctx } from '../server/ctx.ts'
import type { PrintId, UserId } from '../server/lib/id.ts'
import { entitlementsOf } from '../server/modules/shop/entitlements/index.ts'
import { bookPrint } from '../server/modules/shop/hours/index.ts'
import type { Benchmark } from './lib/benchmark.ts'
import { cpuOf } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const RUNS = 5
const CHECKS = 200_000
const AIM_CHECK_MICROSECONDS = 50
const AGENTS = 4_000
/** A print of an hour is a short one. */
const PRINT_SECONDS = 3_600
const OWNERS = 100
const BOOKINGS = 500
const AIM_PERCENT = 2
const ROWS = 100_000
const PAGES = 30
const AIM_PAGE_MS = 50

const ENTERPRISE = { IS_ENT: 'true' }

async function withServer<T>(work: (server: BenchServer, ctx: Ctx) => Promise<T>): Promise<T> {
  const server = await startBenchServer({ env: ENTERPRISE })
  try {
    const config = readConfig({ ...ENTERPRISE, VIGIL_DATA: server.dataFolder })
    return await withContext(config, (ctx) => work(server, ctx))
  } finally {
    await server.stop()
  }
}

const entitlements: Benchmark = {
  name: 'plans-check',
  conditions: `What an account may have, asked in the process that decides (entitlementsOf); ${RUNS} runs of ${CHECKS} accounts, every other one on Pro, of two brands.`,
  run() {
    const ctx = { config: readConfig({ ...ENTERPRISE, VIGIL_DATA: '/nowhere' }) }
    const values = Array.from({ length: RUNS }, () => {
      let sharing = 0
      const began = performance.now()
      for (let at = 0; at < CHECKS; at++) {
        const account = { isPro: at % 2 === 0, brand: at % 4 < 2 ? 'base' : 'yumi' }
        if (entitlementsOf(ctx, account).sharing) sharing++
      }
      const took = performance.now() - began
      if (sharing !== CHECKS / 2) throw new Error(`${sharing} may share`)
      return (took / CHECKS) * 1000
    })
    return Promise.resolve([
      { what: 'one entitlement check', unit: 'µs', values, aim: { below: AIM_CHECK_MICROSECONDS } },
    ])
  },
}

/** Accounts with hours to spend, and a print of each booking. */
async function prints(server: BenchServer): Promise<{ userId: UserId; printId: PrintId }[]> {
  await server.query(`
    insert into users (email, first_name, last_name, consented_at)
    select 'owner' || n || '@example.org', 'Owner', n::text, now() from generate_series(1, ${OWNERS}) n`)
  await server.query(
    `insert into hour_balances (user_id, bucket, seconds) select id, 'included', 100000000 from users`,
  )
  await server.query(`
    insert into prints (user_id, filename, started_at, finished_at)
    select u.id, 'bench.gcode', now(), now() from users u, generate_series(1, ${(RUNS * BOOKINGS) / OWNERS}) n
    where u.first_name = 'Owner'`)
  const rows = await server.query('select id as "printId", user_id as "userId" from prints order by random()')
  return rows as unknown as { userId: UserId; printId: PrintId }[]
}

const booking: Benchmark = {
  name: 'plans-booking',
  conditions:
    `Prints that are over, each booked in a transaction of its own as the server does; ${RUNS} runs of ${BOOKINGS} of ${OWNERS} owners, two at once. ` +
    `Of ${AGENTS.toLocaleString('en-US')} printing agents whose prints take an hour, ${(AGENTS / PRINT_SECONDS).toFixed(1)} end a second.`,
  run: () =>
    withServer(async (server, ctx) => {
      const all = await prints(server)
      const costs: number[] = []
      for (let run = 0; run < RUNS; run++) {
        const mine = all.slice(run * BOOKINGS, (run + 1) * BOOKINGS)
        const [node, postgres] = [process.cpuUsage(), cpuOf(server.pid).postgres]
        const line = async () => {
          for (let one = mine.pop(); one !== undefined; one = mine.pop()) {
            const print = { ...one, seconds: PRINT_SECONDS }
            await ctx.db.transaction().execute((db) => bookPrint({ ...ctx, db }, print))
          }
        }
        await Promise.all([line(), line()])
        const used = process.cpuUsage(node)
        const seconds = (used.user + used.system) / 1e6 + cpuOf(server.pid).postgres - postgres
        costs.push(seconds / BOOKINGS)
      }
      const [booked] = await server.query(`select count(*)::int as count from hour_transactions`)
      if (booked?.['count'] !== RUNS * BOOKINGS) throw new Error(`${String(booked?.['count'])} were booked`)
      return [
        { what: 'CPU of one booking', unit: 'ms', values: costs.map((seconds) => seconds * 1000) },
        {
          what: `of a core, for ${AGENTS.toLocaleString('en-US')} printing agents`,
          unit: '%',
          values: costs.map((seconds) => (seconds * AGENTS * 100) / PRINT_SECONDS),
          aim: { below: AIM_PERCENT },
        },
      ]
    }),
}

const statement: Benchmark = {
  name: 'plans-statement',
  conditions: `GET /ent/api/detection_hours/transactions/ of an account with ${ROWS.toLocaleString('en-US')} rows, half of them of prints; ${PAGES} calls, one after the other.`,
  async run() {
    const server = await startBenchServer({ env: ENTERPRISE })
    try {
      const cookie = await server.signIn()
      await server.query(`
        insert into prints (user_id, filename, started_at, finished_at)
        select 1, 'bench.gcode', now(), now() from generate_series(1, ${ROWS / 2})`)
      await server.query(`
        insert into hour_transactions (user_id, kind, bucket, seconds, balance_after, reason, print_id, idempotency_key)
        select 1, 'usage', 'included', -60, 0, 'watched', case when n % 2 = 0 then n / 2 end, 'bench' || n
        from generate_series(1, ${ROWS}) n`)
      await server.query('analyze hour_transactions, prints')
      const values: number[] = []
      for (let page = 0; page < PAGES; page++) {
        const began = performance.now()
        const answer = await fetch(`${server.url}/ent/api/detection_hours/transactions/`, {
          headers: { cookie },
        })
        const rows = (await answer.json()) as unknown[]
        if (rows.length !== 24) throw new Error(`${answer.status}: ${rows.length} rows`)
        values.push(performance.now() - began)
      }
      return [{ what: 'first page of a statement', unit: 'ms', values, aim: { below: AIM_PAGE_MS } }]
    } finally {
      await server.stop()
    }
  },
}

export const benchmarks = [entitlements, booking, statement]
