// `./vigil test`: installs what the tests need and runs everything, in lanes side by side.
// Plain JavaScript for Node 20: nothing is installed yet when it begins.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildServer, buildWeb, CannotStart, install, node } from './bootstrap.mjs'
import { installPrinters } from './printers.mjs'
import { installPrograms } from './programs.mjs'

const HELP = `Installs what the tests need and runs the gate: format, lint, types, dead code, web build, tests.

  ./vigil test              the gate, as CI does: all behaviour, one of each kind of what is dear
  ./vigil test --all        everything; scripts/suites.ts says what that is, and why
  ./vigil test --checks     only format, lint, types and dead code
  ./vigil test --changed    the checks, and the tests that what is not committed can touch
  ./vigil test WORDS…       only the tests, handed to vitest ("server/modules/prints/prints", "--project web", "-t name")

With CI=true a missing program of the system fails the run; elsewhere it is named, and its tests may be skipped.
Where the time went stands in out/times.json, and the ten dearest files at the end.
The last line says "N passed, N failed"; the exit code is 1 when anything failed.`

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const WIDTH = 8

/** @typedef {{ file: string, reasons: string[] }} Failure */
/** Seconds of a file of tests: by the clock, and of processors, with all that it started. @typedef {{ file: string, wall: number, used: number }} Time */
/** `used`: processor seconds of the whole stage, its databases and what reads its files included. */
/** @typedef {{ ok: boolean, passed?: number, failed?: number, failures?: Failure[], used?: number, times?: Time[] }} Outcome */
/** @typedef {Outcome & { name: string, seconds: number }} Stage */

/** @param {string} name @param {() => Promise<Outcome | void> | Outcome | void} work @returns {Promise<Stage>} */
async function stage(name, work) {
  console.log(`== ${name}`)
  const began = Date.now()
  /** @type {Outcome} */
  let outcome = { ok: false }
  try {
    outcome = (await work()) ?? { ok: true }
  } catch (error) {
    console.log(error instanceof CannotStart ? error.message : error)
  }
  const seconds = (Date.now() - began) / 1000
  console.log(`== ${name}: ${outcome.ok ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s`)
  return { name, seconds, ...outcome }
}

/**
 * Runs a program of node_modules with the pinned Node. In a lane its lines carry the lane's name, since others print
 * at the same time.
 * @param {string} lane @param {string} program @param {string[]} args @returns {Promise<boolean>}
 */
function tool(lane, program, args, env = process.env) {
  const child = spawn(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    stdio: lane === '' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...env, PATH: `${dirname(node())}:${env.PATH}` },
  })
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface({ input: stream }).on('line', (line) => console.log(`${lane.padEnd(WIDTH)}| ${line}`))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.log(`${program}: ${error.message}`)
      resolve(false)
    })
    child.once('close', (code) => resolve(code === 0))
  })
}

function build() {
  buildWeb()
  buildServer()
}

/** @param {string} lane @param {string[]} words @returns {Promise<Outcome>} */
async function tests(lane, words) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-counts-'))
  const file = join(folder, 'counts.json')
  const timesFile = join(folder, 'times.jsonl')
  const env = { ...process.env, VIGIL_TEST_COUNTS: file, VIGIL_TEST_TIMES: timesFile }
  const ok = await tool(lane, 'vitest', ['run', ...words], env)
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 1 }
  const lines = existsSync(timesFile) ? readFileSync(timesFile, 'utf8').trim().split('\n') : []
  rmSync(folder, { recursive: true })
  const times = lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  return { ...counts, times, ok: ok && counts.failed === 0 }
}

/** One after the other: they are quick, and each uses all there is. */
async function checks() {
  /** @type {[string, string, string[]][]} */
  const all = [
    ['format', 'oxfmt', ['--check', '.']],
    ['lint and types', 'oxlint', ['--type-aware', '--type-check', '--deny-warnings']],
    ['dead code', 'knip', []],
    ['what is shipped', 'node', ['scripts/sbom.ts']],
  ]
  // The type checker (Go) collects garbage less often: a sixth less work, for memory that is there.
  const env = { GOGC: '300', GOMEMLIMIT: '3GiB', ...process.env }
  const stages = []
  for (const [name, program, args] of all)
    stages.push(await stage(name, async () => ({ ok: await tool('checks', program, args, env) })))
  return stages
}

/** Whether what is not committed changes what a browser shows: vitest cannot see that from a journey's imports. */
function touchesPages() {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=all'], {
    cwd: root,
    encoding: 'utf8',
  })
  return /^.. (web|locales)\//m.test(stdout ?? '')
}

/**
 * Checks first, as they use all there is and nothing in them waits; then what runs side by side: waiting of one is the
 * other's time. Films that are played while types are checked stand still.
 * @param {boolean} isChanged @returns {Promise<Stage[]>}
 */
async function lanes(isChanged) {
  const changed = isChanged ? ['--changed', '--passWithNoTests'] : []
  // A file of the server's waits two thirds of its time, for programs that begin and for clocks: one more than cores.
  const workers = [`--maxWorkers=${availableParallelism() + 1}`]
  // Said for all projects at once: vitest runs none where they differ.
  const cores = [`--maxWorkers=${availableParallelism()}`]
  /** @param {string[]} names */
  const projects = (...names) => names.flatMap((name) => ['--project', name])
  const read = await Promise.all([
    checks(),
    // they read sources, as text
    stage('tests of the house', () => tests('house', projects('house'))),
  ])
  // What waits for little comes after the journeys: both lanes end at about the same time.
  const rules = ['parts', 'simulator', 'web', 'programs', 'alone']
  const done = await Promise.all([
    stage('tests of the server', () =>
      tests('server', [...projects('server', ...(isChanged ? rules : [])), ...workers, ...changed]),
    ),
    stage('journeys, parts, programs', () =>
      tests('beside', [
        ...projects('e2e', ...(isChanged ? [] : rules)),
        ...cores,
        ...(touchesPages() ? [] : changed),
      ]),
    ),
  ])
  return [...read.flat(), ...done]
}

const DEAREST = 10

/** @param {Time[]} times */
const sumOf = (times) => times.reduce((sum, { used }) => sum + used, 0)

/** Writes where the time went, and says which files took most. @param {Stage[]} stages */
function tellTimes(stages) {
  const files = stages.flatMap(({ times = [] }) => times).toSorted((a, b) => b.used - a.used)
  if (files.length === 0) return
  const phases = stages.map(({ name, seconds, used, times }) => ({
    name,
    seconds,
    ...(used === undefined ? {} : { used, ofFiles: sumOf(times ?? []) }),
  }))
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, 'out/times.json'), `${JSON.stringify({ phases, files }, null, 1)}\n`)
  console.log('\nProcessor seconds, of them those of test files alone:')
  for (const { name, used, ofFiles = 0 } of phases)
    if (used !== undefined)
      console.log(`${used.toFixed(0).padStart(7)} s  ${ofFiles.toFixed(0).padStart(5)} s  ${name}`)
  console.log(`The dearest of ${files.length} files (by the clock):`)
  for (const { file, wall, used } of files.slice(0, DEAREST))
    console.log(`${used.toFixed(1).padStart(7)} s  (${wall.toFixed(1)} s)  ${file}`)
}

/** @param {Stage[]} stages */
function tellFailures(stages) {
  for (const { failures = [] } of stages)
    for (const { file, reasons } of failures)
      for (const reason of reasons) console.log(`FAILED ${file}: ${reason}`)
}

/** A stage that failed counts once, its failed tests one by one. @param {Stage[]} stages */
const failedOf = (stages) => stages.reduce((sum, one) => sum + (one.failed || (one.ok ? 0 : 1)), 0)

/** @param {string[]} words */
async function main(words) {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(HELP)
    return 0
  }
  const stages = [
    await stage('programs', installPrograms),
    await stage('packages', install),
    ...(words[0] === '--checks'
      ? []
      : [await stage('real printers', installPrinters), await stage('build', build)]),
  ]
  const [only] = words.length === 1 ? words : []
  const isWhole = words.length === 0 || only === '--all'
  if (words.length === 0) process.env.VIGIL_SUITE = 'gate'
  if (stages.every(({ ok }) => ok)) {
    if (only === '--checks') stages.push(...(await checks()))
    else if (isWhole || only === '--changed') stages.push(...(await lanes(only === '--changed')))
    else stages.push(await stage('tests', () => tests('', words)))
  }
  const rows = stages.map(
    ({ name, seconds, ok }) => `${seconds.toFixed(1).padStart(7)} s  ${ok ? '    ' : 'FAIL'}  ${name}`,
  )
  tellTimes(stages)
  console.log(`\n${rows.join('\n')}`)
  console.log()
  tellFailures(stages)
  const failed = failedOf(stages)
  const passed = stages.reduce((sum, one) => sum + (one.passed ?? 0), 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

// Whoever read what is said has gone: what runs ends with its own output (scripts/leftovers.mjs).
process.stdout.on('error', () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))
