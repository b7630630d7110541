import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findNginx, type Nginx } from '../test/nginx.ts'
import { readConfig } from '../config.ts'
import { tinyModelFolder } from '../engines/inference/fixtures/tiny.ts'
import { prepareFolder } from '../test/spawned.ts'
import { eventually } from '../test/wire/agent.ts'
import { outcomeOf, startVigil } from './cli.fixture.ts'
import { examine as ask, LINES } from './doctor.ts'
import { FAULTS } from './doctor/faults.fixture.ts'
import { DAY, type Proxies, startProxies } from './doctor/faults.places.fixture.ts'

const nginxProgram = findNginx()
if (nginxProgram === null) {
  const advice = 'nginx is not installed: doctor behind proxies is not tested (apt-get install nginx-light).'
  if (process.env['CI'] === 'true') throw new Error(advice)
  console.warn(`${advice} Skipped.`)
}

const above = mkdtempSync(join(tmpdir(), 'vigil-doctor-'))
const dataFolder = join(above, 'data')
let server: ChildProcess
let port = ''

/** The first of so many free ports, from below those that the system gives to who calls. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 20_000)
    const taken = Array.from({ length: count }, (_, n) => createServer().listen(first + n, '127.0.0.1'))
    const all = await Promise.allSettled(taken.map((one) => once(one, 'listening')))
    for (const one of taken) one.close()
    if (all.every(({ status }) => status === 'fulfilled')) return first
  }
}

beforeAll(async () => {
  port = String(await freePorts(21))
  prepareFolder(dataFolder)
  server = startVigil(['up', '--json'], {
    dataFolder,
    env: { PORT: port, TRUSTED_PROXIES: '127.0.0.1', DETECTOR_MODEL_FOLDER: tinyModelFolder() },
  })
  server.stderr!.resume()
  await once(server.stdout!, 'data')
  server.stdout!.resume()
})
afterAll(async () => {
  if (server.kill('SIGTERM')) await once(server, 'exit')
  rmSync(above, { recursive: true, force: true })
})

interface Check {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly advice: string | null
}

type Findings = Record<string, Check | undefined>
const byName = (checks: readonly Check[]): Findings =>
  Object.fromEntries(checks.map((check) => [check.name, check]))
const usual = () => ({ PORT: port, TRUSTED_PROXIES: '127.0.0.1' })

/** What doctor says of everything, as a command. */
async function command(env: NodeJS.ProcessEnv): Promise<Findings> {
  const child = startVigil(['doctor', '--json'], { dataFolder, env: { ...usual(), ...env } })
  const { out, err } = await outcomeOf(child)
  expect(err).toBe('')
  return byName((JSON.parse(out) as { checks: Check[] }).checks)
}

/** What it says of one thing, asked without a process of its own. */
async function examine(name: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const config = readConfig({ VIGIL_DATA: dataFolder, HOST: '127.0.0.1', ...usual(), ...env })
  for await (const finding of ask(config, [name])) return finding
  throw new Error(`doctor looks at no ${name}`)
}

/** One process whose clock is three days ahead of disk, database and other hosts, and that finds no binary of a package. */
let asked: Promise<Findings> | undefined
function elsewhere(): Promise<Findings> {
  const file = join(above, 'elsewhere.mjs')
  writeFileSync(
    file,
    `import { registerHooks } from 'node:module'
     registerHooks({ resolve(asked, context, next) {
       if (asked === 'node-datachannel') throw new Error('Cannot find package')
       return next(asked, context)
     } })
     const right = Date
     const ms = ${3 * DAY}
     globalThis.Date = class extends right {
       constructor(...given) { if (given.length === 0) super(right.now() + ms); else super(...given) }
       static now() { return right.now() + ms }
     }`,
  )
  asked ??= command({ NODE_OPTIONS: `--import ${file}`, STREAM_FANOUT: 'on' })
  return asked
}

/** Asked while no program of the system is found. */
async function withoutPrograms(work: () => Promise<Check>): Promise<Check> {
  const { PATH } = process.env
  process.env['PATH'] = '/nowhere'
  try {
    return await work()
  } finally {
    process.env['PATH'] = PATH
  }
}

describe('every fault has its diagnosis and its remedy', () => {
  let proxies: Proxies = { good: '', stripping: '', handing: '', strange: '', naming: '' }
  let nginx: Nginx | undefined

  beforeAll(async () => {
    if (nginxProgram === null) return
    const started = await startProxies(nginxProgram, Number(port))
    nginx = started.nginx
    proxies = started.at
    // doctor waits for 5 s, which a server that has only just started may need on a busy machine
    await eventually(async () => (await fetch(`${proxies.good}/hc/`)).ok || undefined)
  })
  afterAll(() => nginx?.stop())

  test('there are more than 25 of them, on every line of doctor', () => {
    const lines = new Set(Object.values(FAULTS).map(({ line }) => line))
    expect(Object.keys(FAULTS).length).toBeGreaterThan(25)
    expect(LINES.filter((line) => !lines.has(line))).toEqual([])
  })

  // What keeps a command from working is made in faults.test.ts.
  const here = Object.entries(FAULTS).filter(([, { commands }]) => commands === undefined)
  test.each(here)('%s', async (name, fault) => {
    const { line, state, found, advice, make, beside, wrong } = fault
    const isProxied = make.toString().includes('proxies.')
    if (isProxied && nginxProgram === null) return
    const data = beside ? dataFolder : join(above, `of ${name.replaceAll(/\W/g, ' ')}`)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    const tell = () => Promise.reject(new Error('nothing is told to a database here'))
    const settings = (await make({ data, pages: '', proxies, tell })) ?? {}
    const env = { VIGIL_DATA: data, ...(beside ? {} : { PORT: '0' }), ...settings }
    const look = async () => await examine(line, env)
    const seen =
      wrong === 'process'
        ? (await elsewhere())[line]
        : await (wrong === 'path' ? withoutPrograms(look) : look())
    expect(seen).toEqual({
      name: line,
      state,
      found: expect.stringMatching(found),
      advice: expect.stringMatching(advice),
    })
    expect(JSON.stringify(seen)).not.toContain('hunter2')
  })

  test.skipIf(nginxProgram === null)('all is well with the proxy of our documents', async () => {
    const found = await command({ PUBLIC_URL: proxies.good })
    for (const line of ['proxy', 'websocket', 'update']) expect(found[line]).toMatchObject({ state: 'ok' })
  })
})

test('an OrcaSlicer that cannot be run, and a slicer without profiles, are found', async () => {
  expect(await examine('slicer', { ORCA_SLICER_PROGRAM: '/no/such/orca' })).toMatchObject({
    state: 'warn',
    advice: expect.stringMatching(/ORCA_SLICER_PROGRAM/),
  })
  const there = await examine('slicer', { SLICER_PROFILES: above })
  expect(there).toMatchObject({ state: 'warn', found: expect.stringMatching(/no profiles|no PrusaSlicer/) })
})

test('TRUSTED_PROXIES that the server would not take is told', async () => {
  expect(await examine('proxy', { TRUSTED_PROXIES: '0.0.0.0/0' })).toMatchObject({
    state: 'fail',
    found: expect.stringMatching(/TRUSTED_PROXIES=0\.0\.0\.0\/0 cannot be used/),
  })
})

test('where links lead is said, and what to set where nobody has', async () => {
  expect(await examine('links', {})).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/^Nobody has said where links lead/),
    advice: expect.stringMatching(/^Set PUBLIC_URL/),
  })
  expect(await examine('links', { PUBLIC_URL: 'https://vigil.example.org' })).toMatchObject({ state: 'ok' })
})

test('the ways to printers’ pages, without a relay, and video of the server, are fine', async () => {
  expect(await examine('tunnels', {})).toMatchObject({
    state: 'ok',
    found: `Printers' pages are reached by ports ${+port + 1} to ${+port + 20}, names below localhost.`,
  })
  expect((await examine('relay', {})).found).toContain('nothing leaves it')
  const STREAM_FANOUT = 'on'
  expect(await examine('video', { STREAM_FANOUT, STREAM_FANOUT_ADDRESSES: '203.0.113.7' })).toMatchObject({
    state: 'ok',
    found: `The server carries video, at UDP port ${port} of 203.0.113.7.`,
  })
  expect((await examine('clock', {})).state).not.toBe('fail')
})
