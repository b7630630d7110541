/**
 * Every operation of the OpenAPI document is called with what its schema allows and with what it forbids, by schemathesis of PyPI: none is
 * answered 5xx, and each answer is as the document says. The same calls each time (a fixed seed), three minutes at most; for longer
 * `npm run fuzz`, or `FUZZ_SECONDS=3600 npm run fuzz`.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestSmtp, type TestSmtp } from '../smtp.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../app.ts'

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 160)
const SEED = process.env['FUZZ_SEED'] ?? '1'
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'
const LIST = join(import.meta.dirname, 'schemathesis.txt')
const HOME = join(import.meta.dirname, '../../../.vigil/schemathesis')
/** These end the session with which all others are called, or what it belongs to; and schemathesis takes the tuples of temperatures for no schema. */
const ENDING = String.raw`/auth/(logout|sessions|password|factors|proof)|/users/delete|/users/me/(archive|leaving)|/admin/(people|acting)|/temperatures/`

let app: TestApp
let owner: TestUser
let mailbox: TestSmtp
let windows: NodeJS.Timeout

beforeAll(async () => {
  await install()
  // With all that it needs: what is missing is answered 503.
  mailbox = await openTestSmtp()
  const more = { PUBLIC_URL: 'http://vigil.test', TUNNEL_DOMAIN: 'tunnels.vigil.test' }
  app = await buildTestApp({
    env: { ...mailbox.env, ...more, ACCOUNT_ALLOW_SIGN_UP: 'true', IS_ENT: 'true', BILLING: 'sandbox' },
  })
  owner = await aUser(app, { isAdmin: true })
  for (const name of ['Voron', 'Ender']) await aPrinter(app, owner, name)
  // What is limited by time is soon allowed again: behind a throttle nothing is tried.
  windows = setInterval(() => app.newWindows(), 1_000)
}, 600_000)
afterAll(async () => {
  clearInterval(windows)
  await app?.close()
  await mailbox?.close()
})

/** Once for each list of packages. */
async function install(): Promise<void> {
  const run = promisify(execFile)
  const wanted = await readFile(LIST, 'utf8')
  const stamp = join(HOME, 'stamp')
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return
  await rm(HOME, { recursive: true, force: true })
  await mkdir(HOME, { recursive: true })
  await run('python3', ['-m', 'venv', HOME])
  const quiet = ['-q', '--disable-pip-version-check']
  await run(join(HOME, 'bin/pip'), ['install', ...quiet, '--no-deps', '-r', LIST])
  await writeFile(stamp, wanted)
}

/** What it found; '' for nothing. */
async function fuzz(seconds: number, more: readonly string[]): Promise<string> {
  const args = [
    ['run', `${app.url}/api/v1/openapi.json`, '--no-color', '--seed', SEED, '--max-time', String(seconds)],
    ['--phases', 'coverage,fuzzing', '--generation-database', 'none', '--continue-on-failure'],
    ['--warnings', 'off', '--suppress-health-check', 'all', '--request-timeout', '30', '--no-shrink'],
    ['--checks', CHECKS],
    ['--max-redirects', '0', '--workers', '1'],
    more,
  ].flat()
  const child = spawn(join(HOME, 'bin/schemathesis'), args, {
    cwd: HOME,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (words: string) => void (said += words))
  const [code] = await once(child, 'close')
  return code === 0 ? '' : said
}
const header = (name: string, value: string) => ['--header', `${name}: ${value}`]

it(
  'answers whatever its owner sends as the document says',
  { timeout: 2 * SECONDS * 1_000 + 300_000 },
  async () => {
    const who = [...header('cookie', owner.cookie), ...header('origin', app.url)]
    expect(await fuzz(SECONDS * 0.8, [...who, '--exclude-path-regex', ENDING])).toBe('')
  },
)

it(
  'answers whatever strangers send as the document says',
  { timeout: 2 * SECONDS * 1_000 + 300_000 },
  async () => {
    expect(await fuzz(SECONDS * 0.2, ['--include-path-regex', '/auth/|/users/|/api/v1p/|/o/'])).toBe('')
  },
)
