import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { CALLS, measureCall, RUNS } from './lib/calls.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const PRINTERS = 20
const PRINTS = 10_000
/** Of other accounts, so that a list has something to pass by. */
const OTHERS = 200_000
const AIM_MS = 100
/** At 60 frames a second. */
const FRAME_MS = 1000 / 60

/** Prints of five years, as farms make them: some cancelled, few alerted or filmed, those of the others in between. */
const rows = (userId: string, printers: string, count: number) => `
  insert into prints (user_id, printer_id, filename, started_at, finished_at, cancelled_at, alerted_at, tagged_video,
    alert_overwrite, print_time, filament_used)
  select ${userId}, (${printers})[1 + n % ${PRINTERS}], 'part_' || n || '.gcode', at,
    case when n % 8 > 0 then at + interval '1 hour' end, case when n % 8 = 0 then at + interval '20 minutes' end,
    case when n % 50 = 0 then at end, case when n % 3 = 0 then '{"container":"tsd-timelapses","path":"x.mp4"}'::jsonb end,
    case when n % 300 > 0 then 'NOT_FAILED' end, 3600, 5000
  from generate_series(1, ${count}) n, lateral (select now() - (n * 1800 || ' minutes')::interval / 10 as at) t`

async function fill(server: BenchServer, printerIds: readonly number[]): Promise<void> {
  await server.query(`insert into users (email) values ('other@example.org')`)
  const other = `(select id from users where email = 'other@example.org')`
  await server.query(`insert into printers (user_id, name, auth_token)
    select ${other}, 'Other', 'other' || n from generate_series(1, ${PRINTERS}) n`)
  await server.query(rows(other, `array(select id from printers where user_id = ${other})`, OTHERS / 2))
  const own = `(select user_id from printers where id = ${printerIds[0]})`
  await server.query(rows(own, `array[${printerIds.join(',')}]`, PRINTS))
  await server.query(rows(other, `array(select id from printers where user_id = ${other})`, OTHERS / 2))
  await server.query('analyze prints')
}

const DAYS = 'from_date=2026-01-01&to_date=2026-12-31&timezone=Europe/Berlin'

/** What the history asks, and what the oldest clients do. */
const questions = (middle: number, first: number) =>
  [
    ['newest 24', 'prints/?limit=24'],
    ['24 after the 5000th', `prints/?limit=24&after=${middle}`],
    ['24 from the 9900th by start', 'prints/?limit=24&start=9900'],
    ['200, a piece of reading all', `prints/?limit=200&after=${middle}`],
    ['24 cancelled on two printers', `prints/?limit=24&filter=cancelled&filter_by_printer_ids[]=${first}`],
    [
      '24 without a verdict, oldest first',
      'prints/?limit=24&sorting=date_asc&feedback_needed=need_alert_overwrite',
    ],
    ['24 of a year', `prints/?limit=24&${DAYS}`],
    [
      '24 asking about pictures, of which there are none',
      'prints/?limit=24&feedback_needed=need_print_shot_feedback',
    ],
    ['totals', 'prints/totals/?timezone=Europe/Berlin'],
    ['totals of a year', `prints/totals/?${DAYS}`],
    ['totals without a verdict', 'prints/totals/?feedback_needed=need_alert_overwrite'],
  ] as const

async function measureBrowser(server: BenchServer, cookie: string): Promise<Measurement[]> {
  // The browser is loaded for this benchmark alone.
  const { measureScroll } = await import('../web/dev/historyScroll.ts')
  const { readS, elements, wheel, bar } = await measureScroll(server.url, cookie, PRINTS)
  return [
    { what: 'page: all prints read into it', unit: 's', values: [readS] },
    { what: 'page: elements that are drawn', unit: '', values: [elements] },
    {
      what: 'page: main thread for a frame, 150 px each',
      unit: 'ms',
      values: [wheel.mainMs],
      aim: { below: FRAME_MS },
    },
    { what: `page: frames over 50 ms, of ${wheel.frames}`, unit: '', values: [wheel.slow] },
    { what: 'page: the same where each frame shows other prints', unit: 'ms', values: [bar.mainMs] },
    { what: `page: frames over 50 ms, of ${bar.frames}`, unit: '', values: [bar.slow] },
  ]
}

const prints: Benchmark = {
  name: 'prints',
  conditions:
    `An account with ${PRINTS} prints of ${PRINTERS} printers among ${OTHERS} of others; one call at a time, from fetch to the ` +
    `last byte, ${RUNS} runs of ${CALLS} calls. Then the history in chromium, 1440x900, no GPU: all prints are read into the page, ` +
    'which is scrolled as by a fast wheel, then from end to end within 400 frames. The client is that of web/dist.',
  async run(say) {
    const server = await startBenchServer()
    try {
      const cookie = await server.signIn()
      const ids = (await server.addPrinters(PRINTERS)).map(({ id }) => id)
      await fill(server, ids)
      const [row] = await server.query(
        `select id from prints where printer_id = any(array[${ids.join(',')}]) order by id offset ${PRINTS / 2} limit 1`,
      )
      say(`${PRINTS} prints`)
      const measured: Measurement[] = []
      for (const [what, path] of questions(Number(row?.['id']), ids[0] ?? 0))
        measured.push(...(await measureCall(server, cookie, { what, path, below: AIM_MS })))
      return [...measured, ...(await measureBrowser(server, cookie))]
    } finally {
      await server.stop()
    }
  },
}

export const benchmarks = [prints]
