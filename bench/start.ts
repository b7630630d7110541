import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from './lib/benchmark.ts'
import { cpuOf, memoryOfFamily } from './lib/processes.ts'
import { startBenchServer } from './lib/server.ts'

const RUNS = 5
const REST_MS = 10_000
const AIM_COLD_SECONDS = 5
const AIM_WARM_SECONDS = 1.5
const AIM_MB = 250

const start: Benchmark = {
  name: 'start',
  conditions:
    `From the start of the process to the first answer of /hc/, ${RUNS} times on an empty data folder (initdb and ` +
    'migrations included) and as often on a used one; nothing is installed, built or compiled for the first time ' +
    `then. Memory is looked at ${REST_MS / 1000} s after a warm start, of both Node processes (the keeper and the server with its ` +
    "detector) and all of PostgreSQL's, each page once, programs and libraries included.",
  async run(say) {
    const cold: number[] = []
    const warm: number[] = []
    const cpu: { cold: number; warm: number }[] = []
    const rest: ReturnType<typeof memoryOfFamily>[] = []
    for (let run = 0; run < RUNS; run++) {
      const dataFolder = await mkdtemp(join(tmpdir(), 'vigil-bench-'))
      try {
        const first = await startBenchServer({ dataFolder })
        cold.push(first.startMs / 1000)
        const used = cpuOf(first.pid)
        await first.stop({ keepData: true })
        const second = await startBenchServer({ dataFolder })
        warm.push(second.startMs / 1000)
        const usedAgain = cpuOf(second.pid)
        cpu.push({ cold: used.node + used.postgres, warm: usedAgain.node + usedAgain.postgres })
        await sleep(REST_MS)
        rest.push(memoryOfFamily(second.pid))
        await second.stop()
      } finally {
        await rm(dataFolder, { recursive: true, force: true })
      }
      say(`start ${run + 1}: cold ${cold.at(-1)?.toFixed(1)} s, warm ${warm.at(-1)?.toFixed(1)} s`)
    }
    const megabytes = (of: (one: (typeof rest)[number]) => number) => rest.map((one) => of(one) / 1e6)
    return [
      { what: 'cold start', unit: 's', values: cold, aim: { below: AIM_COLD_SECONDS } },
      { what: 'warm start', unit: 's', values: warm, aim: { below: AIM_WARM_SECONDS } },
      { what: 'processor time of a cold start', unit: 's', values: cpu.map((one) => one.cold) },
      { what: 'processor time of a warm start', unit: 's', values: cpu.map((one) => one.warm) },
      {
        what: 'memory at rest, everything',
        unit: 'MB',
        values: megabytes(({ all }) => all.own),
        aim: { below: AIM_MB },
      },
      { what: "of which Node's", unit: 'MB', values: megabytes(({ node }) => node.own) },
      { what: "of which PostgreSQL's", unit: 'MB', values: megabytes(({ postgres }) => postgres.own) },
      { what: 'sum of RSS, shared pages several times', unit: 'MB', values: megabytes(({ all }) => all.rss) },
    ]
  },
}

export const benchmarks = [start]
