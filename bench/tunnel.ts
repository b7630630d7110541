import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRedis } from '../server/test/faults/nodes.ts'
import { type Benchmark, CannotMeasure, type Measurement } from './lib/benchmark.ts'
import { median } from './lib/numbers.ts'
import { memoryOfServing } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'
import { type Client, openTunnel } from './lib/tunnel.ts'

const MB = 1_048_576
const RUNS = 5
const CALLS = 100
const BURST = 120
const UPLOAD = Buffer.alloc(40 * MB, 1)

/** As G-code lies with Moonraker. */
const FILE = '/server/files/file'

/** What a browser asks for that has nothing yet: files by their content, others of the program, and what changes. */
const COLD = [
  '/',
  ...Array.from({ length: 90 }, (_, at) => `/assets/part-60000-${at}-Ab12Cd34.js`),
  ...Array.from({ length: 10 }, (_, at) => `/img/part-8000-${at}.svg`),
  ...Array.from({ length: 45 }, (_, at) => `/part-18000-${at}.json`),
]

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function runs(work: () => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let run = 0; run < RUNS; run++) values.push(await work())
  return values
}

/** What a small request costs beyond the printer's page itself, tunnel and page in turn. */
const added = (direct: Client, through: Client) => async () => {
  const [bare, carried]: [number[], number[]] = [[], []]
  for (let call = 0; call < CALLS; call++) {
    bare.push(await timed(() => direct.read('/small')))
    carried.push(await timed(() => through.read('/small')))
  }
  return median(carried) - median(bare)
}

/** How many of many requests at once were lost; each time files that nobody has asked for yet. */
function burst(through: Client) {
  let turn = 0
  return async () => {
    turn++
    const all = Array.from({ length: BURST }, (_, at) => through.read(`/part-59000-${at}.js?${turn}`))
    return (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected').length
  }
}

const upload = (through: Client) => async () => (await timed(() => through.read('/upload', UPLOAD))) / 1000

async function firstByte(through: Client): Promise<number> {
  const from = performance.now()
  const answer = await through.open(FILE)
  answer.on('error', () => undefined)
  for await (const _ of answer) break
  answer.destroy()
  return performance.now() - from
}

/** Bytes on the agent's socket while a browser without anything loads the page, in megabytes. */
async function coldLoad(server: BenchServer, cookie: string, through: Client): Promise<number> {
  const carried = async () => {
    const answer = await fetch(`${server.url}/api/v1/tunnelusage/`, { headers: { cookie } })
    return ((await answer.json()) as { total: number }).total
  }
  const before = await carried()
  await Promise.all(COLD.map((path) => through.read(path)))
  return ((await carried()) - before) / MB
}

/** The same while 40 MB go up: how much more memory the server takes than before. */
async function peakOf(server: BenchServer, work: () => Promise<unknown>): Promise<number> {
  const before = memoryOfServing(server.pid).own
  let most = before
  let isOver = false
  const done = work().finally(() => (isOver = true))
  while (!isOver) {
    most = Math.max(most, memoryOfServing(server.pid).own)
    await sleep(50)
  }
  await done
  return (most - before) / MB
}

const tunnel: Benchmark = {
  name: 'tunnel',
  conditions:
    `The server as \`./vigil up\` starts it; a simulated agent with the page behind it is a process of its own, and the benchmark an app with a tunnel, over HTTP on loopback. ` +
    `${RUNS} runs, a small request ${CALLS} times each, tunnel and page in turn. At 4 Mbit/s: what the agent says passes at that rate. A cold load asks for ${COLD.length} ` +
    'addresses at once (90 files named by their content and 10 others, 2 MB on the line, and 45 that are asked for anew, 0.3 MB), as a browser that has nothing does; the second one is another browser.',
  async run() {
    const server = await startBenchServer()
    try {
      const cookie = await server.signIn()
      const [one, other] = await server.addPrinters(2)
      if (one === undefined || other === undefined) throw new CannotMeasure('no printers were added')
      const fast = await openTunnel({ url: server.url, cookie, printer: one })
      const through = fast.through(server.url)
      const small = added(fast.direct, through)
      await small()
      const smalls = await runs(small)
      const bursts = await runs(burst(through))
      const loads = [
        await coldLoad(server, cookie, through),
        await coldLoad(server, cookie, through),
      ] as const
      await sleep(2_000)
      await upload(through)()
      const afterFirst = memoryOfServing(server.pid).own
      const uploads = await runs(upload(through))
      const downloads = await runs(async () => (await timed(() => through.read(FILE))) / 1000)
      await sleep(2_000)
      const grown = (memoryOfServing(server.pid).own - afterFirst) / MB
      const peak = await peakOf(server, upload(through))
      fast.end()
      const slow = await openTunnel({ url: server.url, cookie, printer: other, isSlow: true })
      const firsts: number[] = []
      for (let run = 0; run < RUNS; run++) {
        // The part that was asked for ahead is on its way still.
        await sleep(1_500)
        firsts.push(await firstByte(slow.through(server.url)))
      }
      slow.end()
      return [
        { what: 'added to a small request', unit: 'ms', values: smalls, aim: { below: 3 } },
        { what: `lost of ${BURST} requests at once`, unit: '', values: bursts, aim: { below: 1 } },
        { what: 'first byte of 10 MB at 4 Mbit/s', unit: 'ms', values: firsts, aim: { below: 100 } },
        { what: 'upload of 40 MB', unit: 's', values: uploads, aim: { below: 1 } },
        { what: 'download of 10 MB', unit: 's', values: downloads },
        {
          what: 'memory after 5 uploads and 5 downloads, beyond that after one',
          unit: 'MB',
          values: [grown],
          aim: { below: 64 },
        },
        {
          what: 'memory while 40 MB go up, beyond that before',
          unit: 'MB',
          values: [peak],
          aim: { below: 100 },
        },
        { what: 'first cold load, on the agent’s line', unit: 'MB', values: [loads[0]] },
        {
          what: 'second cold load, of the first one’s bytes',
          unit: '%',
          values: [(loads[1] / loads[0]) * 100],
          aim: { below: 20 },
        },
      ] satisfies Measurement[]
    } finally {
      await server.stop()
    }
  },
}

const nodes: Benchmark = {
  name: 'tunnel-nodes',
  conditions:
    'The same with two servers on one PostgreSQL and one Redis, all on this machine: the agent is at the first, the app asks the second.',
  async run() {
    const redis = await openRedis()
    if (redis === null) throw new CannotMeasure('redis-server is not installed')
    const shared = { REDIS_URL: redis.url, VIGIL_SECRET: randomBytes(32).toString('hex') }
    const first = await startBenchServer({ env: shared })
    const host = encodeURIComponent(`${first.dataFolder}/run`)
    const DATABASE_URL = `postgres://vigil@localhost/vigil?host=${host}`
    const second = await startBenchServer({ env: { ...shared, DATABASE_URL } })
    try {
      const cookie = await first.signIn()
      const [printer] = await first.addPrinters(1)
      if (printer === undefined) throw new CannotMeasure('no printer was added')
      const { direct, through: way, end } = await openTunnel({ url: first.url, cookie, printer })
      const through = way(second.url)
      const small = added(direct, through)
      await small()
      const measured: Measurement[] = [
        { what: 'two nodes: added to a small request', unit: 'ms', values: await runs(small) },
        {
          what: `two nodes: lost of ${BURST} requests at once`,
          unit: '',
          values: await runs(burst(through)),
          aim: { below: 1 },
        },
        { what: 'two nodes: upload of 40 MB', unit: 's', values: await runs(upload(through)) },
        {
          what: 'two nodes: download of 10 MB',
          unit: 's',
          values: await runs(async () => (await timed(() => through.read(FILE))) / 1000),
        },
      ]
      end()
      return measured
    } finally {
      await second.stop()
      await first.stop()
      await redis.close()
    }
  },
}

export const benchmarks = [tunnel, nodes]
