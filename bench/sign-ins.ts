import type { Benchmark } from './lib/benchmark.ts'
import { watchCrowd } from './lib/crowd.ts'
import { startLoad } from './lib/load.ts'
import { quantile } from './lib/numbers.ts'
import { cpuOf } from './lib/processes.ts'
import { startBenchServer } from './lib/server.ts'
import type { RequestsLoad } from './load/requests.ts'

const AGENTS = 100
const CONNECTIONS = 50
const TRIES = 20_000
const RUNS = 5
const RUN_SECONDS = 4
/** Longer than what is looked at of a crowd. */
const FLOOD_SECONDS = 11
const AIM_CPU_MS = 150
const AIM_DELAY_MS = 20

/** Wrong passwords, each for another account and from another address, as no limit stops them. */
function tries(url: string, from: number): string[] {
  const { host } = new URL(url)
  return Array.from({ length: TRIES }, (_, i) => {
    const n = from + i
    const body = JSON.stringify({ email: `nobody-${n}@example.org`, password: `a wrong guess ${n}` })
    const address = `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}`
    const head = `POST /api/v1/auth/login/ HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json`
    return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  })
}

/** Processor time of one, while nothing else is done. */
async function cost(): Promise<{ cpu: number[]; rates: number[] }> {
  const server = await startBenchServer()
  const flood = startLoad<RequestsLoad>('requests')
  const [cpu, rates]: [number[], number[]] = [[], []]
  try {
    for (let run = 0; run <= RUNS; run++) {
      const before = cpuOf(server.pid)
      const { answered, seconds } = await flood.ask('run', {
        url: server.url,
        connections: CONNECTIONS,
        atMost: TRIES,
        seconds: RUN_SECONDS,
        heads: tries(server.url, run * TRIES),
        status: 400,
      })
      const after = cpuOf(server.pid)
      // The first warms up.
      if (run === 0) continue
      cpu.push(((after.node + after.postgres - before.node - before.postgres) / answered) * 1000)
      rates.push(answered / seconds)
    }
    return { cpu, rates }
  } finally {
    await flood.end()
    await server.stop()
  }
}

const signIns: Benchmark = {
  name: 'sign-ins',
  conditions:
    `Wrong passwords over ${CONNECTIONS} connections, each for another account and from another address. First alone, ${RUNS} runs of ${RUN_SECONDS} s; then in every other ` +
    `window of 10 s beside ${AGENTS} agents, each a status a second, and the browsers that show half of them. A delay is how much later the statuses of a window with the flood ` +
    "came than those of the window before it; the load generators' own are in it.",
  async run(say) {
    const { cpu, rates } = await cost()
    const flood = startLoad<RequestsLoad>('requests')
    const flooding: { now: Promise<unknown> | null } = { now: null }
    let floods = 0
    try {
      const windows = await watchCrowd({
        agents: AGENTS,
        say,
        async before(window, { url }) {
          await flooding.now
          flooding.now = null
          if (window % 2 === 0) return
          const heads = tries(url, ++floods * TRIES)
          flooding.now = flood.ask('run', {
            url,
            connections: CONNECTIONS,
            atMost: TRIES,
            seconds: FLOOD_SECONDS,
            heads,
            status: 400,
          })
          flooding.now.catch(() => undefined)
        },
      })
      await flooding.now
      const later = (share: number) =>
        windows.flatMap(({ ages }, at) => {
          const calm = windows[at - 1]
          return at % 2 === 0 || calm === undefined
            ? []
            : [quantile(ages, share) - quantile(calm.ages, share)]
        })
      return [
        { what: 'CPU for a sign-in', unit: 'ms', values: cpu, aim: { below: AIM_CPU_MS } },
        { what: 'sign-ins that are looked at', unit: '/s', values: rates },
        { what: 'statuses come later, p50', unit: 'ms', values: later(0.5), aim: { below: AIM_DELAY_MS } },
        { what: 'statuses come later, p95', unit: 'ms', values: later(0.95), aim: { below: AIM_DELAY_MS } },
        { what: 'statuses come later, p99', unit: 'ms', values: later(0.99) },
      ]
    } finally {
      await flood.end()
    }
  },
}

export const benchmarks = [signIns]
