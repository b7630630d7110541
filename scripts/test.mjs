// `./vigil test`: installs what the tests need and runs everything, in an order that fails early.
// Plain JavaScript for Node 20: nothing is installed yet when it begins.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb, CannotStart, install, node } from './bootstrap.mjs'

const HELP = `Installs what the tests need and runs everything: format, lint, types, dead code, web build, tests.

  ./vigil test              everything, as CI does
  ./vigil test WORDS…       only the tests, handed to vitest ("server/modules/prints", "--project web", "-t name")

With CI=true a missing program of the system fails the run; elsewhere it is named, and its tests may be skipped.
The last line says "N passed, N failed"; the exit code is 1 when anything failed.`

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isCi = process.env.CI === 'true' || process.env.CI === '1'

/** @type {{ program: string, alternatives?: string[], package: string, wanted: string }[]} */
const PROGRAMS = [
  {
    program: 'chromium',
    alternatives: ['chromium-browser', 'google-chrome'],
    package: 'chromium',
    wanted: 'the browser journeys',
  },
  { program: 'ffmpeg', package: 'ffmpeg', wanted: 'the tests of time-lapses' },
  {
    program: 'redis-server',
    alternatives: ['valkey-server'],
    package: 'redis-server',
    wanted: 'the tests over Redis',
  },
  {
    program: 'nginx',
    alternatives: ['/usr/sbin/nginx'],
    package: 'nginx-light',
    wanted: 'the tests behind a proxy',
  },
]
const FONT = {
  package: 'fonts-noto-cjk',
  folder: '/usr/share/fonts/opentype/noto',
  wanted: 'pictures of Chinese pages',
}

/** @param {string} program */
const has = (program) =>
  program.startsWith('/')
    ? existsSync(program)
    : spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function missing() {
  const gone = PROGRAMS.filter(({ program, alternatives = [] }) => ![program, ...alternatives].some(has))
  const hasFont = existsSync(FONT.folder) && readdirSync(FONT.folder).some((name) => name.includes('CJK'))
  return hasFont ? gone : [...gone, FONT]
}

function installPrograms() {
  const wanted = missing()
  if (wanted.length > 0 && has('apt-get')) {
    const become = process.getuid?.() === 0 ? [] : has('sudo') ? ['sudo', '-n'] : null
    if (become)
      apt(
        become,
        wanted.map((one) => one.package),
      )
  }
  const left = missing()
  for (const one of left) console.log(`Not there: ${one.package}, for ${one.wanted}.`)
  if (left.length > 0 && isCi) throw new CannotStart('CI needs all of the above: apt-get install them.')
}

/** @param {string[]} become @param {string[]} packages */
function apt(become, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  /** @param {string[]} args */
  const call = (...args) => {
    const [command = '', ...rest] = [...become, 'apt-get', '-qq', ...args]
    return spawnSync(command, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  }
  console.log(`Installing ${packages.join(', ')} …`)
  const get = () => call('install', '-y', '--no-install-recommends', ...packages)
  if (get()) return
  call('update')
  if (get()) return
  // one that this distribution does not have shall not keep the others away
  for (const one of packages) call('install', '-y', '--no-install-recommends', one)
}

/** @typedef {{ name: string, seconds: number, ok: boolean }} Stage */

/** @param {string} name @param {() => boolean | void} work @returns {Stage} */
function stage(name, work) {
  console.log(`\n== ${name}`)
  const began = Date.now()
  let ok = false
  try {
    ok = work() !== false
  } catch (error) {
    console.log(error instanceof CannotStart ? error.message : error)
  }
  const seconds = (Date.now() - began) / 1000
  console.log(`== ${name}: ${ok ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s`)
  return { name, seconds, ok }
}

/** Runs a program of node_modules with the pinned Node. @param {string} program @param {string[]} args */
function tool(program, args, env = process.env) {
  const bin = join(root, 'node_modules/.bin', program)
  const path = `${dirname(node())}:${env.PATH}`
  return spawnSync(bin, args, { cwd: root, stdio: 'inherit', env: { ...env, PATH: path } }).status === 0
}

/** @param {string[]} words */
function tests(words) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-counts-'))
  const file = join(folder, 'counts.json')
  const ok = tool('vitest', ['run', ...words], { ...process.env, VIGIL_TEST_COUNTS: file })
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 1 }
  rmSync(folder, { recursive: true })
  return { ok, counts }
}

/** @param {string[]} words */
function main(words) {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(HELP)
    return 0
  }
  const stages = [stage('programs', installPrograms), stage('packages', install)]
  let counts = { passed: 0, failed: 0 }
  const runTests = () => {
    const { ok, counts: counted } = tests(words)
    counts = counted
    // failed tests are counted one by one below
    return ok || counted.failed > 0
  }
  if (words.length === 0) {
    stages.push(
      stage('format', () => tool('oxfmt', ['--check', '.'])),
      stage('lint', () => tool('oxlint', ['--type-aware', '--deny-warnings'])),
      ...['contract', 'server', 'simulator', 'web', '.'].map((folder) =>
        stage(`types of ${folder === '.' ? 'the rest' : folder}`, () =>
          tool('tsc', ['-p', folder, '--noEmit']),
        ),
      ),
      stage('dead code', () => tool('knip', [])),
    )
  }
  stages.push(stage('web build', buildWeb), stage('tests', runTests))
  console.log(
    `\n${stages.map(({ name, seconds, ok }) => `${seconds.toFixed(1).padStart(7)} s  ${ok ? '    ' : 'FAIL'}  ${name}`).join('\n')}`,
  )
  const failed = counts.failed + stages.filter(({ ok }) => !ok).length
  console.log(`\n${counts.passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = main(process.argv.slice(2))
