/**
 * Measures what the product promises (docs/benchmarks.md): `node bench/run.ts [NAME…] [--json | --line] [--report]`. A name picks
 * all benchmarks that begin with it; without one all run. `--report` keeps what was measured in bench/results.json and writes
 * docs/benchmarks.md from it, `--json` prints one object a benchmark, `--line` its medians in one line.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmarks as agents } from './agents.ts'
import { benchmarks as assistant } from './assistant.ts'
import { benchmarks as carried } from './carried.ts'
import { benchmarks as cold } from './cold.ts'
import { benchmarks as failing } from './failing.ts'
import { benchmarks as growth } from './growth.ts'
import { median, short } from './lib/numbers.ts'
import { document, machine, measure, type Result } from './lib/report.ts'
import { benchmarks as leaving } from './leaving.ts'
import { benchmarks as lists } from './lists.ts'
import { benchmarks as memory } from './memory.ts'
import { benchmarks as notifications } from './notifications.ts'
import { benchmarks as archive } from './archive.ts'
import { benchmarks as plans } from './plans.ts'
import { benchmarks as plate } from './plate.ts'
import { benchmarks as signIns } from './sign-ins.ts'
import { benchmarks as slicing } from './slicing.ts'
import { benchmarks as small } from './small.ts'
import { benchmarks as people } from './people.ts'
import { benchmarks as rows } from './rows.ts'
import { benchmarks as snapshots } from './snapshots.ts'
import { benchmarks as viewer } from './viewer.ts'
import { benchmarks as video } from './video.ts'

const REPORT = join(import.meta.dirname, '../docs/benchmarks.md')
const RESULTS = join(import.meta.dirname, 'results.json')

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    line: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
})

const all = [
  ...cold,
  ...memory,
  ...leaving,
  ...lists,
  ...people,
  ...signIns,
  ...plans,
  ...snapshots,
  ...agents,
  ...failing,
  ...notifications,
  ...viewer,
  ...video,
  ...carried,
  ...slicing,
  ...plate,
  ...archive,
  ...assistant,
  ...growth,
  ...rows,
  ...small,
]
const chosen =
  names.length === 0 ? all : all.filter(({ name }) => names.some((wanted) => name.startsWith(wanted)))
const unknown = names.filter((wanted) => !all.some(({ name }) => name.startsWith(wanted)))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark "${unknown[0]}". There are: ${all.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

/** The medians of a benchmark in one line, for who compares two of them. */
const inOneLine = ({ name, measurements, problem }: Result): string =>
  problem === null
    ? `${name}: ${measurements.map(({ what, unit, values }) => `${what} ${short(median(values))} ${unit}`).join(', ')}`
    : `${name}: not measured: ${problem}`

function show({ name, measurements, problem }: Result): void {
  console.log(`\n${name}${problem === null ? '' : `: not measured: ${problem}`}`)
  for (const { what, unit, values } of measurements) {
    const range = values.length > 1 ? ` (${values.map(short).join(', ')})` : ''
    console.log(`  ${what.padEnd(52)} ${short(median(values)).padStart(7)} ${unit}${range}`)
  }
}

/** Replaces what was known of this benchmark, and writes the report anew. */
async function keep(result: Result): Promise<void> {
  const known = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '[]')) as Result[]
  const results = all.flatMap(({ name }) =>
    name === result.name ? result : (known.find((one) => one.name === name) ?? []),
  )
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(REPORT, document(results))
}

// Ends the server, too (lib/server.ts).
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
console.error(machine())
for (const benchmark of chosen) {
  console.error(`${benchmark.name}: ${benchmark.conditions}`)
  const result = await measure(benchmark, (line) => console.error(`${benchmark.name}: ${line}`))
  if (options.json) console.log(JSON.stringify(result))
  else if (options.line) console.log(inOneLine(result))
  else show(result)
  if (options.report) await keep(result)
}
