/**
 * What 100, 10,000 and 1,000,000 printers need: `node bench/capacity.ts [PRINTERS…]` prints it, `--write` writes docs/capacity.md. From
 * bench/results.json and the assumptions below, which are the reader's to change.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Measured, Prices, Use } from './lib/capacity.ts'
import { documentOf } from './lib/capacity.document.ts'
import { median } from './lib/numbers.ts'
import type { Result } from './lib/report.ts'

const RESULTS = join(import.meta.dirname, 'results.json')
const DOCUMENT = join(import.meta.dirname, '../docs/capacity.md')
const USUAL = [100, 10_000, 1_000_000]
/** Agents of the forecasts that are held against a run. */
const RUNS = [500, 4_000]

/** Nobody has measured these: they are how printers of hobbyists and small farms are used. */
const USE: Use = {
  printingAtOnce: 0.4,
  printingOnAverage: 0.25,
  secondsBetweenStatuses: 20,
  secondsBetweenPictures: 10,
  pictureBytes: 50_000,
  frameDays: 30,
  printsADay: 1.5,
  eventsAPrint: 5,
  filmBytes: 8_000_000,
  filmMonths: 6,
  years: 2,
  busy: 0.6,
}

const PRICES: Prices = {
  core: 25,
  databaseCore: 60,
  databaseGb: 0.12,
  storedGb: 0.023,
  putsPerThousand: 0.005,
}

const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as Result[]

/** The median of a figure; null when nobody has measured it. */
function known(name: string, what: string): number | null {
  const found = results.find((one) => one.name === name)?.measurements.find((one) => one.what === what)
  return found === undefined ? null : median(found.values)
}

function figure(name: string, what: string): number {
  const value = known(name, what)
  if (value !== null) return value
  console.error(`"${what}" was not measured: npm run bench -- ${name} --report`)
  process.exit(1)
}

const row = (table: keyof Measured['rowBytes']) => figure('rows', `a row of ${table}`)

const measured: Measured = {
  statusUs: {
    node: figure('growth', '2 nodes: CPU of the nodes for a status'),
    postgres: figure('growth', '2 nodes: CPU of PostgreSQL for a status'),
  },
  pictureUs: {
    node: figure('rows', 'CPU of the node for a picture'),
    postgres: figure('rows', 'CPU of PostgreSQL for a picture'),
  },
  lookMs: figure('small', 'CPU of the detector for a picture, alone'),
  redis: {
    commandsOfStatus: figure('growth', '2 nodes: commands to Redis for a status'),
    commandsOfPicture: figure('rows', 'commands to Redis for a picture'),
  },
  walBytes: {
    status: figure('growth', '2 nodes: WAL for a status'),
    picture: figure('rows', 'WAL for a picture'),
  },
  rowBytes: {
    frames: row('frames'),
    decisions: row('decisions'),
    printer_events: row('printer_events'),
    prints: row('prints'),
  },
  restMb: figure('memory', 'memory at rest, everything'),
  agentKb: figure('memory', 'for one agent'),
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
const counts = positionals.length === 0 ? USUAL : positionals.map(Number)
if (counts.some((count) => !Number.isInteger(count) || count < 1)) {
  console.error('How many printers? Whole numbers, please: node bench/capacity.ts 2500')
  process.exit(2)
}

const text = documentOf({
  counts,
  use: USE,
  prices: PRICES,
  measured,
  runs: RUNS.map((agents) => ({
    agents,
    microseconds: known(`agents-${agents}`, 'CPU of the server for a status'),
    statuses: known(`agents-${agents}`, 'statuses a second'),
    memory: known(`agents-${agents}`, "memory of Node's processes (RSS)"),
    load: results.find(({ name }) => name === `agents-${agents}`)?.load[0] ?? null,
  })),
  known: {
    microseconds: figure('agents-2000', 'CPU of the server for a status'),
    nodes: [1, 2, 4].map(
      (count) => known('growth', `agents on ${count === 1 ? 'one node' : `${count} nodes`}`) ?? Number.NaN,
    ),
    small: {
      startS: figure('small', 'until the first answer'),
      restMb: figure('small', 'memory at rest, everything'),
      watchedMb: figure('small', 'memory with one printer watched, everything'),
      mostMb: figure('small', 'the most that the group held, the system’s cache included'),
      percent: figure('small', 'of the core, one printer watched and the file taken'),
      lookMs: figure('small', 'CPU of the detector for a picture, alone'),
    },
    load: results.find(({ name }) => name === 'growth')?.load[0] ?? Number.NaN,
  },
})
if (options.write) writeFileSync(DOCUMENT, text)
else console.log(text)
