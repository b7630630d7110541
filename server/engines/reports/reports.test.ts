import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { BadConfig, readConfig } from '../../config.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../test/app.ts'

interface Received {
  readonly url: string
  readonly text: string
  readonly report: {
    exception: { values: { type: string; value: string; stacktrace: { frames: object[] } }[] }
    tags: object
  }
}

const received: Received[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const [, , report = ''] = text.split('\n')
    received.push({ url: request.url ?? '', text, report: JSON.parse(report) })
    response.end('{}')
  })
})

let dsn = ''
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  dsn = `http://abc123@127.0.0.1:${(collector.address() as AddressInfo).port}/42`
})
afterAll(() => void collector.close())
beforeEach(() => void received.splice(0))

/** A list of printers that cannot be had, asked for with everything that nobody may be told. */
async function crash(app: TestApp, user: TestUser) {
  await sql`alter table printers rename to printers_elsewhere`.execute(app.ctx.db)
  const answer = await call(app, 'GET', '/api/v1/printers/?with_archived=true&token=s3cr3t-in-query', {
    cookie: user.cookie,
    headers: {
      'x-forwarded-for': '198.51.100.7',
      referer: 'http://home.example/printers/share_token/abcdef/',
    },
  })
  // What is done by the clock meanwhile is not to fail too.
  await sql`alter table printers_elsewhere rename to printers`.execute(app.ctx.db)
  expect(answer.status).toBe(500)
  return answer
}

describe('with SENTRY_DSN', () => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await buildTestApp({ env: { SENTRY_DSN: dsn } })
    user = await aUser(app)
    await aPrinter(app, user, 'Grandmother’s Ender')
  })
  afterAll(() => app?.close())

  it('a crash in a route is reported once, with where it was and nothing of whom', async () => {
    await crash(app, user)
    await expect.poll(() => received.length).toBe(1)
    const [one] = received
    expect(one!.url).toBe('/api/42/envelope/?sentry_version=7&sentry_key=abc123')
    const [head, item] = one!.text.split('\n').map((line) => JSON.parse(line || 'null') as object)
    expect(head).toMatchObject({ event_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(item).toEqual({ type: 'event' })
    expect(one!.report).toMatchObject({
      platform: 'node',
      level: 'error',
      release: 'vigil@0.1.0',
      environment: 'test',
      exception: { values: [{ value: '42P01' }] },
      tags: { route: '/api/v1/printers/' },
      sdk: { settings: { infer_ip: 'never' } },
    })
    const [failure] = one!.report.exception.values
    expect(failure!.stacktrace.frames).toContainEqual(
      expect.objectContaining({ filename: expect.stringMatching(/^server\/modules\/.*\.ts$/), in_app: true }),
    )
    for (const secret of [
      user.email,
      user.cookie.split('=')[1]!,
      '198.51.100.7',
      's3cr3t',
      'abcdef',
      'Ender',
    ])
      expect(one!.text).not.toContain(secret)
    expect(one!.text).not.toContain(app.dataFolder)
    expect(one!.text).not.toContain(process.cwd())

    await call(app, 'GET', '/api/v1/printers/?with_archived=true', { cookie: user.cookie })
    app.ctx.log.error({ err: new RangeError('the next one') }, 'x')
    await expect.poll(() => received.length).toBeGreaterThan(1)
    expect(received.slice(1).map(({ report }) => report.exception.values[0]?.type)).toEqual(['RangeError'])
  })

  it('what an error says is not told: names, files, G-code, pictures, addresses', async () => {
    const told = [
      'Mika Keller',
      'bracket_left_v3.gcode',
      'G1 X10 Y20 E3',
      'mika@example.org',
      '192.168.1.20',
      'data:image/jpeg;base64,/9j/4AAQ',
      'http://home.example/ws/token/web/0123456789abcdef/',
    ].join(' ')
    const cause = Object.assign(new TypeError(`Cannot read properties of undefined (reading '${told}')`), {
      address: told,
      query: told,
    })
    const forged = new Error(`${told}\n    at Mika (${process.cwd()}/server/Keller.ts:1:1)`, { cause })
    app.ctx.log.error({ err: forged, printerId: 7, path: `/media/${told}`, kind: 'timelapse' }, told)
    await expect.poll(() => received.length).toBe(1)
    const [one] = received
    expect(one!.report.exception.values.map(({ type, value }) => [type, value])).toEqual([
      ['TypeError', 'Cannot read properties of undefined'],
      ['Error', ''],
    ])
    expect(one!.report.tags).toEqual({ kind: 'timelapse' })
    for (const word of [...told.split(/[\s/]+/).filter((each) => each.length > 3), 'Keller'])
      expect(one!.text).not.toContain(word)
  })

  it('pages may connect to the collector, and to nothing else', async () => {
    const { headers } = await call(app, 'GET', '/accounts/login/')
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${new URL(dsn).origin};`)
  })

  it('what ends the process is told before it ends', async () => {
    const child = fork(join(import.meta.dirname, 'crash.fixture.ts'), {
      env: { SENTRY_DSN: dsn, VIGIL_SECRET: 'x'.repeat(32) },
      silent: true,
    })
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(1)
    expect(received.map(({ report }) => report.exception.values)).toContainEqual([
      expect.objectContaining({ type: 'TypeError', value: 'Cannot read properties of undefined' }),
    ])
  })
})

describe('without', () => {
  it('nothing leaves, and pages may connect to ourselves alone', async () => {
    const app = await buildTestApp()
    const leaving = vi.spyOn(globalThis, 'fetch')
    try {
      const user = await aUser(app)
      const { headers } = await crash(app, user)
      expect(headers.get('content-security-policy')).toContain("connect-src 'self';")
      app.ctx.log.error({ err: new Error('crash') }, 'x')
      // A report is sent in the turn in which it is made.
      expect(leaving.mock.calls.filter(([to]) => !String(to).startsWith(app.url))).toEqual([])
    } finally {
      leaving.mockRestore()
      await app.close()
    }
  })

  it('a collector that is away changes nothing', async () => {
    const app = await buildTestApp({ env: { SENTRY_DSN: 'http://abc123@127.0.0.1:9/42' } })
    try {
      await crash(app, await aUser(app))
      expect((await call(app, 'GET', '/hc/')).status).toBe(200)
    } finally {
      await app.close()
    }
  })

  it.each([
    'https://key:secret@sentry.example/1',
    'https://sentry.example/1',
    'ftp://key@sentry.example/1',
    'https://key@sentry.example/',
    "https://key@sentry.example;script-src 'x'/1",
    'nonsense',
  ])('%s stops the start', (wrong) => {
    expect(() => readConfig({ SENTRY_DSN: wrong })).toThrow(BadConfig)
  })
})
