import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { startLoad } from './lib/load.ts'
import { type Footprint, memoryOfFamily } from './lib/processes.ts'
import { startBenchServer } from './lib/server.ts'
import type { AgentsLoad } from './load/agents.ts'

const AGENTS = 2_000
const REST_MS = 30_000
const SETTLE_MS = 30_000
const AFTER_MS = 60_000
const AIM_REST_MB = 200
const AIM_AGENT_KB = 60
const AIM_AFTER_MB = 320

const megabytes = ({ all }: Footprint) => all.own / 1e6

/** Everything, and whose it is. */
function figures(when: string, footprint: Footprint, aim?: number): Measurement[] {
  return [
    {
      what: `memory ${when}, everything`,
      unit: 'MB',
      values: [megabytes(footprint)],
      ...(aim !== undefined && { aim: { below: aim } }),
    },
    { what: "of which Node's", unit: 'MB', values: [footprint.node.own / 1e6] },
    { what: "of which PostgreSQL's", unit: 'MB', values: [footprint.postgres.own / 1e6] },
  ]
}

const memory: Benchmark = {
  name: 'memory',
  conditions:
    `The server alone, ${REST_MS / 1000} s after its start; then ${AGENTS.toLocaleString('en-US')} simulated agents (both ` +
    `kinds, half of them printing) that send a status a second each, for ${SETTLE_MS / 1000} s; then ${AFTER_MS / 1000} s after all of ` +
    'them have left. Each page of the keeper, the server with its detector and all of PostgreSQL’s processes counts ' +
    'once, programs and libraries included (docs/memory.md says where it sits).',
  async run(say) {
    const server = await startBenchServer()
    const agents = startLoad<AgentsLoad>('agents')
    const look = (when: string): Footprint => {
      const footprint = memoryOfFamily(server.pid)
      say(`${when}: ${megabytes(footprint).toFixed(0)} MB`)
      return footprint
    }
    try {
      await server.signIn()
      const printers = await server.addPrinters(AGENTS)
      await sleep(REST_MS)
      const atRest = look('at rest')
      const tokens = printers.map((printer) => printer.auth_token)
      await agents.ask('start', { url: server.url, tokens, printing: AGENTS / 2, posting: 0 })
      await sleep(SETTLE_MS)
      const atWork = look(`${AGENTS} agents`)
      await agents.ask('stop')
      await sleep(AFTER_MS)
      const after = look('after they left')
      const perAgent = ((megabytes(atWork) - megabytes(atRest)) * 1000) / AGENTS
      return [
        ...figures('at rest', atRest, AIM_REST_MB),
        ...figures(`with ${AGENTS.toLocaleString('en-US')} agents`, atWork),
        { what: 'for one agent', unit: 'kB', values: [perAgent], aim: { below: AIM_AGENT_KB } },
        ...figures('a minute after they left', after, AIM_AFTER_MB),
      ]
    } finally {
      await agents.end()
      await server.stop()
    }
  },
}

export const benchmarks = [memory]
