import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningPid } from '../engines/db/cluster.ts'
import { takePidFile } from '../supervisor/pid-file.ts'
import { type Outcome, outcomeOf, startVigil, use } from './cli.fixture.ts'

/** A data folder below one that only its owner may enter, as in root's home. */
const above = mkdtempSync(join(tmpdir(), 'vigil-cli-'))
chmodSync(above, 0o700)
const dataFolder = join(above, 'data')

const start = (args: string[], env: NodeJS.ProcessEnv = {}) => startVigil(args, { dataFolder, env })
const vigil = (args: string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) =>
  outcomeOf(start(args, env), input)

/** The same in this process. */
const here = (args: string[], { input = '', env = {} } = {}) => use(args, dataFolder, { input, env })

const objects = ({ out }: Outcome) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

afterAll(() => rmSync(above, { recursive: true, force: true }))

describe('use', () => {
  test('help names every command and succeeds', async () => {
    const { code, out } = await use(['help'])
    expect(code).toBe(0)
    for (const name of [
      'up',
      'restart',
      'doctor',
      'user',
      'printer',
      'detect',
      'watch',
      'simulate',
      'test',
    ]) {
      expect(out).toContain(`./vigil ${name}`)
    }
  })

  const isHelp = ({ code, out }: Outcome) => {
    expect(code).toBe(0)
    expect(out.length).toBeGreaterThan(100)
  }
  test.each(['up', 'restart', 'doctor', 'user', 'printer', 'detect', 'watch'])('%s --help', async (name) =>
    isHelp(await use([name, '--help'])),
  )
  // the simulator's own command line
  test('simulate --help', async () => isHelp(await vigil(['simulate', '--help'])))

  test('a second update is told of the first', async () => {
    const other = join(above, 'other')
    const giveBack = takePidFile(join(other, 'run/update.pid'))
    expect(await use(['update'], other)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^vigil: An update runs already \(process \d+\)/),
    })
    giveBack()
  })

  test('wrong use ends a process with code 2, and its sentence stands beside its output', async () => {
    expect(await vigil(['fly'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^vigil: .*no command/),
    })
  })

  test.each([
    [['fly'], /no command "fly"/],
    [['user', 'add'], /user add EMAIL/],
    [['user', 'add', 'a@b.example'], /--password-stdin/],
    [['printer', 'add'], /--owner EMAIL is missing/],
    [['printer', 'add', '--owner', 'a@b.example', '--count', 'many'], /--count wants a whole number/],
    [['watch'], /Name one folder/],
    [['detect', '--jsno'], /--jsno/],
  ])('%j is wrong use: exit code 2 and a sentence', async (args, sentence) => {
    const { code, err, out } = await use(args)
    expect(err).toMatch(sentence)
    expect(code).toBe(2)
    expect(out).toBe('')
  })

  test('a bad setting stops with a sentence that names it', async () => {
    const { code, err } = await here(['up'], { env: { PORT: 'http' } })
    expect(err).toMatch(/^vigil: PORT="http" cannot be used/)
    expect(code).toBe(2)
  })
})

describe('people and printers, without a server', () => {
  test('an account is added, listed, given a new password', async () => {
    const added = await vigil(['user', 'add', 'ann@example.org', '--password-stdin', '--admin', '--json'], {
      input: 'correct horse battery\n',
    })
    expect(added.err).toBe('')
    expect(objects(added)).toEqual([{ id: 1, email: 'ann@example.org', is_admin: true }])
    expect(objects(await here(['user', 'list', '--json']))[0]).toMatchObject({
      id: 1,
      email: 'ann@example.org',
    })
    const changed = await here(['user', 'password', 'ann@example.org', '--password-stdin'], {
      input: 'another long password',
    })
    expect(changed).toMatchObject({ code: 0, err: '' })
  })

  test('what cannot be done fails with a sentence and code 1', async () => {
    const plan = await here(['user', 'plan', 'ann@example.org', 'free', '--json'])
    expect(objects(plan)[0]).toEqual({ email: 'ann@example.org', plan: 'free' })
    expect((await here(['user', 'plan', 'ann@example.org', 'gold'])).code).toBe(2)
    expect((await here(['user', 'plan', 'nobody@example.org', 'pro'])).code).toBe(1)

    const again = await here(['user', 'add', 'ann@example.org', '--password-stdin'], {
      input: 'correct horse battery',
    })
    expect(again.err).toMatch(/email: /)
    expect(again.code).toBe(1)
    const nobody = await here(['printer', 'add', '--owner', 'nobody@example.org'])
    expect(nobody.err).toMatch(/There is no account nobody@example.org/)
    expect(nobody.code).toBe(1)
  })

  test('printers are added in bulk, one object a line', async () => {
    const added = objects(
      await here(['printer', 'add', '--owner', 'ann@example.org', '--name', 'Row', '--count', '3']),
    )
    expect(added.map(({ name }) => name)).toEqual(['Row 1', 'Row 2', 'Row 3'])
    expect(new Set(added.map(({ auth_token: token }) => token)).size).toBe(3)
    expect(Object.keys(added[0]!)).toEqual(['id', 'name', 'auth_token'])
  })

  test('nothing is left running, and the folder and its secrets are closed to others', () => {
    expect(runningPid(join(dataFolder, 'pg'))).toBe(null)
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataFolder, 'secrets.json')).mode & 0o777).toBe(0o600)
    const { VIGIL_SECRET: key } = JSON.parse(
      readFileSync(join(dataFolder, 'secrets.json'), 'utf8'),
    ) as Record<string, string>
    expect(key!.length).toBeGreaterThanOrEqual(32)
  })
})

describe('doctor', () => {
  test('looks at everything and explains', async () => {
    const { code, out } = await vigil(['doctor', '--json'])
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Record<string, string | null>[] }
    expect(checks.map(({ name }) => name)).toEqual([
      'folder',
      'secrets',
      'disk',
      'files',
      'database',
      'live',
      'clock',
      'model',
      'ffmpeg',
      'slicer',
      'port',
      'websocket',
      'proxy',
      'links',
      'mail',
      'backup',
      'relay',
      'video',
      'tunnels',
      'update',
    ])
    for (const { state, found, advice } of checks) {
      expect(found).toMatch(/\w/)
      if (state !== 'ok') expect(advice).toMatch(/\w/)
    }
    expect(checks[4]!['found']).toMatch(/^PostgreSQL 18\.\d+, embedded/)
    expect(code).toBe(ok ? 0 : 1)
  })

  test('finds a port that another program has, and a folder that others may read', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    chmodSync(dataFolder, 0o755)
    const { code, out } = await here(['doctor'], {
      env: { PORT: String((other.address() as AddressInfo).port) },
    })
    chmodSync(dataFolder, 0o700)
    other.close()
    expect(out).toMatch(/FAIL {2}port .*another program has it/)
    expect(out).toMatch(/warn {2}folder .*Others on this machine may look into/)
    expect(code).toBe(1)
  })
})

describe('beside a running server', () => {
  let server: ChildProcess
  let lines: AsyncIterator<string>
  let address: string

  beforeAll(async () => {
    server = start(['up', '--json'], { PORT: '0' })
    server.stderr!.resume()
    lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]()
    const { value } = (await lines.next()) as { value: string }
    address = (JSON.parse(value) as { address: string }).address
  })
  afterAll(() => server.kill('SIGKILL'))

  test('commands share its database and never stop it', async () => {
    const pid = runningPid(join(dataFolder, 'pg'))
    expect(pid).not.toBe(null)
    expect(objects(await vigil(['user', 'list', '--json']))).toHaveLength(1)
    expect(runningPid(join(dataFolder, 'pg'))).toBe(pid)
    expect((await fetch(`${address}/hc/`)).status).toBe(200)
  })

  test('a second server on the same folder is refused', async () => {
    const { code, err } = await vigil(['up'], { env: { PORT: '0' } })
    expect(err).toMatch(/already runs on this data folder/)
    expect(code).toBe(1)
  })

  test('restart leaves the database running and nobody refused', async () => {
    const pid = runningPid(join(dataFolder, 'pg'))
    expect((await vigil(['restart'])).code).toBe(0)
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${address}/hc/`)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(runningPid(join(dataFolder, 'pg'))).toBe(pid)
  })

  test('SIGTERM stops server and database', async () => {
    server.kill('SIGTERM')
    const [code] = (await once(server, 'exit')) as [number]
    expect(code).toBe(0)
    expect(runningPid(join(dataFolder, 'pg'))).toBe(null)
    expect(existsSync(join(dataFolder, 'pg/postmaster.pid'))).toBe(false)
    expect((await here(['restart'])).err).toMatch(/No Vigil runs on/)
  })
})
