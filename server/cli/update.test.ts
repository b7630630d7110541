/** `./vigil update` of a checkout, on a server that runs: good days and bad ones, each from where the last one left it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { readJournal, writeJournal } from '../supervisor/update-journal.ts'
import { freePort, missing, type Running, up } from '../test/faults/support.ts'
import { plainEnvironment, prepareFolder } from '../test/spawned.ts'
import { eventually } from '../test/wire/agent.ts'
import { type Outcome, outcomeOf } from './cli.fixture.ts'
import { withDatabase } from './context.ts'
import { examine } from './doctor.ts'
import { aCheckout, type Checkout } from './update/checkout.fixture.ts'

const above = mkdtempSync(join(tmpdir(), 'vigil-update-'))
const dataFolder = join(above, 'data')
let checkout: Checkout
let server: Running
let env: NodeJS.ProcessEnv

/** A migration of a version, and what else it changes. */
const migrates = (name: string, does: string) => ({
  [`server/engines/db/migrations/${name}.ts`]: () =>
    `import { type Kysely, sql } from 'kysely'\n\n/** Of a test. */\nexport async function up(db: Kysely<unknown>): Promise<void> {\n  await sql\`${does}\`.execute(db)\n}\n`,
  'server/engines/db/migrate.ts': (text: string) =>
    text.replace(/\n\}\n/, `\n  '${name}': () => import('./migrations/${name}.ts'),\n}\n`),
})
const renamed = (version: string) => ({
  'package.json': (text: string) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`),
})
/** It comes as far as its migrations, and then fails whenever it begins. */
const neverWell = {
  'server/serve.ts': (text: string) =>
    text.replace('    tidySoon()\n', "    throw new Error('this version is never well')\n"),
}

beforeAll(async () => {
  mkdirSync(join(above, 'program'))
  checkout = await aCheckout(join(above, 'program'))
  checkout.version('unfit', { ...renamed('0.2.0'), ...migrates('9001-unfit', 'select * from no_such_table') })
  checkout.version('sick', {
    ...renamed('0.3.0'),
    ...migrates('9002-sick', 'alter table users rename to lost'),
    ...neverWell,
  })
  checkout.version('good', { ...renamed('0.4.0'), ...migrates('9003-good', 'create table of_test (id int)') })
  prepareFolder(dataFolder)
  const port = await freePort()
  env = { PORT: String(port), NODE_ENV: 'test', OCTOPRINT_TUNNEL_PORT_RANGE: '0-0' }
  server = await up(dataFolder, port, env, checkout.main)
}, 300_000)
afterAll(async () => {
  await server.stop()
  rmSync(above, { recursive: true, force: true })
})

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [checkout.main, ...args], { env: plainEnvironment(dataFolder, env) })
const vigil = async (...args: string[]): Promise<Outcome> => await outcomeOf(start(...args))
const addPerson = async (name: string) =>
  await outcomeOf(start('user', 'add', `${name}@example.org`, '--password-stdin'), 'correct horse battery')
const health = async () =>
  (await fetch(`${server.url}/hc/?full=1`)).json() as Promise<Record<string, unknown>>
const config = () => readConfig(plainEnvironment(dataFolder, env))
const journal = () => readJournal(config())
/** Of the server of databases, beside the one that is Vigil's. */
const beside = async (...statements: string[]) =>
  await withDatabase(config(), async (url) => {
    const client = new pg.Client(url.replace('/vigil?', '/postgres?'))
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  })
const backups = () => readdirSync(join(dataFolder, 'backups')).filter((name) => name.endsWith('.vbk'))

test('a version whose migration fails is refused after it was tried on a copy; the server has not noticed', async () => {
  await addPerson('ann')
  const before = await health()
  const { code, err } = await vigil('update', 'unfit')
  expect(err).toMatch(
    /^vigil: Version 0\.2\.0 \(\w{8}\) was tried on a copy and cannot take over what is here: .*9001-unfit|no_such_table.* Nothing was changed\.$/,
  )
  expect(code).toBe(1)
  expect(await health()).toMatchObject({ started_at: before['started_at'], version: before['version'] })
  expect(checkout.git('status', '--porcelain')).toBe('')
  expect(backups()).toHaveLength(1)
  expect(existsSync(join(dataFolder, 'update-trial'))).toBe(false)
}, 300_000)

test('stopped by force while it tries: nothing has changed, and the next one begins anew', async () => {
  const child = start('update', 'good')
  await eventually(() => existsSync(join(dataFolder, 'update-trial')) || undefined)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(journal()).toBe(null)
  expect(await health()).toMatchObject({ status: expect.stringMatching(/ok|degraded/), version: '0.1.0' })
}, 300_000)

test.each(['switching', 'switched'] as const)(
  'stopped by force while the program was exchanged (%s): the next one puts back what was there, and opens the database',
  async (phase) => {
    const [commit, target] = ['HEAD', 'good'].map((name) => checkout.git('rev-parse', name))
    const [next = '', before = ''] = ['next', 'before'].map((name) => join(checkout.folder, '.vigil', name))
    const program = { root: checkout.folder, next, before, entries: ['node_modules'], commit, target }
    writeJournal(config(), { phase, from: '0.1.0', to: '0.4.0', at: 0, program })
    await beside('alter database vigil with allow_connections false')
    const { code, out } = await vigil('update')
    expect(out.trim().split('\n').at(-1)).toMatch(
      /^Vigil is 0\.1\.0 again, .*while the program was exchanged/,
    )
    expect(code).toBe(1)
    expect(journal()).toBe(null)
    expect((await addPerson(`one-of-${phase}`)).code).toBe(0)
  },
  300_000,
)

test('a copy that an earlier one left and that stays ends it before anything is exchanged', async () => {
  const before = await health()
  await beside('create database vigil_before_update with is_template true')
  const { code, err } = await vigil('update', 'good')
  expect(err).toMatch(/cannot drop a template database/)
  expect(code).toBe(1)
  expect(journal()).toBe(null)
  expect(await health()).toMatchObject({ started_at: before['started_at'] })
  await beside('alter database vigil_before_update is_template false', 'drop database vigil_before_update')
}, 300_000)

test('a version that is never well: program and rows are as they were, without being asked', async () => {
  await addPerson('bob')
  const { code, out, err } = await vigil('update', 'sick', '--wait', '20')
  expect(err).toBe('')
  expect(out.trim().split('\n').at(-1)).toMatch(
    /^Vigil is 0\.1\.0 \(\w{8}\) again, with its rows as they were: 0\.3\.0 \(\w{8}\) did not come up/,
  )
  expect(code).toBe(1)
  expect(await health()).toMatchObject({ version: '0.1.0', database: { ok: true } })
  expect(checkout.git('log', '-1', '--format=%s')).toBe('the version of before')
  expect(checkout.git('status', '--porcelain')).toBe('')
  expect(journal()).toBe(null)
  const people = await vigil('user', 'list')
  expect(people).toMatchObject({ code: 0, err: '' })
  expect(people.out).toMatch(/ann@example\.org/)
  expect(people.out).toMatch(/bob@example\.org/)
  expect((await addPerson('cid')).code).toBe(0)
}, 600_000)

test('without room on the disk it says how much is needed, before it does anything', async () => {
  const disk = join(above, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m', 'vigil-update', disk], { stdio: 'ignore' })
  } catch {
    return void missing('a full disk: mounting a tmpfs needs root and CAP_SYS_ADMIN', true)
  }
  const small = join(disk, 'data')
  prepareFolder(small)
  const port = await freePort()
  const other = await up(small, port, { ...env, PORT: String(port) }, checkout.main)
  try {
    execFileSync('fallocate', ['-l', '300m', join(disk, 'ballast')])
    const said = await outcomeOf(
      spawn(process.execPath, [checkout.main, 'update', 'good'], {
        env: plainEnvironment(small, { ...env, PORT: String(port) }),
      }),
    )
    expect(said.err).toMatch(
      /There is too little room at .*: an update needs \d+ MB, and \d+ MB are free\. Nothing was changed/,
    )
    expect(said.code).toBe(1)
    expect((await fetch(`${other.url}/hc/`)).ok).toBe(true)
  } finally {
    await other.stop()
    execFileSync('umount', ['-l', disk])
  }
}, 300_000)

test('stopped by force while it watches: doctor says so, and called again it ends what it began', async () => {
  const child = start('update', 'good')
  await eventually(() => journal()?.phase === 'switched' || undefined, 240_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  for await (const { state, found, advice } of examine(config(), ['update'])) {
    expect([state, found]).toEqual([
      'warn',
      expect.stringMatching(/^An update from 0\.1\.0 .* to 0\.4\.0 .* has not ended/),
    ])
    expect(advice).toMatch(/update --back goes back/)
  }
  // Stopped where it drops the copy: nothing can go back any more, and nothing says that it could.
  const begun = journal()
  await beside('alter database vigil_before_update is_template true')
  expect((await vigil('update')).code).toBe(1)
  expect(journal()).toBe(null)
  await beside('alter database vigil_before_update is_template false')
  // Stopped before the keeper was told.
  if (begun) writeJournal(config(), { ...begun, phase: 'switching', at: Date.now() })
  const { code, out } = await vigil('update', '--json')
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ ok: true })])
  expect(await health()).toMatchObject({ version: '0.4.0' })
  expect(checkout.git('log', '-1', '--format=%s')).toBe('good')
  expect((await vigil('user', 'list')).out).toMatch(/cid@example\.org/)
  expect(await vigil('update', 'good')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/is that version already/),
  })
  expect(await vigil('update', '--back')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/nothing to go back from/),
  })
}, 600_000)

test('files of the program that were changed by hand, a version that nobody knows, and an older one are refused', async () => {
  expect((await vigil('update', 'v9.9.9')).err).toMatch(/git knows no version v9\.9\.9/)
  expect((await vigil('update', 'HEAD~1')).err).toMatch(/is older than what stands in/)
  execFileSync('sh', ['-c', `echo >> ${join(checkout.folder, 'server/serve.ts')}`])
  expect((await vigil('update', 'sick')).err).toMatch(/were changed in .* an update would lose that/)
  checkout.git('checkout', '--quiet', '--', '.')
}, 300_000)
