/** How many agents one node carries, and how many two and four do, each on the same share of a core. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { type BenchCompany, minus, startCompany, type Used } from './lib/company.ts'
import { type Load, startLoad } from './lib/load.ts'
import { quantile } from './lib/numbers.ts'
import type { BenchPrinter } from './lib/server.ts'
import type { AgentsLoad } from './load/agents.ts'
import type { BrowsersLoad } from './load/browsers.ts'

/** A machine of two cores has PostgreSQL, Redis and the load beside four nodes. */
const CORES = Number(process.env['BENCH_CORES'] ?? 0.1)
const NODES = [1, 2, 4] as const
/** Agents of a node at the beginning, and how many more come at a time. */
const FIRST = Number(process.env['BENCH_FIRST'] ?? 200)
const STEP = Number(process.env['BENCH_STEP'] ?? 50)
const SETTLE_MS = 5_000
const WINDOW_MS = 8_000
const MOST_STEPS = 30
/** So many windows a step may have until one is carried. */
const LOOKS = 3
/** Browsers at each node; they show printers of the next one. */
const BROWSERS = 10
/** What docs/benchmarks.md wants of a status on its way. */
const AIM_MS = 500
const AIM_TWO = 1.8

interface Window {
  /** Agents in all. */
  readonly agents: number
  readonly statuses: number
  readonly seconds: number
  readonly p95: number
  /** The share of time in which a node was made to wait for its processor, of the one that waited most. */
  readonly throttled: number
  readonly used: Used
}

interface Crowd {
  readonly company: BenchCompany
  readonly agents: Load<AgentsLoad>
  readonly browsers: Load<BrowsersLoad>
}

/** Agents for each node, and with the first of them browsers at the node beside it. */
async function addAgents({ company, agents, browsers }: Crowd, isFirst: boolean): Promise<void> {
  const { nodes, cookie } = company
  const many = isFirst ? FIRST : STEP
  // That they come is not what is measured.
  for (const { share } of nodes) share.give(1)
  for (const [at, { server }] of nodes.entries()) {
    const printers: BenchPrinter[] = await company.addPrinters(many)
    const tokens = printers.map((printer) => printer.auth_token)
    await agents.ask('start', { url: server.url, tokens, printing: many / 2, posting: 0 })
    if (!isFirst) continue
    const beside = nodes[(at + 1) % nodes.length]?.server ?? server
    // Those whose statuses tell the time exactly (bench/load/agents.ts).
    const exact = printers.filter((_, index) => index % 2 === 0).slice(0, BROWSERS)
    await browsers.ask('start', { url: beside.url, cookie, printerIds: exact.map(({ id }) => id) })
  }
}

async function look({ company, agents, browsers }: Crowd, count: number): Promise<Window> {
  await sleep(SETTLE_MS)
  for (const { share } of company.nodes) share.give(CORES)
  await sleep(SETTLE_MS)
  for (const { share } of company.nodes) share.throttled()
  const [before, from] = [await agents.ask('read'), await company.used()]
  await browsers.ask('take')
  const began = performance.now()
  await sleep(WINDOW_MS)
  const seconds = (performance.now() - began) / 1000
  const [after, to] = [await agents.ask('read'), await company.used()]
  const { ages } = await browsers.ask('take')
  return {
    agents: count,
    statuses: after.statuses - before.statuses,
    seconds,
    p95: quantile(ages, 0.95),
    throttled: Math.max(...company.nodes.map(({ share }) => share.throttled())),
    used: minus(to, from),
  }
}

/** One window that is carried, or the last of several: what those who have just come still have to say is over at some time. */
async function carriedOf(crowd: Crowd, count: number): Promise<Window> {
  let window = await look(crowd, count)
  for (let again = 1; again < LOOKS && !(window.p95 < AIM_MS); again++) window = await look(crowd, count)
  return window
}

/** The last step that was carried; null when the first was not: the machine may have no processor left for so many. */
async function carriedBy(count: number, say: (line: string) => void): Promise<Window | null> {
  const company = await startCompany(count, CORES)
  const crowd: Crowd = {
    company,
    agents: startLoad<AgentsLoad>('agents'),
    browsers: startLoad<BrowsersLoad>('browsers'),
  }
  let carried: Window | null = null
  try {
    for (let step = 1; step <= MOST_STEPS; step++) {
      await addAgents(crowd, step === 1)
      const window = await carriedOf(crowd, (FIRST + (step - 1) * STEP) * count)
      const { agents, p95, throttled, statuses, seconds, used } = window
      say(
        `${count} nodes, ${agents} agents: p95 ${p95.toFixed(0)} ms, ${(statuses / seconds).toFixed(0)} statuses a second, ` +
          `made to wait ${(throttled * 100).toFixed(0)} %; cores: nodes ${(used.nodes / seconds).toFixed(2)}, ` +
          `PostgreSQL ${(used.postgres / seconds).toFixed(2)}, Redis ${(used.redis / seconds).toFixed(2)}`,
      )
      // Who hears nothing has no age: that is not carried either.
      if (!(p95 < AIM_MS)) break
      carried = window
    }
  } finally {
    await Promise.all([crowd.agents.end(), crowd.browsers.end()])
    await company.close()
  }
  return carried
}

/** What one status costs, of a window. */
function costs(count: number, { statuses, seconds, used, p95, agents }: Window): Measurement[] {
  const on = count === 1 ? 'one node' : `${count} nodes`
  const each = (value: number) => value / statuses
  return [
    { what: `agents on ${on}`, unit: '', values: [agents] },
    { what: `${on}: agent to browser, p95`, unit: 'ms', values: [p95] },
    { what: `${on}: statuses a second`, unit: '/s', values: [statuses / seconds] },
    { what: `${on}: CPU of the nodes for a status`, unit: 'µs', values: [each(used.nodes) * 1e6] },
    { what: `${on}: CPU of PostgreSQL for a status`, unit: 'µs', values: [each(used.postgres) * 1e6] },
    { what: `${on}: CPU of Redis for a status`, unit: 'µs', values: [each(used.redis) * 1e6] },
    { what: `${on}: commands to Redis for a status`, unit: '', values: [each(used.redisCommands)] },
    { what: `${on}: bytes through Redis for a status`, unit: 'B', values: [each(used.redisBytes)] },
    { what: `${on}: transactions for a status`, unit: '', values: [each(used.transactions)] },
    { what: `${on}: WAL for a status`, unit: 'B', values: [each(used.walBytes)] },
  ]
}

const growth: Benchmark = {
  name: 'growth',
  conditions:
    `One, two and four nodes (ROLE=all) on one PostgreSQL and one Redis, each node on ${CORES} of a core (cgroup, 20 ms at a time, while what is said is measured; they come on a whole one; PostgreSQL, Redis and load have the ` +
    `rest of the machine). Agents of both kinds, half of them printing, say a status a second; ${FIRST} a node come first and ${STEP} more at a time, and ${BROWSERS} browsers at each node show printers of the next. ` +
    `Carried is what the last step had in which a status took less than ${AIM_MS} ms to a browser (p95 of ${WINDOW_MS / 1000} s, the best of ${LOOKS} in a row).`,
  async run(say) {
    const windows = new Map<number, Window>()
    for (const count of NODES) {
      const window = await carriedBy(count, say)
      if (window === null) say(`${count} nodes do not carry ${FIRST} agents each`)
      else windows.set(count, window)
    }
    const one = windows.get(1)?.agents
    if (one === undefined) throw new Error(`one node does not carry ${FIRST} agents`)
    const times = (count: number) => {
      const agents = windows.get(count)?.agents
      return agents === undefined ? [] : [agents / one]
    }
    return [
      ...[...windows].flatMap(([count, window]) => costs(count, window)),
      ...times(2).map((value) => ({
        what: 'two nodes carry, of what one does',
        unit: 'times',
        values: [value],
        aim: { above: AIM_TWO },
      })),
      ...times(4).map((value) => ({
        what: 'four nodes carry, of what one does',
        unit: 'times',
        values: [value],
      })),
    ]
  },
}

export const benchmarks = [growth]
