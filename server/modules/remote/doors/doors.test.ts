import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  aNode,
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { redisLab } from '../../../engines/live/redis.fixture.ts'
import { freePort } from '../../../test/nginx.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { byServer } from '../../core/access/index.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { putPicture } from '../../core/presence/index.ts'
import { localPage, type LocalPage, simulatedAgent } from '../carry/tunnels.fixture.ts'
import { createAppTunnel, internalTunnel, revokeTunnel } from '../grants/grants.service.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { addUsage, usageOf } from '../grants/usage.service.ts'
import { entranceFor, visitAt } from './doors.fixture.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let page: LocalPage
let port: number
let owner: TestUser
let printer: { id: number; auth_token: string }
const ends: (() => unknown)[] = []
/** What the printer's page answers next. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
/** What it was asked. */
let heard: IncomingMessage | null = null
/** What of that `x-mine` marks: what else calls at its port is not this test's. */
let asked: string[] = []

beforeAll(async () => {
  port = await freePort()
  app = await buildTestApp({
    env: { OCTOPRINT_TUNNEL_PORT_RANGE: `${port}-${port}`, TUNNEL_DOMAIN: 'vigil.test', IS_ENT: 'true' },
  })
  page = await localPage((request, response) => {
    heard = request
    if (request.headers['x-mine']) asked.push(`${request.method} ${request.url}`)
    request.resume()
    answer(request, response)
  })
  const sockets = new WebSocketServer({ server: page.server })
  sockets.on('connection', (ws) => ws.on('message', (data) => ws.send(`echo ${String(data)}`)))
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
  const agent = await simulatedAgent(app, printer, { localUrl: page.url })
  ends.push(() => agent.stop())
})
afterAll(async () => {
  for (const end of ends) end()
  page.close()
  await app.close()
})
beforeEach(() => {
  heard = null
  asked = []
  // A websocket's address says so.
  answer = ({ url = '' }, response) =>
    response.writeHead(/websocket/.test(url) ? 426 : 200).end(/websocket/.test(url) ? '' : 'hello')
})

const visit = (host: string, path: string, options?: Parameters<typeof visitAt>[3]) =>
  visitAt(app, host, path, options)
const entrance = (tunnel: TunnelRow, who = owner) => entranceFor(app, tunnel, who)
const hostOf = ({ code }: TunnelRow) => `${code}.tunnels.vigil.test`
/** The internal tunnel of the printer, and the cookie with which its owner was let in. */
async function entered(): Promise<{ tunnel: TunnelRow; cookie: string; host: string }> {
  const tunnel = await internalTunnel(app.ctx, byServer(asId(printer.id)))
  const { host, pathname, search } = await entrance(tunnel)
  const { status, headers } = await visit(host, pathname + search)
  expect([status, headers.location]).toEqual([302, '/'])
  return { tunnel, host, cookie: String(headers['set-cookie']?.[0]?.split(';', 1)[0]) }
}

async function anApp() {
  const made = await createAppTunnel(app.ctx, { ...byServer(asId(printer.id)), userId: owner.id }, 'Test app')
  const basic = `Basic ${Buffer.from(`${made.user}:${made.password}`).toString('base64')}`
  return { ...made, basic, host: hostOf(made.tunnel) }
}

describe('an origin', () => {
  it('that names no tunnel, or one that was revoked, asks for a password and serves nothing of the app', async () => {
    const tunnel = await internalTunnel(app.ctx, byServer(asId(printer.id)))
    await revokeTunnel(app.ctx, byServer(asId(printer.id)), tunnel.id)
    for (const [host, name] of [
      ['0123456789abcdef.tunnels.vigil.test', '0123456789abcdef'],
      [hostOf(tunnel), tunnel.code],
      ['0123456789abcdef.localhost', '0123456789abcdef'],
      ['anything.tunnels.vigil.test', 'unknown'],
    ] as const) {
      for (const path of ['/', '/api/v1/version/', '/hc/', '/_tsd_/enter/?ticket=x', '/assets/index.js']) {
        const { status, headers, text } = await visit(host, path, { headers: { cookie: owner.cookie } })
        expect([host, path, status, headers['www-authenticate']]).toEqual([
          host,
          path,
          401,
          `Basic realm="tunnel ${name}", charset="UTF-8"`,
        ])
        expect(text).not.toContain('Okay')
      }
    }
    const { headers } = await visit('127.0.0.1', '/api/v1/users/me/', {
      at: port,
      headers: { cookie: owner.cookie },
    })
    expect(headers['www-authenticate']).toBe(`Basic realm="tunnel ${port}", charset="UTF-8"`)
    expect((await call(app, 'GET', '/hc/')).text).toBe('Okay')
  })

  it('is served at its name and at its port', async () => {
    const { tunnel, cookie, host } = await entered()
    expect(tunnel.port).toBe(port)
    expect((await visit(host, '/', { headers: { cookie } })).text).toBe('hello')
    const byPort = await visit(`127.0.0.1:${port}`, '/x', { at: port, headers: { cookie } })
    expect([byPort.status, byPort.text]).toEqual([200, 'hello'])
    const worker = { cookie, 'service-worker': 'script' }
    expect((await visit(`127.0.0.1:${port}`, '/sw.js', { at: port, headers: worker })).status).toBe(404)
    expect((await visit(host, '/sw.js', { headers: worker })).status).toBe(404)
    expect((await visit(`${tunnel.code}.localhost`, '/', { headers: { cookie } })).text).toBe('hello')
    // What a page at that port asks of the app with the app's own cookie.
    const foreign = { cookie: owner.cookie, headers: { origin: `http://127.0.0.1:${port}` } }
    expect((await call(app, 'POST', '/api/v1/auth/logout/', foreign)).status).toBe(403)
    const { cookie: session } = owner
    expect(await dial('127.0.0.1', '/ws/web/all/', { cookie: session, origin: foreign.headers.origin })).toBe(
      403,
    )
    await revokeTunnel(app.ctx, byServer(asId(printer.id)), tunnel.id)
  })
})

describe('an internal tunnel', () => {
  it('lets its owner in by a ticket that is good once, for this tunnel', async () => {
    const tunnel = await internalTunnel(app.ctx, byServer(asId(printer.id)))
    const { host, pathname, search } = await entrance(tunnel)
    const path = pathname + search
    expect((await visit('0123456789abcdef.tunnels.vigil.test', path)).status).toBe(401)
    const { status, headers } = await visit(host, path)
    expect([status, headers['set-cookie']?.[0]]).toEqual([
      302,
      expect.stringMatching(new RegExp(`^tsd_tunnel_${tunnel.code}=[^;]+; Path=/; HttpOnly; SameSite=Lax$`)),
    ])
    expect((await visit(host, path)).status).toBe(401)
    for (const cookie of ['', owner.cookie, `tsd_tunnel_${tunnel.code}=forged.forged`]) {
      const refused = await visit(host, '/', { headers: { cookie } })
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, undefined])
    }
  })

  it('ends when its owner signs out', async () => {
    const other = await aUser(app)
    const theirs = await aPrinter(app, other)
    const mine = await internalTunnel(app.ctx, byServer(asId(printer.id)))
    await revokeTunnel(app.ctx, byServer(asId(printer.id)), mine.id)
    const tunnel = await internalTunnel(app.ctx, byServer(theirs.id))
    const { host, pathname, search } = await entrance(tunnel, other)
    const { headers } = await visit(host, pathname + search)
    const cookie = String(headers['set-cookie']?.[0]?.split(';', 1)[0])
    expect((await visit(host, '/', { headers: { cookie } })).status).toBe(482)
    await call(app, 'POST', '/api/v1/auth/logout/', { cookie: other.cookie })
    expect((await visit(host, '/', { headers: { cookie } })).status).toBe(401)
    await revokeTunnel(app.ctx, byServer(theirs.id), tunnel.id)
  })

  it('is not asked by other pages: neither calls nor sockets, also not those of another port', async () => {
    const { cookie, host } = await entered()
    const own = `http://${host}`
    const post = (headers: Record<string, string>) =>
      visit(host, '/x', { method: 'POST', body: 'a', headers: { cookie, 'content-length': '1', ...headers } })
    const others: Record<string, string>[] = [
      { origin: 'http://vigil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of others) expect([headers, (await post(headers)).status]).toEqual([headers, 403])
    expect((await post({ origin: own })).status).toBe(200)
    const embedded = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
    expect((await visit(host, '/x', { headers: embedded })).status).toBe(403)
    const framed = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
    expect((await visit(host, '/x', { headers: framed })).status).toBe(200)
    for (const [origin, wanted] of [
      ['http://vigil.test', 403],
      ['', 403],
      [own, 101],
    ] as const)
      expect([origin, await dial(host, '/websocket', { cookie, ...(origin && { origin }) })]).toEqual([
        origin,
        wanted,
      ])
  })
})

/** The status of a handshake. */
async function dial(host: string, path: string, headers: Record<string, string>): Promise<number> {
  const ws = new WebSocket(app.wsUrl + path, { headers: { host, ...headers } })
  ws.on('error', () => undefined)
  const status = await new Promise<number>((resolve) => {
    ws.once('open', () => resolve(101))
    ws.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  })
  ws.terminate()
  return status
}

describe('what passes', () => {
  it('no cookie that this server sets reaches a printer, and no printer sets one', async () => {
    const { tunnel, cookie, host } = await entered()
    const { email } = owner
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'vigil.home' }
    const signIn = (headers: Record<string, string>) =>
      call(app, 'POST', '/api/v1/auth/login/', { body: { email, password: PASSWORD }, headers })
    const sharer = await aUser(app)
    const { id: sharedId } = await aPrinter(app, sharer)
    const links = `/api/v1/printers/${sharedId}/share_links/`
    const link = await call(app, 'POST', links, { cookie: sharer.cookie, body: { pin: '1234' } })
    expect(link.status).toBe(201)
    const pin = { share_token: link.json.share_token as string, pin: '1234' }
    const answers = [
      await signIn({}),
      await signIn(https),
      await call(app, 'GET', '/api/v1/bootstrap/', { headers: { 'x-obico-syndicate': 'jusprin' } }),
      await call(app, 'POST', '/api/v1p/printer/pin/', { body: pin }),
    ]
    const given = answers.flatMap(({ headers }) =>
      headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? ''),
    )
    const pairs = [...new Set([...given, cookie])]
    const names = [...new Set(pairs.map((pair) => pair.split('=', 1)[0] ?? ''))]
    expect(names.toSorted()).toEqual([
      '__Host-tsd_browser',
      '__Host-tsd_sessionid',
      'tsd_browser',
      'tsd_sessionid',
      'tsd_syndicate',
      `tsd_tunnel_${tunnel.code}`,
      `tsd_viewer_${pin.share_token.slice(0, 8)}`,
    ])
    // Those that browsers still have of before are as little a printer's.
    const before = ['known_browser', 'vigil_viewer_12345678', 'syndicate_header', 'csrftoken', 'sessionid']
    const planted = [
      ...names,
      ...before,
      ...names.map((name) => `__Secure-${name.replace('__Host-', '')}`),
      'TSD_browser',
    ]
    answer = (_request, response) =>
      response
        .writeHead(200, { 'set-cookie': [...planted.map((name) => `${name}=planted`), 'theirs=2'] })
        .end('x')
    const sent = [
      ...pairs,
      ...before.map((name) => `${name}=x`),
      `t.${tunnel.code}.tsd_browser=x`,
      'theirs=1',
    ]
    const { headers } = await visit(host, '/', { headers: { cookie: sent.join('; ') } })
    expect(heard?.headers.cookie).toBe('theirs=1')
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^theirs=2;/)])
  })

  it('hides from the printer who asks and what is ours, and from the browser what is the wall’s', async () => {
    const { tunnel, cookie, host } = await entered()
    answer = (_request, response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        etag: 'bare',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=1',
        'clear-site-data': '"cookies"',
        'access-control-allow-origin': '*',
        'service-worker-allowed': '/',
        'alt-svc': 'h3=":1"',
        'cache-control': 'public, max-age=60',
        'set-cookie': [
          'session_P5000=abc; HttpOnly; Path=/',
          'tsd_sessionid=evil; Path=/',
          `tsd_tunnel_${tunnel.code}=evil`,
          'wide=1; Domain=vigil.test; Max-Age=5',
        ],
      })
      response.end('<link rel="manifest" href="/m.json">')
    }
    const { headers, text } = await visit(host, '/', {
      headers: {
        cookie: `${cookie}; tsd_sessionid=secret; csrftoken=x; theirs=1`,
        origin: `http://${host}`,
        referer: `http://${host}/`,
        'x-forwarded-for': '203.0.113.7',
        'x-api-key': 'the printers own',
        authorization: 'Bearer theirs',
      },
    })
    expect(heard?.headers).toMatchObject({
      cookie: 'theirs=1',
      authorization: 'Bearer theirs',
      'x-api-key': 'the printers own',
    })
    for (const name of ['origin', 'referer', 'x-forwarded-for'])
      expect(heard?.headers).not.toHaveProperty(name)
    expect(headers['set-cookie']).toEqual([
      'session_P5000=abc; HttpOnly; Path=/; Max-Age=7776000',
      'session_P80=abc; HttpOnly; Path=/; Max-Age=7776000',
      'wide=1; Max-Age=5',
    ])
    const policy = headers['content-security-policy']
    expect(policy).toMatch(/^frame-ancestors 'self' http:\/\/vigil\.test; sandbox allow-scripts /)
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toContain("'none'")
    expect(headers).toMatchObject({
      etag: '"bare"',
      'cache-control': 'private, max-age=60',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const name of [
      'x-frame-options',
      'strict-transport-security',
      'clear-site-data',
      'access-control-allow-origin',
      'service-worker-allowed',
      'alt-svc',
    ])
      expect(headers).not.toHaveProperty(name)
    expect(text).toBe('<link crossorigin="use-credentials" rel="manifest" href="/m.json">')
  })

  it('redirects stay within the tunnel', async () => {
    const { cookie, host } = await entered()
    const led = async (location: string) => {
      answer = (_request, response) => response.writeHead(302, { location }).end()
      const { status, headers } = await visit(host, '/a/b', { headers: { cookie } })
      return headers.location ?? status
    }
    expect(await led('c?x=1')).toBe('/a/c?x=1')
    expect(await led('http://localhost:5000/login')).toBe('/login')
    expect(await led('http://192.168.1.7/')).toBe('/')
    expect(await led('https://evil.example/')).toBe(502)
    expect(await led('//evil.example/')).toBe(502)
    expect(await led('http://192.168.1.7//evil.example/')).toBe('/evil.example/')
    expect(await led('javascript:alert(1)')).toBe(502)
  })

  it('what names another host, or is no request, does not reach the agent', async () => {
    const { cookie, host } = await entered()
    const mine = { cookie, 'x-mine': '1' }
    await visit(host, '//evil.example/x', { headers: mine })
    for (const path of ['/a\\b', 'http://evil.example/'])
      expect([path, (await visit(host, path, { headers: mine })).status]).toEqual([path, 400])
    const chunked = { ...mine, 'transfer-encoding': 'chunked', origin: `http://${host}` }
    expect((await visit(host, '/x', { method: 'POST', body: 'a', headers: chunked })).status).toBe(411)
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, '1']))
    expect((await visit(host, '/', { headers: { ...mine, ...many } })).status).toBe(400)
    expect((await visit(host, '/', { method: 'TRACE', headers: mine })).status).toBe(400)
    expect(asked).toEqual(['GET /evil.example/x'])
  })

  it('a websocket talks with the printer’s page, and ends when the tunnel is taken back', async () => {
    const { tunnel, cookie, host } = await entered()
    const ws = new WebSocket(`${app.wsUrl}/websocket?token=1`, {
      headers: { host, cookie, origin: `http://${host}` },
    })
    await once(ws, 'open')
    ws.send('hi')
    expect(String((await once(ws, 'message'))[0])).toBe('echo hi')
    const closed = once(ws, 'close')
    await revokeTunnel(app.ctx, byServer(asId(printer.id)), tunnel.id)
    expect((await closed)[0]).toBe(4401)
  })
})

describe('an app', () => {
  beforeAll(async () => {
    const tunnel = await internalTunnel(app.ctx, byServer(asId(printer.id)))
    await revokeTunnel(app.ctx, byServer(asId(printer.id)), tunnel.id)
  })

  it('comes with its password, which the printer never sees', async () => {
    const { basic, host, tunnel, user, password } = await anApp()
    const authorization = `${basic}, Bearer theirs`
    expect((await visit(host, '/', { headers: { authorization } })).text).toBe('hello')
    expect(heard?.headers.authorization).toBe('Bearer theirs')
    const wrong = Buffer.from(`${user}:${password.replace(/./g, '0')}`).toString('base64')
    const refused = await visit(host, '/', { headers: { authorization: `Basic ${wrong}` } })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Basic realm="tunnel ${tunnel.code}", charset="UTF-8"`,
    ])
    expect((await visit(host, '/', { headers: { cookie: owner.cookie } })).status).toBe(401)
    expect(await dial(host, '/sockjs/1/2/websocket', { authorization })).toBe(101)
    expect(await dial(host, '/api/x', { authorization })).toBe(404)

    const ask = async (path: string) => {
      const { status, text } = await visit(host, path, { headers: { authorization } })
      return status === 200 ? JSON.parse(text) : status
    }
    expect(await ask('/_TSD_/tunnelusage/')).toMatchObject({ monthly_cap: expect.any(Number) })
    expect(await ask('/_tsd_/webcam/0/')).toEqual({ snapshot: null })
    expect(await ask('/_tsd_/prediction/')).toEqual({ normalized_p: 0 })
    expect(await ask('/_tsd_/dest_platform_info/')).toEqual({})
    expect(await ask('/_tsd_/other/')).toBe(404)

    const picture = { container: 'tsd-pics', path: 'raw/1/x.jpg' } as const
    await app.ctx.files.put(picture, Buffer.from('JPEG'))
    await putPicture(app.ctx, asId(printer.id), {
      raw: picture,
      tagged: null,
      at: app.ctx.clock.now(),
      checkedAt: null,
      blind: null,
    })
    expect(await ask('/_tsd_/webcam/0/')).toEqual({
      snapshot: expect.stringMatching(/^http:\/\/vigil\.test\/media\/tsd-pics\/raw\/1\/x\.jpg\?digest=/),
    })
    const still = await visit(host, '/webcam/?action=snapshot&t=1', { headers: { authorization } })
    expect([still.status, still.text]).toEqual([200, 'JPEG'])

    await setPlan(app.ctx, { email: owner.email, plan: 'free' })
    app.advance(6_000)
    addUsage(app.ctx, owner.id, 1e12)
    const over = await visit(host, '/', {
      headers: { authorization, accept: 'text/html', 'accept-language': 'zh' },
    })
    expect([over.status, over.headers['content-type']]).toEqual([481, 'text/html; charset=utf-8'])
    expect(over.text).toContain('<meta http-equiv="refresh"')
    expect(over.text).toContain('流量')
    expect(await ask('/_tsd_/tunnelusage/')).toMatchObject({ total: expect.any(Number) })
  })
})

it('two sessions at once are refused by the app, one beside rubbish is not', async () => {
  const [one, two] = [await aUser(app), await aUser(app)]
  const me = (cookie: string) => call(app, 'GET', '/api/v1/users/me/', { cookie })
  expect((await me(`${one.cookie}; ${two.cookie}`)).status).toBe(403)
  expect((await me(`tsd_sessionid=planted; ${one.cookie}`)).json).toMatchObject({ email: one.email })
})

const quiet = { warn: () => undefined, error: () => undefined }
const redis = redisLab(quiet)

it.skipIf(!redis.isThere)(
  'of two nodes each lets in whom the other has given a ticket, wherever the agent is, until it is taken back on either',
  async () => {
    const database = await cloneDatabase()
    const env = {
      VIGIL_SECRET: 'of both nodes, which share a database',
      REDIS_URL: redis.url(),
      TUNNEL_DOMAIN: 'vigil.test',
    }
    const nodes = await Promise.all([aNode(database.url, env), aNode(database.url, env)])
    const [first, second] = nodes
    const someone = await aUser(first)
    const machine = await aPrinter(first, someone)
    const agent = await simulatedAgent(first, machine, { localUrl: page.url })
    try {
      const tunnel = await internalTunnel(first.ctx, byServer(machine.id))
      const { host, pathname, search } = await entranceFor(first, tunnel, someone)
      const { headers } = await visitAt(second, host, pathname + search)
      const cookie = String(headers['set-cookie']?.[0]?.split(';', 1)[0])
      for (const node of nodes)
        expect((await visitAt(node, host, '/', { headers: { cookie } })).text).toBe('hello')
      const origin = `http://${host}`
      const ws = new WebSocket(`${second.wsUrl}/websocket`, { headers: { host, cookie, origin } })
      await once(ws, 'open')
      ws.send('hi')
      expect(String((await once(ws, 'message'))[0])).toBe('echo hi')
      answer = () => undefined
      const held = visitAt(second, host, '/held', { headers: { cookie } })
      await eventually(() => (heard?.url === '/held' ? true : undefined))
      const carried = (await usageOf(second.ctx, someone.id)).total
      expect([carried > 0, (await usageOf(first.ctx, someone.id)).total]).toEqual([true, carried])
      const closed = once(ws, 'close')
      await revokeTunnel(first.ctx, byServer(machine.id), tunnel.id)
      expect([(await closed)[0], (await held).status]).toEqual([4401, 401])
      await eventually(async () =>
        (await visitAt(second, host, '/', { headers: { cookie } })).status === 401 ? true : undefined,
      )
    } finally {
      await agent.stop()
      await Promise.all(nodes.map((node) => node.close()))
      await database.drop()
    }
  },
)
