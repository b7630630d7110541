/**
 * Measures what issue 3, part 8 asks for: `node bench/run.ts [NAME…] [--json] [--report]`. A name picks all benchmarks
 * that begin with it; without one all run. `--report` writes docs/benchmarks.md, `--json` one object a benchmark.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmarks as agents } from './agents.ts'
import { benchmarks as detections } from './detections.ts'
import { median, short } from './lib/numbers.ts'
import { document, machine, measure, type Result } from './lib/report.ts'
import { benchmarks as lists } from './lists.ts'
import { benchmarks as snapshots } from './snapshots.ts'
import { benchmarks as start } from './start.ts'

const REPORT = join(import.meta.dirname, '../docs/benchmarks.md')

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, report: { type: 'boolean', default: false } },
})

const all = [...start, ...lists, ...snapshots, ...agents, ...detections]
const chosen =
  names.length === 0 ? all : all.filter(({ name }) => names.some((wanted) => name.startsWith(wanted)))
const unknown = names.filter((wanted) => !all.some(({ name }) => name.startsWith(wanted)))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark "${unknown[0]}". There are: ${all.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

function show({ name, measurements, problem }: Result): void {
  if (options.json) return
  console.log(`\n${name}${problem === null ? '' : `: not measured: ${problem}`}`)
  for (const { what, unit, values } of measurements) {
    const range = values.length > 1 ? ` (${values.map(short).join(', ')})` : ''
    console.log(`  ${what.padEnd(52)} ${short(median(values)).padStart(7)} ${unit}${range}`)
  }
}

console.error(machine())
const results: Result[] = []
for (const benchmark of chosen) {
  const result = await measure(benchmark, (line) => console.error(`${benchmark.name}: ${line}`))
  results.push(result)
  show(result)
  if (options.json) console.log(JSON.stringify(result))
}
if (options.report) await writeFile(REPORT, document(results, new Date()))
