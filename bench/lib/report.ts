/** What was measured, for people: a table for each benchmark, misses named. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, getPriority, loadavg, totalmem } from 'node:os'
import type { Benchmark, Measurement } from './benchmark.ts'
import { median, short } from './numbers.ts'

/** One benchmark, done or not. */
export interface Result {
  readonly name: string
  readonly conditions: string
  readonly measurements: readonly Measurement[]
  /** Why it could not be measured; null when it was. */
  readonly problem: string | null
  /** Load averages of one minute before and after. */
  readonly load: readonly [number, number]
  /** When, with which version, and on what. */
  readonly date: string
  readonly commit: string
  readonly machine: string
  /** Priority of server and load: 0 unless raised because other work ran on the machine. */
  readonly nice: number
}

/** Runs one benchmark; what goes wrong becomes part of the result. */
export async function measure(benchmark: Benchmark, say: (line: string) => void): Promise<Result> {
  const { name, conditions } = benchmark
  const before = loadavg()[0] ?? 0
  const outcome = await benchmark.run(say).then(
    (measurements) => ({ measurements, problem: null }),
    (error: unknown) => ({
      measurements: [],
      problem: error instanceof Error ? error.message : String(error),
    }),
  )
  return {
    name,
    conditions,
    ...outcome,
    load: [before, loadavg()[0] ?? 0],
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    nice: getPriority(),
  }
}

/** The machine in one line. */
export function machine(): string {
  const [first] = cpus()
  const info = readFileSync('/proc/cpuinfo', 'utf8')
  const megahertz = /^cpu MHz\s*:\s*(\d+)/m.exec(info)?.[1]
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores of ${first?.model.trim()} at ${megahertz} MHz, ${memory} GiB, Node ${process.version}`
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const changed =
    git('status', '--porcelain', '--', 'server', 'contract', 'web') === '' ? '' : ' with uncommitted changes'
  return git('rev-parse', '--short', 'HEAD') + changed
}

const aimText = ({ aim, unit }: Measurement) => {
  if (aim === undefined) return ''
  return 'below' in aim ? `under ${short(aim.below)} ${unit}` : `${short(aim.above)} ${unit}`
}

function isMet({ aim, values }: Measurement): boolean | null {
  if (aim === undefined) return null
  return 'below' in aim ? median(values) < aim.below : median(values) >= aim.above
}

const spread = (values: readonly number[]) =>
  values.length < 2 ? '' : `${short(Math.min(...values))} to ${short(Math.max(...values))}`

function row(measurement: Measurement): string {
  const { what, unit, values } = measurement
  const met = isMet(measurement)
  const verdict = met === null ? '' : met ? 'met' : '**missed**'
  return `| ${what} | ${aimText(measurement)} | ${short(median(values))} ${unit} | ${spread(values)} | ${verdict} |`
}

function section({
  name,
  conditions,
  measurements,
  problem,
  load,
  date,
  commit: version,
  nice,
}: Result): string {
  const loads = load.map((one) => one.toFixed(1)).join(', ')
  const when = `${date.slice(0, 16).replace('T', ' ')} UTC, commit ${version}, load average before and after: ${loads}`
  const priority = nice === 0 ? '' : `, server and load at nice ${nice}`
  const head = `## ${name}\n\n${conditions}\n\n${when}${priority}.\n`
  if (problem !== null) return `${head}\nNot measured: ${problem}.\n`
  const table = ['| | aim | median | spread | |', '|---|---|---|---|---|', ...measurements.map(row)]
  return `${head}\n${table.join('\n')}\n`
}

/** The whole of docs/benchmarks.md. */
export function document(results: readonly Result[]): string {
  const missed = results.flatMap(({ name, measurements }) =>
    measurements.filter((one) => isMet(one) === false).map((one) => `${one.what} (${name})`),
  )
  const summary =
    missed.length === 0
      ? 'Every aim that could be measured was met.'
      : `Aims that were missed: ${missed.join('; ')}.`
  const machines = [...new Set(results.map((result) => result.machine))]
  return `# What it can take

Written by \`node bench/run.ts --report\` from bench/results.json; do not edit. Each figure is the median of several
runs, with the smallest and the largest beside it. The server runs as the product does: \`vigil up\` on an empty data
folder with its own PostgreSQL. Load comes from other processes of the same machine, whose processor time is not
counted as the server's but is missing to it.

Machine: ${machines.join('; ')}.

${summary}

The load average says how many processes wanted the processors: the measurement's own two or three are in it, anything
above them was somebody else's work, and makes times longer and rates lower than they are. Processor time for one
status, picture or list hardly suffers from that.

${results.map(section).join('\n')}`
}
