import { type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findNginx, freePort, type Nginx, startNginx } from '../test/nginx.ts'
import { readConfig } from '../config.ts'
import { prepareFolder } from '../test/spawned.ts'
import { eventually } from '../test/wire/agent.ts'
import { outcomeOf, startVigil } from './cli.fixture.ts'
import { examine as ask } from './doctor.ts'

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
  server = startVigil(['up', '--json'], { dataFolder, env: { PORT: port, TRUSTED_PROXIES: '127.0.0.1' } })
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

describe.skipIf(nginxProgram === null)('behind a proxy', () => {
  const ports = { good: 0, stripping: 0, handing: 0, strange: 0, naming: 0 }
  let nginx: Nginx | undefined
  const at = (name: keyof typeof ports) => ({ PUBLIC_URL: `http://127.0.0.1:${ports[name]}` })

  beforeAll(async () => {
    for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort()
    const example = readFileSync(join(import.meta.dirname, '../../docs/self-hosting.md'), 'utf8')
      .split('```nginx')[1]!
      .split('\n')
      .filter((line) => /^\s*proxy_(?:set_header|http_version) /.test(line))
      .join('\n')
    const without = (words: RegExp) =>
      example
        .split('\n')
        .filter((line) => !words.test(line))
        .join('\n')
    const block = (listen: number, headers: string) =>
      `server { listen ${listen}; location / { proxy_pass http://127.0.0.1:${port}; ${headers} } }`
    const servers = [
      block(ports.good, example),
      block(ports.stripping, without(/Upgrade|Connection/)),
      block(ports.handing, without(/""/)),
      block(ports.strange, `${example} proxy_bind 127.0.0.7;`),
      block(ports.naming, without(/ Host /)),
    ]
    nginx = await startNginx(nginxProgram as string, servers.join('\n'), ports.good)
    // doctor waits for 5 s, which a server that has only just started may need on a busy machine
    await eventually(async () => (await fetch(`${at('good').PUBLIC_URL}/hc/`)).ok || undefined)
  })
  afterAll(() => nginx?.stop())

  test('all is well with the one of our documents', async () => {
    const found = await command(at('good'))
    expect(found['proxy']).toMatchObject({ state: 'ok' })
    expect(found['websocket']).toMatchObject({ state: 'ok' })
  })

  test('that drops Upgrade, it says so', async () => {
    expect(await examine('websocket', at('stripping'))).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/not at .*: the Upgrade header is lost on the way/),
      advice: expect.stringMatching(/must pass Upgrade and Connection/),
    })
  })

  test('that hands on what strangers claim, it says so', async () => {
    expect(await examine('proxy', at('handing'))).toMatchObject({
      state: 'warn',
      found: expect.stringMatching(/hands on X-Forwarded-Host or X-Forwarded-Prefix of strangers/),
    })
  })

  test('that is not trusted, it names its address', async () => {
    expect(await examine('proxy', at('strange'))).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(
        /calls from 127\.0\.0\.7, which TRUSTED_PROXIES=127\.0\.0\.1 does not name/,
      ),
      advice: expect.stringMatching(/^Set TRUSTED_PROXIES to 127\.0\.0\.7/),
    })
  })

  test('that hides the address it is called by, it says where links would lead', async () => {
    expect(await examine('proxy', at('naming'))).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/is called as http:\/\/127\.0\.0\.1:\d+, so links lead there/),
    })
  })
})

test('a slicer that cannot be run, and one without profiles, are found', async () => {
  expect(await examine('slicer', { SLICER_PROGRAM: '/no/such/slicer' })).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/cannot be run/),
    advice: expect.stringMatching(/SLICER_PROGRAM/),
  })
  expect(await examine('slicer', { ORCA_SLICER_PROGRAM: '/no/such/orca' })).toMatchObject({
    state: 'warn',
    advice: expect.stringMatching(/ORCA_SLICER_PROGRAM/),
  })
  const there = await examine('slicer', { SLICER_PROFILES: above })
  expect(there).toMatchObject({ state: 'warn', found: expect.stringMatching(/no profiles|no PrusaSlicer/) })
})

test('trusting everybody is found', async () => {
  const TRUSTED_PROXIES = '0.0.0.0/1,128.0.0.0/1,::/1'
  expect(await examine('proxy', { TRUSTED_PROXIES })).toMatchObject({
    state: 'fail',
    found: expect.stringMatching(/believes everybody/),
  })
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
  expect(await examine('links', { PUBLIC_URL: 'http://localhost:3334' })).toMatchObject({ state: 'warn' })
  expect(await examine('links', { PUBLIC_URL: 'https://vigil.example.org' })).toMatchObject({ state: 'ok' })
})

test('the ways to printers’ pages are tried', async () => {
  expect(await examine('tunnels', {})).toMatchObject({
    state: 'ok',
    found: `Printers' pages are reached by ports ${+port + 1} to ${+port + 20}, names below localhost.`,
  })
  expect(await examine('tunnels', { TUNNEL_DOMAIN: 'nowhere.invalid' })).toMatchObject({
    state: 'fail',
    found: expect.stringMatching(/not reached by sub-domains of nowhere\.invalid/),
    advice: expect.stringMatching(/^DNS must lead/),
  })
})

test('another server behind PUBLIC_URL is found', async () => {
  const PUBLIC_URL = `http://127.0.0.1:${await freePort()}`
  expect(await examine('proxy', { PUBLIC_URL })).toMatchObject({
    state: 'fail',
    found: expect.stringMatching(/does not lead to this server: connect ECONNREFUSED/),
  })
})

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
     const ms = ${3 * 86_400_000}
     globalThis.Date = class extends right {
       constructor(...given) { if (given.length === 0) super(right.now() + ms); else super(...given) }
       static now() { return right.now() + ms }
     }`,
  )
  asked ??= command({ NODE_OPTIONS: `--import ${file}`, STREAM_FANOUT: 'on' })
  return asked
}

describe('a clock that is days ahead', () => {
  test('is found by the times of files', async () => {
    expect((await elsewhere())['clock']).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/is [23] days ahead of that of the disk/),
      advice: expect.stringMatching(/NTP/),
    })
  })

  test('is found when it was set right again: files come from the future', async () => {
    const file = join(dataFolder, 'log', 'postgres.log')
    const tomorrow = new Date(Date.now() + 3 * 86_400_000)
    utimesSync(file, tomorrow, tomorrow)
    expect(await examine('clock', {})).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/is [23] days behind the newest file in/),
    })
    utimesSync(file, new Date(), new Date())
    expect((await examine('clock', {})).state).not.toBe('fail')
  })
})

test('a relay that refuses the password of viewers, and a STUN server that is silent, are named', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  // Asks for a password, whatever it is given.
  const strict = createSocket('udp4').bind(0, '127.0.0.1')
  strict.on('message', (asked, { port: from }) => {
    const attributes = [
      [0x0009, Buffer.from([0, 0, 4, 1])],
      [0x0014, Buffer.from('home')],
      [0x0015, Buffer.from('once')],
    ] as const
    const body = attributes.map(([kind, value]) =>
      Buffer.concat([Buffer.from([0, kind, 0, value.length]), value]),
    )
    const head = Buffer.from(asked.subarray(0, 20))
    head.writeUInt16BE(0x0113, 0)
    head.writeUInt16BE(Buffer.concat(body).length, 2)
    strict.send(Buffer.concat([head, ...body]), from, '127.0.0.1')
  })
  await Promise.all([once(silent, 'listening'), once(strict, 'listening')])
  const relay = await examine('relay', {
    STUN_URLS: `stun:127.0.0.1:${silent.address().port}`,
    TURN_URLS: `turn:127.0.0.1:${strict.address().port}`,
    TURN_SECRET: 'a secret of viewers',
  })
  expect(relay.state).toBe('warn')
  expect(relay.found).toMatch(/^stun:\S+ does not answer\. turn:\S+ refuses the password that viewers get\.$/)
  silent.close()
  strict.close()
  expect((await examine('relay', {})).found).toContain('nothing leaves it')
})

test('whether the server can carry video is tried: its package, and its port', async () => {
  const STREAM_FANOUT = 'on'
  expect(await examine('video', { STREAM_FANOUT, STREAM_FANOUT_ADDRESSES: '203.0.113.7' })).toMatchObject({
    state: 'ok',
    found: `The server carries video, at UDP port ${port} of 203.0.113.7.`,
  })
  expect((await elsewhere())['video']).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/node-datachannel is not installed .* as without\.$/),
  })
})
