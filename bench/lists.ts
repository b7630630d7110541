import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { startLoad } from './lib/load.ts'
import { cpuOf } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'
import type { AgentsLoad } from './load/agents.ts'
import type { RequestsLoad } from './load/requests.ts'
import { setTimeout as sleep } from 'node:timers/promises'

const PRINTERS = 20
const CONNECTIONS = 16
const RUNS = 5
const RUN_SECONDS = 3
const AT_MOST = 50_000
const AIM_PER_SECOND = 1_500
const AIM_MICROSECONDS = 1_000
const SETTLE_MS = 15_000

async function ask(server: BenchServer, cookie: string, isZipped: boolean): Promise<Measurement[]> {
  const requests = startLoad<RequestsLoad>('requests')
  const lines = ['GET /api/v1/printers/ HTTP/1.1', `Host: ${new URL(server.url).host}`, `Cookie: ${cookie}`]
  if (isZipped) lines.push('Accept-Encoding: gzip, deflate, br')
  const options = {
    url: server.url,
    connections: CONNECTIONS,
    atMost: AT_MOST,
    heads: [`${lines.join('\r\n')}\r\n\r\n`],
  }
  const rates: number[] = []
  const costs: number[] = []
  const ofPostgres: number[] = []
  try {
    await requests.ask('run', { ...options, seconds: 3 })
    for (let run = 0; run < RUNS; run++) {
      const before = cpuOf(server.pid)
      const { answered, seconds } = await requests.ask('run', { ...options, seconds: RUN_SECONDS })
      const after = cpuOf(server.pid)
      rates.push(answered / seconds)
      costs.push(((after.node + after.postgres - before.node - before.postgres) / answered) * 1e6)
      ofPostgres.push(((after.postgres - before.postgres) / answered) * 1e6)
    }
  } finally {
    await requests.end()
  }
  const how = isZipped ? 'compressed, as to a browser' : 'not compressed'
  return [
    { what: `lists a second, ${how}`, unit: '/s', values: rates, aim: { above: AIM_PER_SECOND } },
    {
      what: `CPU of the server for one, ${how}`,
      unit: 'µs',
      values: costs,
      aim: { below: AIM_MICROSECONDS },
    },
    { what: 'of which PostgreSQL', unit: 'µs', values: ofPostgres },
  ]
}

const lists: Benchmark = {
  name: 'lists',
  conditions:
    `GET /api/v1/printers/ of an owner with ${PRINTERS} printers whose agents report once a second, half of them ` +
    `printing; ${CONNECTIONS} connections kept alive, ${RUNS} runs of ${RUN_SECONDS} s each.`,
  async run(say) {
    const server = await startBenchServer()
    const agents = startLoad<AgentsLoad>('agents')
    try {
      const cookie = await server.signIn()
      const printers = await server.addPrinters(PRINTERS)
      const tokens = printers.map((printer) => printer.auth_token)
      await agents.ask('start', { url: server.url, tokens, printing: PRINTERS / 2, posting: 0 })
      await sleep(SETTLE_MS)
      const answer = await fetch(`${server.url}/api/v1/printers/`, {
        headers: { cookie, 'accept-encoding': 'identity' },
      })
      const text = await answer.text()
      const live = (JSON.parse(text) as { status: unknown }[]).filter(({ status }) => status !== null)
      if (live.length < PRINTERS) throw new Error(`${live.length} of ${PRINTERS} printers have a status`)
      say(`lists of ${Math.round(text.length / 1000)} kB`)
      return [
        { what: 'size of a list', unit: 'kB', values: [text.length / 1000] },
        ...(await ask(server, cookie, false)),
        ...(await ask(server, cookie, true)),
      ]
    } finally {
      await agents.end()
      await server.stop()
    }
  },
}

export const benchmarks = [lists]
