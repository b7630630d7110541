import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { CALLS, measureCall, RUNS } from './lib/calls.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const PRINTERS = 20
const PRINTS = 10_000
const EVENTS = 100_000
/** Of other accounts, so that there is something to pass by. */
const OTHERS = 300_000
const MONTHS = 24
const LIST_MS = 100
const STATS_MS = 200

const OTHER = `(select id from users where email = 'other@example.org')`
const ofOther = `array(select id from printers where user_id = ${OTHER})`

/** Prints of two years. */
const prints = (userId: string, printers: string, count: number) => `
  insert into prints (user_id, printer_id, filename, started_at, finished_at, cancelled_at, print_time, filament_used)
  select ${userId}, (${printers})[1 + n % ${PRINTERS}], 'part_' || n || '.gcode', at,
    case when n % 8 > 0 then at + interval '1 hour' end, case when n % 8 = 0 then at + interval '20 minutes' end, 3600, 5000
  from generate_series(1, ${count}) n, lateral (select now() - n * interval '${MONTHS - 1} months' / ${count} as at) t`

/** Events of two years: seldom a failure, and errors alone in the oldest months. */
const events = (userId: string, printers: string, count: number) => `
  insert into printer_events (user_id, printer_id, event_type, event_class, code, params, created_at)
  select ${userId}, (${printers})[1 + n % ${PRINTERS}],
    (array['STARTED', 'ENDED', 'PAUSED', 'RESUMED', 'FILAMENT_CHANGE'])[1 + n % 5],
    case when n > ${count * 0.999} then 'ERROR' when n % 5 = 1 then 'SUCCESS' else 'INFO' end,
    'print_started', '{"printer": "Ender", "file": "part.gcode"}',
    now() - n * interval '${MONTHS - 1} months' / ${count}
  from generate_series(1, ${count}) n`

async function fill(server: BenchServer, printerIds: readonly number[]): Promise<void> {
  await server.query(`insert into users (email) values ('other@example.org')`)
  await server.query(`insert into printers (user_id, name, auth_token)
    select ${OTHER}, 'Other', 'other' || n from generate_series(1, ${PRINTERS}) n`)
  await server.query(`select ensure_partitions((now() - n * interval '1 month')::date)
    from generate_series(0, ${MONTHS}) n`)
  const own = `(select user_id from printers where id = ${printerIds[0]})`
  const ids = `array[${printerIds.join(',')}]`
  await server.query(prints(OTHER, ofOther, OTHERS))
  await server.query(prints(own, ids, PRINTS))
  await server.query(events(OTHER, ofOther, OTHERS))
  await server.query(events(own, ids, EVENTS))
  await server.query('vacuum analyze prints, printer_events')
}

const YEARS = 'from_date=2023-11-01&to_date=2026-12-31&timezone=America/New_York&with_deleted=true'

const questions = (first: number) =>
  [
    ['events: newest 12', 'printer_events/?limit=12', LIST_MS],
    ['events: 12 from the 50,000th by start', 'printer_events/?start=50000', LIST_MS],
    ['events: the last 12 by start', `printer_events/?start=${EVENTS - 12}`, LIST_MS],
    ['events: errors, which lie in the oldest months', 'printer_events/?filter_by_classes[]=ERROR', LIST_MS],
    ['events: failures, of which there are none', 'printer_events/?filter_by_types[]=ALERT', LIST_MS],
    ['stats by day, three years', `prints/stats/?${YEARS}&group_by=day`, STATS_MS],
    ['stats by month', `prints/stats/?${YEARS}&group_by=month`, STATS_MS],
    [
      'stats by week, cancelled on one printer',
      `prints/stats/?${YEARS}&group_by=week&filter=cancelled&filter_by_printer_ids[]=${first}`,
      STATS_MS,
    ],
  ] as const

const stats: Benchmark = {
  name: 'stats',
  conditions:
    `An account with ${PRINTS} prints and ${EVENTS} events of ${PRINTERS} printers in two years, among ${OTHERS} of each of others; one ` +
    `call at a time, from fetch to the last byte, ${RUNS} runs of ${CALLS} calls.`,
  async run(say) {
    const server = await startBenchServer()
    try {
      const cookie = await server.signIn()
      const ids = (await server.addPrinters(PRINTERS)).map(({ id }) => id)
      await fill(server, ids)
      say(`${PRINTS} prints, ${EVENTS} events`)
      const measured: Measurement[] = []
      for (const [what, path, below] of questions(ids[0] ?? 0))
        measured.push(...(await measureCall(server, cookie, { what, path, below })))
      return measured
    } finally {
      await server.stop()
    }
  },
}

export const benchmarks = [stats]
