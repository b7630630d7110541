import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { lineOf } from '../carry/lines.ts'
import { visitAt } from './doors.fixture.ts'
import { aHole, type Hole, say, SMUGGLING } from './attacks.fixture.ts'

/** Attacks that need no browser, from both ends of a tunnel (docs/wire/remote.md 4 and 5). */

const MB = 1_048_576
let app: TestApp
let hole: Hole

beforeAll(async () => {
  app = await buildTestApp({ env: { TUNNEL_DOMAIN: 'vigil.test' } })
  hole = await aHole(app)
})
afterAll(async () => {
  hole?.agent.ws.terminate()
  await app?.close()
})
beforeEach(() => {
  hole.asked.splice(0)
  hole.answers.clear()
})

const visit = (path: string, options: Parameters<typeof visitAt>[3] = {}, at = hole) =>
  visitAt(app, at.host, path, { ...options, headers: { cookie: at.cookie, ...options.headers } })
/** The head of a request that would pass. */
const head = (first: string, ...more: string[]) =>
  [
    first,
    `Host: ${hole.host}`,
    `Cookie: ${hole.cookie}`,
    `Origin: http://${hole.host}`,
    ...more,
    '',
    '',
  ].join('\r\n')
const statuses = (said: string) =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

describe('what is sent to a tunnel', () => {
  it.each(SMUGGLING)('smuggles no second request: %s', async (_name, lines, body) => {
    const said = await say(
      app,
      head('POST /first HTTP/1.1', ...lines) + body + head('GET /smuggled HTTP/1.1', 'Connection: close'),
    )
    expect(said).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(statuses(said)).toHaveLength(1)
    expect(hole.asked).toEqual([])
  })

  it('is one request, also where its body is not wanted: no part of that is a request', async () => {
    const inner = head('GET /smuggled HTTP/1.1')
    const refused = `POST /x HTTP/1.1\r\nHost: ${hole.host}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`
    const said = await say(app, refused + head('GET /next HTTP/1.1', 'Connection: close'))
    expect(statuses(said)).toEqual([401, 200])
    expect(hole.asked).toEqual(['/next'])
  })

  it.each([
    ['GET http://evil.example/ HTTP/1.1', 400],
    ['GET http://127.0.0.1/ HTTP/1.1', 400],
    ['GET /\\evil.example/ HTTP/1.1', 400],
    ['GET @evil.example/ HTTP/1.1', 400],
    ['OPTIONS * HTTP/1.1', 400],
    ['TRACE / HTTP/1.1', 400],
  ])('leads to nobody else: %s', async (first, status) => {
    expect(statuses(await say(app, head(first, 'Connection: close')))).toEqual([status])
    expect(hole.asked).toEqual([])
  })

  it('leads to nobody else by its slashes, its host, CONNECT or Upgrade', async () => {
    expect((await visit('///evil.example/x')).text).toBe('/evil.example/x')
    expect(hole.asked.splice(0)).toEqual(['/evil.example/x'])
    const twice = head('GET / HTTP/1.1', 'Host: evil.example', 'Connection: close')
    expect(statuses(await say(app, twice))).toEqual([400])
    expect(await say(app, head('CONNECT evil.example:443 HTTP/1.1'))).not.toMatch(/HTTP\/1.1 [23]|left open/)
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    const dial = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', key]
    for (const path of [
      '//evil.example/websocket',
      'http://evil.example/websocket',
      '/evil',
      '/websocket/../x',
    ])
      expect([path, statuses(await say(app, head(`GET ${path} HTTP/1.1`, ...dial)))[0]]).not.toEqual([
        path,
        101,
      ])
    expect(hole.asked).toEqual([])
    // Nobody speaks that here: it is a request like others.
    for (const to of ['h2c', 'TLS/1.0', 'evil'])
      expect(
        statuses(await say(app, head('GET /x HTTP/1.1', 'Connection: Upgrade, close', `Upgrade: ${to}`))),
      ).toEqual([200])
  })

  it('has no 10,000 headers', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `X-${at}: 1`)
    expect(await say(app, head('GET / HTTP/1.1', ...many))).toMatch(/^HTTP\/1\.1 4|ECONNRESET|^$/)
    const long = Array.from({ length: 500 }, (_, at) => `X${at}:`)
    expect(await say(app, head('GET / HTTP/1.1', ...long, 'Connection: close'))).toMatch(/^HTTP\/1\.1 4/)
    expect(hole.asked).toEqual([])
  })

  it('comes slowly: it keeps neither the agent nor others waiting', async () => {
    const line = lineOf(app.ctx, hole.printerId)
    const slow = Array.from({ length: 4 }, () => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined)
      socket.write(`${head('POST /slow HTTP/1.1', 'Content-Length: 100000')}a`)
      return socket
    })
    await eventually(() => line?.kept === 4 || undefined)
    expect((await visit('/quick')).text).toBe('/quick')
    const send = (body: string) => {
      const headers = { origin: `http://${hole.host}`, 'content-length': String(body.length) }
      return visit('/one-more', { method: 'POST', body, headers })
    }
    expect([(await send('a')).status, (await send('a'.repeat(100_000))).status]).toEqual([200, 503])
    for (const socket of slow) socket.destroy()
    await eventually(() => line?.kept === 0 || undefined)
    expect(hole.asked).toEqual(['/quick', '/one-more'])
    const huge = head('POST /huge HTTP/1.1', 'Content-Length: 1000000000000', 'Connection: close')
    expect(statuses(await say(app, `${huge}a`))).toEqual([413])
  })
})

describe('what a printer’s page answers', () => {
  it('ends no line, and is no second answer', async () => {
    const planted = 'HTTP/1.1 200 OK\r\nX-Planted: 1\r\n\r\nplanted'
    const headers = {
      'x-split': 'a\r\nX-Planted: 1',
      'x-wide': 'a\u010d\u010aX-Planted: 1',
      'x-planted\r\nx': '1',
      etag: '"a\r\nX-Planted: 1"',
      'content-length': '3',
      'transfer-encoding': 'chunked',
      connection: 'keep-alive, upgrade',
      upgrade: 'h2c',
      trailer: 'x-planted',
    }
    const cookies = ['a=b\r\nX-Planted: 1', 'c=d; Domain=vigil.test\u010d\u010aX-Planted: 1']
    for (const [path, status] of [
      ['/200', 200],
      ['/204', 204],
      ['/304', 304],
      ['/100', 100],
      ['/101', 101],
      ['/999', 999],
    ] as const)
      hole.answers.set(path, { status, content: planted, headers, cookies })
    hole.answers.set('/location', {
      status: 302,
      content: '',
      headers: { location: '/%0d%0aX-Planted:%201' },
    })
    const said = await say(
      app,
      ['/204', '/304', '/100', '/101', '/999', '/location']
        .map((path) => head(`GET ${path} HTTP/1.1`))
        .join('') +
        head('HEAD /200 HTTP/1.1') +
        head('GET /last HTTP/1.1', 'Connection: close'),
    )
    expect(statuses(said)).toEqual([204, 304, 502, 502, 502, 302, 200, 200])
    expect(said).not.toMatch(/planted: ?1|h2c/i)
    expect(said).not.toContain('planted\r\n')
    expect((await visit('/200')).text).toBe(planted)
  })

  it('sets no 10,000 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, 'v']))
    const cookies = Array.from({ length: 10_000 }, (_, at) => `c${at}=v`)
    hole.answers.set('/many', { status: 200, content: 'x', headers, cookies })
    const { headers: kept } = await visit('/many')
    expect(Object.keys(kept).length).toBeLessThan(130)
    expect(kept['set-cookie']?.length).toBeLessThanOrEqual(60)
  })

  it('is no bomb: neither to the browser nor to what we ask of it ourselves', async () => {
    const gzip = { 'content-type': 'text/html', 'content-encoding': 'gzip' }
    const bomb = gzipSync(Buffer.alloc(10 * MB))
    hole.answers.set('/gzip', { status: 200, content: bomb, headers: gzip })
    const { headers, text } = await visit('/gzip')
    expect(headers['content-encoding']).toBeUndefined()
    expect(text.length).toBeLessThan(bomb.length + 1)
    // Good JSON, and as long as it likes to be.
    const padded = (value: object) => ({
      status: 200,
      compressed: true,
      content: deflateSync(JSON.stringify(value) + ' '.repeat(8 * MB)),
      headers: { 'content-type': 'application/json' },
    })
    const address = { family: 'ipv4', address: '192.168.1.7' }
    hole.answers.set(
      '/machine/system_info',
      padded({ result: { system_info: { network: { e: { ip_addresses: [address] } } } } }),
    )
    hole.answers.set('/server/config', padded({ result: { config: { server: { port: 7125 } } } }))
    await app.ctx.db
      .updateTable('printers')
      .set({ agentName: 'moonraker_obico', agentVersion: '1.7.0' })
      .where('id', '=', hole.printerId)
      .execute()
    expect(JSON.parse((await visit('/_tsd_/dest_platform_info/')).text)).toEqual({})
    // A front page is looked through only where it is small.
    const page = `<link rel="manifest" href="/m">${' '.repeat(8 * MB)}`
    hole.answers.set('/', {
      status: 200,
      compressed: true,
      content: deflateSync(page),
      headers: { 'content-type': 'text/html' },
    })
    expect((await visit('/')).text.startsWith('<link rel="manifest"')).toBe(true)
  })

  it('never ends, or never begins: it ends with who asked, and others are not kept waiting', async () => {
    const endless = { 'content-range': 'bytes 0-65535/999999999999999', etag: '"a"', 'content-type': 'a/b' }
    hole.answers.set('/server/files/endless', {
      status: 206,
      content: Buffer.alloc(65_536),
      headers: endless,
    })
    const asking = request(`${app.url}/server/files/endless`, {
      headers: { host: hole.host, cookie: hole.cookie },
    })
    const [answer] = (await once(asking.end(), 'response')) as [IncomingMessage]
    const closed = new Promise((resolve) => answer.once('close', resolve))
    answer.on('error', () => undefined).resume()
    // The second part is not what it says it is: it goes no further.
    await closed
    expect(answer.complete).toBe(false)
    expect(hole.asked.length).toBeLessThan(4)

    hole.answers.set('/never', null)
    const other = await aHole(app)
    const waiting = Array.from({ length: 12 }, () =>
      request(`${app.url}/never`, { headers: { host: hole.host, cookie: hole.cookie } })
        .on('error', () => undefined)
        .end(),
    )
    await eventually(() => hole.asked.filter((path) => path === '/never').length >= 6 || undefined)
    expect((await visit('/quick', {}, other)).text).toBe('/quick')
    expect(await (await fetch(`${app.url}/hc/`)).text()).toBe('Okay')
    for (const one of waiting) one.destroy()
    other.agent.ws.terminate()
    // Its places at the agent are taken until that answers: for the next test, it comes anew.
    hole.agent.ws.terminate()
    hole = await aHole(app)
  })

  it('is not told in our own words for a failure', async () => {
    hole.answers.set('/html', { status: 502, content: '<script>planted</script>', headers: {} })
    hole.answers.set('/away', {
      status: 302,
      content: '',
      headers: { location: 'https://planted.example/<script>' },
    })
    for (const path of ['/html', '/away', '/_tsd_/<script>planted', `/${'<planted>'.repeat(1000)}`])
      for (const accept of ['text/html', 'application/json', '*/*']) {
        const { status, text } = await visit(path, { headers: { accept } })
        expect([path, status >= 400, text.includes('planted')]).toEqual([path, true, false])
      }
  })

  it('is kept for no other printer', async () => {
    const other = await aHole(app)
    const path = '/assets/index-BX3kd9aQ.js'
    const answer = (content: string) => ({
      status: 200,
      content,
      headers: { 'content-type': 'text/javascript', etag: '"same"', 'cache-control': 'public, s-maxage=99' },
    })
    hole.answers.set(path, answer('planted'))
    other.answers.set(path, answer('good'))
    const first = await visit(path)
    expect([first.text, first.headers['cache-control']]).toEqual([
      'planted',
      'private, max-age=31536000, immutable',
    ])
    await eventually(async () => {
      const before = hole.asked.length
      expect((await visit(path)).text).toBe('planted')
      return hole.asked.length === before || undefined
    })
    for (const one of [path, `/${path}`, `${path}?`, '/x/..' + path])
      expect([one, (await visit(one, {}, other)).text]).not.toEqual([one, 'planted'])
    expect((await visit(path, {}, other)).text).toBe('good')
    other.agent.ws.terminate()
  })
})
