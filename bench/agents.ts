import type { Benchmark } from './lib/benchmark.ts'
import { watchCrowd } from './lib/crowd.ts'
import { quantile } from './lib/numbers.ts'

const AIM_MS = 500
const AIM_MICROSECONDS = 400

function withAgents(agents: number): Benchmark {
  return {
    name: `agents-${agents}`,
    conditions:
      `${agents.toLocaleString('en-US')} simulated agents (both kinds, half of them printing), each one status a ` +
      'second, beside 200 browsers that show one printer each; 5 windows of 10 s. The age of a status counts from ' +
      "the agent's clock to the browser's message event, so the load generator's own delays are in it.",
    async run(say) {
      const windows = await watchCrowd({ agents, say })
      const per = (seconds: number, statuses: number) => (seconds / statuses) * 1e6
      const aims = agents === 2000
      return [
        {
          what: 'statuses a second',
          unit: '/s',
          values: windows.map(({ statuses, seconds }) => statuses / seconds),
        },
        { what: 'agent to browser, p50', unit: 'ms', values: windows.map(({ ages }) => quantile(ages, 0.5)) },
        {
          what: 'agent to browser, p95',
          unit: 'ms',
          values: windows.map(({ ages }) => quantile(ages, 0.95)),
          ...(aims && { aim: { below: AIM_MS } }),
        },
        {
          what: 'agent to browser, p99',
          unit: 'ms',
          values: windows.map(({ ages }) => quantile(ages, 0.99)),
        },
        {
          what: 'statuses that reached a browser',
          unit: '/s each',
          values: windows.map(({ delivered }) => delivered),
        },
        {
          what: 'CPU of the server for a status',
          unit: 'µs',
          values: windows.map(({ cpu, statuses }) => per(cpu.node + cpu.postgres, statuses)),
          ...(aims && { aim: { below: AIM_MICROSECONDS } }),
        },
        {
          what: 'of which PostgreSQL',
          unit: 'µs',
          values: windows.map(({ cpu, statuses }) => per(cpu.postgres, statuses)),
        },
        { what: "memory of Node's processes (RSS)", unit: 'MB', values: windows.map(({ rss }) => rss / 1e6) },
      ]
    },
  }
}

export const benchmarks = [200, 500, 1000, 2000, 4000].map(withAgents)
