/** What was measured, for people: one table. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, getPriority, loadavg, totalmem } from 'node:os'
import type { Benchmark, Measurement } from './benchmark.ts'
import { median, short } from './numbers.ts'

/** One benchmark, done or not. */
export interface Result {
  readonly name: string
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
  const { name } = benchmark
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

/** A row for each figure with an aim; what has no aim explains others, and stands in bench/results.json alone. */
function rows(result: Result, machines: readonly string[]): string[] {
  const { name, measurements, problem, date, commit: version, load, nice } = result
  const day = `${date.slice(0, 10)}, ${version.slice(0, 7)}`
  const on = `${letter(machines.indexOf(result.machine))}, load ${Math.max(...load).toFixed(0)}${nice === 0 ? '' : `, nice ${nice}`}`
  const tail = `| \`${name}\` | ${day} | ${on} |`
  if (problem !== null) return [`| ${name}: not measured: ${problem} | | | | | ${tail}`]
  return measurements
    .filter(({ aim }) => aim !== undefined)
    .map((one) => {
      const verdict = isMet(one) === true ? 'met' : '**missed**'
      return `| ${one.what} | ${aimText(one)} | ${short(median(one.values))} ${one.unit} | ${spread(one.values)} | ${verdict} ${tail}`
    })
}

const letter = (at: number): string => String.fromCodePoint(65 + at)

/** The whole of docs/benchmarks.md. */
export function document(results: readonly Result[]): string {
  const machines = [...new Set(results.map((result) => result.machine))]
  return `# What it can take

Written by \`npm run bench -- --report\` from bench/results.json, where the figures without an aim are, too; do not edit. How each is
measured stands in its program in \`bench/\`: \`npm run bench -- NAME\` runs one. Figures are medians of several runs. The server runs as the product does, with its
own PostgreSQL; load comes from other processes of the same machine, whose processor time is not counted as the server's but is missing to it. The load average
names who wanted the processors: above two or three it was somebody else's work, which makes times longer and rates lower than they are.

${machines.map((one, at) => `* Machine ${letter(at)}: ${one}`).join('\n')}

| figure | aim | median | spread | | command | date, commit | machine |
|---|---|---|---|---|---|---|---|
${results.flatMap((result) => rows(result, machines)).join('\n')}
`
}
