/** What one request through the tunnel costs the server, and how many it carries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotMeasure, type Benchmark, type Measurement } from './lib/benchmark.ts'
import { startLoad } from './lib/load.ts'
import { quantile } from './lib/numbers.ts'
import { cpuOf } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'
import { type BenchTunnel, type Client, openTunnel } from './lib/tunnel.ts'
import type { RequestsLoad } from './load/requests.ts'

const RUNS = 5
const RUN_SECONDS = 3
const CONNECTIONS = 8
const AT_MOST = 20_000
/** Small requests beside a download, in each run. */
const BESIDE = 25
const DOWNLOADS = 3
/** As G-code lies with Moonraker. */
const FILE = '/server/files/file'

async function withTunnel<T>(
  options: Pick<Parameters<typeof openTunnel>[0], 'agent' | 'isSlow'>,
  work: (server: BenchServer, tunnel: BenchTunnel) => Promise<T>,
): Promise<T> {
  const server = await startBenchServer()
  try {
    const cookie = await server.signIn()
    const [printer] = await server.addPrinters(1)
    if (printer === undefined) throw new CannotMeasure('no printer was added')
    const tunnel = await openTunnel({ url: server.url, cookie, printer, ...options })
    try {
      return await work(server, tunnel)
    } finally {
      tunnel.end()
    }
  } finally {
    await server.stop()
  }
}

/** The same path again and again, over several connections: how often a second, and the processor time of one in milliseconds. */
async function carried(server: BenchServer, tunnel: BenchTunnel, path: string) {
  const requests = startLoad<RequestsLoad>('requests')
  const heads = [tunnel.head(server.url, path)]
  const options = { url: server.url, connections: CONNECTIONS, atMost: AT_MOST, heads }
  const [rates, costs]: [number[], number[]] = [[], []]
  try {
    await requests.ask('run', { ...options, seconds: 2 })
    for (let run = 0; run < RUNS; run++) {
      const before = cpuOf(server.pid)
      const { answered, seconds } = await requests.ask('run', { ...options, seconds: RUN_SECONDS })
      const after = cpuOf(server.pid)
      rates.push(answered / seconds)
      costs.push(((after.node + after.postgres - before.node - before.postgres) / answered) * 1000)
    }
  } finally {
    await requests.end()
  }
  return { rates, costs }
}

const packed: Benchmark = {
  name: 'tunnel-packed',
  conditions:
    `One path of a printer's page through the tunnel over ${CONNECTIONS} connections, ${RUNS} runs of ${RUN_SECONDS} s: 1 MB of text that the agent has packed (to about a third), ` +
    'asked for as a browser does, and 640 bytes. The agent has its answers ready, so that it takes no processor from the server.',
  run: () =>
    withTunnel({ agent: 'packed-agent' }, async (server, tunnel) => {
      const large = await carried(server, tunnel, '/megabyte')
      const small = await carried(server, tunnel, '/small')
      return [
        { what: '1 MB, packed', unit: '/s', values: large.rates, aim: { above: 250 } },
        { what: 'CPU of the server for one', unit: 'ms', values: large.costs },
        { what: 'small', unit: '/s', values: small.rates },
        { what: 'CPU of the server for one small', unit: 'ms', values: small.costs },
      ] satisfies Measurement[]
    }),
}

/** How long small requests take, one after the other, while a file comes. */
async function beside(through: Client): Promise<number[]> {
  const answer = await through.open(FILE)
  answer.on('error', () => undefined).resume()
  const times: number[] = []
  while (times.length < BESIDE && !answer.complete) {
    const from = performance.now()
    await through.read('/small')
    times.push(performance.now() - from)
  }
  answer.destroy()
  return times
}

const shared: Benchmark = {
  name: 'tunnel-beside',
  conditions:
    `A small request through the tunnel, one after the other, while 10 MB come through the same: ${DOWNLOADS} downloads, of which ${BESIDE} requests at most are looked at. ` +
    'At 4 Mbit/s what the agent says passes at that rate; else as fast as the machine, on which the agent packs as well.',
  async run() {
    const measure = (isSlow: boolean) =>
      withTunnel({ isSlow }, async (server, tunnel) => {
        const through = tunnel.through(server.url)
        const runs: number[][] = []
        for (let run = 0; run < DOWNLOADS; run++) runs.push(await beside(through))
        // A page that was used a moment ago still counts as used.
        await sleep(2_000)
        const whole = performance.now()
        if (!isSlow) await through.read(FILE)
        return { runs, seconds: (performance.now() - whole) / 1000 }
      })
    const [slow, fast] = [await measure(true), await measure(false)]
    const at = (runs: number[][], share: number) => runs.map((times) => quantile(times, share))
    return [
      {
        what: 'small beside 10 MB at 4 Mbit/s, p50',
        unit: 'ms',
        values: at(slow.runs, 0.5),
        aim: { below: 50 },
      },
      { what: 'small beside 10 MB at 4 Mbit/s, p95', unit: 'ms', values: at(slow.runs, 0.95) },
      { what: 'small beside 10 MB, p50', unit: 'ms', values: at(fast.runs, 0.5), aim: { below: 50 } },
      { what: 'small beside 10 MB, p95', unit: 'ms', values: at(fast.runs, 0.95) },
      { what: '10 MB alone', unit: 's', values: [fast.seconds] },
    ] satisfies Measurement[]
  },
}

export const benchmarks = [packed, shared]
