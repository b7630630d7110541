import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SHIPPED_MODEL } from '../server/engines/inference/detector.ts'
import { type Benchmark, CannotMeasure } from './lib/benchmark.ts'
import { watchCrowd } from './lib/crowd.ts'
import { quantile } from './lib/numbers.ts'

const AGENTS = 2000
const POSTING = 100

interface InferenceReport {
  readonly sizes: Record<
    string,
    { readonly cpuMsPerPicture: number; readonly picturesPerSecondPerCore: number }
  >
}

function needModel(): void {
  if (!existsSync(join(SHIPPED_MODEL, 'card.json'))) throw new CannotMeasure('there is no shipped model yet')
}

const inference: Benchmark = {
  name: 'detections-alone',
  conditions:
    'The shipped model alone, one worker, the whole way from JPEG to score (`bench/inference.ts`): median of 5 runs ' +
    'of 60 pictures, by processor time.',
  async run() {
    needModel()
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'inference.ts'),
    ])
    const { sizes } = JSON.parse(stdout) as InferenceReport
    return Object.entries(sizes).flatMap(([size, { cpuMsPerPicture, picturesPerSecondPerCore }]) => [
      { what: `inspected on one core, ${size}`, unit: '/s', values: [picturesPerSecondPerCore] },
      { what: `CPU for one, ${size}`, unit: 'ms', values: [cpuMsPerPicture] },
    ])
  },
}

const beside: Benchmark = {
  name: 'detections-beside',
  conditions:
    `As agents-${AGENTS}, while ${POSTING} of the printing ones post a picture every 10 s, each of which is stored, ` +
    'inspected and decided on. A detection counts when its decision is in the database.',
  async run(say) {
    needModel()
    const count = async ({ query }: { query: (sql: string) => Promise<Record<string, unknown>[]> }) =>
      Number((await query('select count(*)::int as decisions from decisions'))[0]?.['decisions'])
    const windows = await watchCrowd({ agents: AGENTS, posting: POSTING, say, count })
    return [
      {
        what: 'detections a second',
        unit: '/s',
        values: windows.map(({ counted, seconds }) => counted / seconds),
        // A picture every 10 s from each, less what slips over the edge of a window.
        aim: { above: 9.5 },
      },
      {
        what: 'agent to browser, p95',
        unit: 'ms',
        values: windows.map(({ ages }) => quantile(ages, 0.95)),
        aim: { below: 500 },
      },
      {
        what: 'processors that the server used',
        unit: '',
        values: windows.map(({ cpu, seconds }) => (cpu.node + cpu.postgres) / seconds),
      },
    ]
  },
}

export const benchmarks = [inference, beside]
