import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoint } from '@vigil/contract/endpoint.ts'
import { flag, id, number, text } from '@vigil/contract/values.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { createApp } from '../http/app.ts'
import type { Upload } from '../http/bodies.ts'
import { keepAlive, sendBounded } from '../http/outbox.ts'
import { registerPages } from '../http/pages.ts'
import type { UserPrincipal } from '../http/principal.ts'
import { route } from '../http/route.ts'
import { socket } from '../http/socket.ts'
import { eventually } from './eventually.ts'
import { asId } from './ids.ts'

const anyone = ['anyone'] as const
const widget = z.object({
  name: text(20),
  size: number(0, 10).optional(),
  on: flag.optional(),
  tags: z.array(text(5)).optional(),
})

const getThing = endpoint({
  method: 'GET',
  path: '/api/v1/things/:id/',
  callers: anyone,
  summary: 'One',
  params: z.object({ id }),
  query: z.object({ tags: z.array(z.string()).default([]), lang: z.string().optional() }),
  response: z.object({ id: z.number(), tags: z.array(z.string()) }),
})
const postThing = endpoint({
  method: 'POST',
  path: '/api/v1/things/',
  callers: anyone,
  summary: 'Make',
  body: widget,
  response: z.unknown(),
  status: 201,
})
const deleteThing = endpoint({
  method: 'DELETE',
  path: '/api/v1/things/:id/',
  callers: ['session'],
  summary: 'Drop',
  params: z.object({ id }),
  response: null,
  status: 204,
})
const postPicture = endpoint({
  method: 'POST',
  path: '/api/v1/octo/pic/',
  callers: ['printer'],
  summary: 'Picture',
  body: z.object({ pic: z.custom<Upload>().optional(), is_primary_camera: flag.default(true) }),
  response: z.unknown(),
  bodyLimit: 200_000,
})
const failing = endpoint({
  method: 'GET',
  path: '/api/v1/fail/',
  callers: anyone,
  summary: 'Fails',
  query: z.object({ code: z.string() }),
  response: z.unknown(),
})

const user: UserPrincipal = {
  kind: 'user',
  via: 'session',
  userId: asId(1),
  language: 'en',
  sessionId: asId(1),
}
const lines: Record<string, unknown>[] = []
let app: FastifyInstance
let port: number
let served: WebSocket | null = null

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const ctx = {
    config: readConfig({ NODE_ENV: 'test', TRUSTED_PROXIES: '127.0.0.2' }),
    log,
  } as unknown as Ctx
  app = await createApp(ctx, {
    session: async (token) => (token === 'good' ? user : null),
    accessToken: async (token) => (token === 'good' ? { ...user, via: 'oauth', sessionId: null } : null),
    printerToken: async (token) =>
      token === 'good' ? { kind: 'printer', printerId: asId(7), userId: asId(1) } : null,
  })
  route(app, getThing, ({ params, query }) => ({ id: params.id, tags: query.tags }))
  route(app, postThing, ({ body }) => body)
  route(app, deleteThing, () => null)
  route(app, postPicture, ({ body }) => ({
    bytes: body.pic?.bytes.length ?? null,
    name: body.pic?.filename,
    primary: body.is_primary_camera,
  }))
  route(app, failing, ({ query }) => {
    throw Object.assign(new Error('secret detail'), { code: query.code })
  })
  socket(app, { path: '/ws/web/:id/', callers: ['session'] }, { open: (ws) => void (served = ws) })
  socket(
    app,
    { path: '/ws/dev/', callers: ['printer'] },
    { open: (ws) => void ws.on('message', (data, isBinary) => ws.send(data, { binary: isBinary })) },
  )
  registerPages(app, ctx, '/nowhere')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})

afterAll(() => app.close())

interface Answer {
  status: number
  body: unknown
  headers: Record<string, string>
}

async function ask(
  method: string,
  path: string,
  init: { body?: string | Buffer | FormData; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    ...(init as RequestInit),
  })
  const said = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return {
    status: answer.status,
    body: isJson ? JSON.parse(said) : said,
    headers: Object.fromEntries(answer.headers),
  }
}

const json = (body: string) =>
  ask('POST', '/api/v1/things/', { body, headers: { 'content-type': 'application/json' } })
const agent = { authorization: 'Token good' }

describe('paths', () => {
  it('end in a slash; a GET without is sent there with its whole query', async () => {
    const { status, headers } = await ask('GET', '/api/v1/things/3?tags=a?b&tags=c')
    expect([status, headers['location']]).toEqual([301, '/api/v1/things/3/?tags=a?b&tags=c'])
    expect(
      (
        await ask('POST', '/api/v1/things', {
          body: '{"name":"a"}',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(201)
  })

  it('take list parameters with and without brackets, one or many', async () => {
    for (const query of ['tags[]=a&tags[]=b', 'tags=a&tags=b', 'tags%5B%5D=a&tags=b']) {
      expect((await ask('GET', `/api/v1/things/3/?${query}`)).body).toEqual({ id: 3, tags: ['a', 'b'] })
    }
    expect((await ask('GET', '/api/v1/things/3/?tags=a')).body).toEqual({ id: 3, tags: ['a'] })
  })

  it('that are unknown, broken or too long are not found and break nothing', async () => {
    const odd = [
      '/api/v1/nothing/',
      '/api/v1/things/%zz/',
      '/api/v1/things/abc/',
      '/api/v1/things/-1/',
      '/api/v1/things/99999999999999999999/',
      '/api/v1/things/%00/',
      `/api/v1/things/${'9'.repeat(600)}/`,
      '/api/v1/things/../../etc/passwd',
      '/ws/nothing/',
      '/media/nothing.jpg',
      '//evil.example/x/',
    ]
    for (const path of odd)
      expect([path, (await ask('GET', path)).status]).toEqual([
        path,
        path === '//evil.example/x/' ? 200 : expect.toSatisfy((status) => status === 404 || status === 400),
      ])
    const many = `/api/v1/things/3/?${'a&'.repeat(6000)}__proto__=1&constructor=2`
    expect((await ask('GET', many)).status).toBe(200)
  })

  it('answer 405 to a method they do not know', async () => {
    const { status, body, headers } = await ask('PUT', '/api/v1/things/3/')
    expect([status, body, headers['allow']]).toEqual([
      405,
      { detail: 'Method "PUT" not allowed.' },
      'GET, HEAD, DELETE',
    ])
    expect((await ask('GET', '/api/v1/things/')).status).toBe(405)
    expect((await ask('PATCH', '/api/v1/nothing/')).status).toBe(404)
  })
})

describe('bodies', () => {
  it('are JSON, form or multipart', async () => {
    expect((await json('{"name":"a","on":true,"tags":["x"],"size":2}')).body).toEqual({
      name: 'a',
      on: true,
      tags: ['x'],
      size: 2,
    })
    const form = await ask('POST', '/api/v1/things/', {
      body: 'name=a&on=True&tags=x&size=2.5',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.body).toEqual({ name: 'a', on: true, tags: ['x'], size: 2.5 })
    const data = new FormData()
    data.set('name', 'ä')
    data.append('tags[]', 'x')
    data.append('tags[]', 'y')
    data.set('on', 'f')
    expect((await ask('POST', '/api/v1/things/', { body: data })).body).toEqual({
      name: 'ä',
      on: false,
      tags: ['x', 'y'],
    })
  })

  it.each([
    ['{"name":', { detail: expect.stringMatching(/^JSON parse error - /) }],
    ['{"name":"a","size":NaN}', { detail: expect.stringMatching(/^JSON parse error - /) }],
    ['{"name":"a","size":1e999}', { size: [expect.any(String)] }],
    ['{"name":"a","size":123456789012345678901234567890}', { size: [expect.any(String)] }],
    ['{"name":"a\\u0000"}', { name: [expect.any(String)] }],
    ['{"name":"\\ud800"}', { name: [expect.any(String)] }],
    ['{"name":null}', { name: ['This field may not be empty.'] }],
    ['{}', { name: ['This field is required.'] }],
    ['[]', { non_field_errors: [expect.any(String)] }],
    ['"x"', { non_field_errors: [expect.any(String)] }],
    ['{"name":"a","constructor":{"prototype":1}}', expect.anything()],
    ['{"name":"a","__proto__":{"x":1}}', expect.anything()],
    ['{"name":"a","\\u005f_proto__":{"x":1}}', expect.anything()],
    [
      `{"name":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      { detail: 'JSON parse error - nested too deeply' },
    ],
  ])('%.40s is a 400', async (body, said) => {
    expect(await json(body)).toMatchObject({ status: 400, body: said })
  })

  it('with forbidden names are refused in forms too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask('POST', '/api/v1/things/', { body: 'name=a&__proto__=1', headers })).status).toBe(400)
    const data = new FormData()
    data.set('constructor', 'x')
    expect((await ask('POST', '/api/v1/things/', { body: data })).status).toBe(400)
  })

  it('of another type are refused, an empty one is none', async () => {
    expect(
      await ask('POST', '/api/v1/things/', { body: 'x', headers: { 'content-type': 'text/csv' } }),
    ).toMatchObject({ status: 415, body: { detail: 'Unsupported media type "text/csv" in request.' } })
    expect((await ask('POST', '/api/v1/things/')).body).toEqual({ name: ['This field is required.'] })
    const remove = { headers: { cookie: 'tsd_sessionid=good', 'content-type': 'application/json' } }
    expect((await ask('DELETE', '/api/v1/things/3/', remove)).status).toBe(204)
  })

  it('over the limit are refused while they stream, and the connection lives on', async () => {
    expect((await json(`{"name":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413)
    const pic = new FormData()
    pic.set('pic', new Blob([new Uint8Array(300_000)]), 'x.jpg')
    expect(await ask('POST', '/api/v1/octo/pic/', { body: pic, headers: agent })).toMatchObject({
      status: 413,
      body: { detail: 'Request body is too large.' },
    })
    const endless = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(65_536))
        await nextTurn()
      },
    })
    const cut = fetch(`http://127.0.0.1:${port}/api/v1/octo/pic/`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { ...agent, 'content-type': 'multipart/form-data; boundary=x' },
    })
    const status = await cut.then(
      (answer) => answer.status,
      () => 'reset',
    )
    expect([413, 'reset']).toContain(status)
  })

  it('are not read from strangers', async () => {
    const pic = new FormData()
    pic.set('pic', new Blob([new Uint8Array(150_000)]), 'x.jpg')
    expect(await ask('POST', '/api/v1/octo/pic/', { body: pic })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Token' },
    })
  })
})

describe('multipart of agents', () => {
  const boundary = '0a1b2c3d4e5f'
  const post = (parts: string[], end = `--${boundary}--\r\n`) =>
    ask('POST', '/api/v1/octo/pic/', {
      body: Buffer.from(parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('') + end, 'latin1'),
      headers: { ...agent, 'content-type': `multipart/form-data; boundary=${boundary}` },
    })

  it('a part with a file name is a file, whatever type it names or not', async () => {
    const bytes = `\xff\xd8\xff--${boundary}\r\n--${boundary.slice(1)}\r\n\xd9`
    const plain = await post([
      `Content-Disposition: form-data; name="is_primary_camera"\r\n\r\nTrue`,
      `Content-Disposition: form-data; name="pic"; filename="pic"\r\n\r\n${bytes}`,
    ])
    expect(plain).toMatchObject({ status: 200, body: { bytes: bytes.length, name: 'pic', primary: true } })
    const typed = await post([
      `content-type: image/jpeg\r\nCONTENT-DISPOSITION: form-data; name=pic; filename*=utf-8''na%C3%AFve.jpg\r\n\r\n\r\n`,
    ])
    expect(typed.body).toEqual({ bytes: 2, name: 'naïve.jpg', primary: true })
  })

  it('a broken one is a 400', async () => {
    expect((await post(['Content-Disposition: form-data\r\n\r\nx'])).status).toBe(400)
    expect(
      (await post(['Content-Disposition: form-data; name="pic"; filename="x"\r\n\r\nabc'], '')).status,
    ).toBe(400)
    const none = await ask('POST', '/api/v1/octo/pic/', {
      body: 'x',
      headers: { ...agent, 'content-type': 'multipart/form-data' },
    })
    expect(none.status).toBe(400)
  })

  it('has limits, and a name that never ends stops nobody', async () => {
    const unending = await post([`Content-Disposition: form-data; name="${'\\'.repeat(70)}\r\n\r\nx`])
    expect(unending.status).toBe(200)
    const field = 'Content-Disposition: form-data; name="a"\r\n\r\nx'
    expect((await post(Array.from({ length: 1001 }, () => field))).status).toBe(413)
    const file = 'Content-Disposition: form-data; name="pic"; filename="x"\r\n\r\nx'
    expect((await post(Array.from({ length: 21 }, () => file))).status).toBe(413)
    expect((await post([`X-Long: ${'x'.repeat(100_000)}\r\n${field}`])).status).toBe(200)
    const long = await ask('POST', '/api/v1/octo/pic/', {
      body: 'x',
      headers: { ...agent, 'content-type': `multipart/form-data; boundary=${'x'.repeat(200)}` },
    })
    expect(long.status).toBe(400)
  })
})

describe('credentials', () => {
  const del = (headers: Record<string, string>) => ask('DELETE', '/api/v1/things/3/', { headers })
  const cookie = 'tsd_sessionid=good'

  it('have the error shapes that clients know', async () => {
    expect(await del({})).toMatchObject({
      status: 403,
      body: { detail: 'Authentication credentials were not provided.' },
    })
    expect(await ask('POST', '/api/v1/octo/pic/', { headers: { authorization: 'tOkEn bad' } })).toMatchObject(
      { status: 401, body: { error: 'Invalid or Inactive Token', is_authenticated: 'False' } },
    )
    expect(
      (await ask('POST', '/api/v1/octo/pic/', { headers: { authorization: 'Basic eDp5, TOKEN good' } }))
        .status,
    ).toBe(200)
    expect((await del({ authorization: 'Token good' })).status).toBe(403)
    expect((await del({ authorization: 'Bearer bad' })).status).toBe(403)
    expect((await del({ authorization: 'Bearer good' })).status).toBe(403)
    expect((await del({ 'x-api-key': 'bad' })).status).toBe(403)
    expect((await del({ authorization: 'Basic eDp5', 'x-api-key': '', cookie })).status).toBe(204)
  })

  it.each([
    [{ origin: 'null' }, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'file://' }, 403],
    [{ origin: 'not a url' }, 403],
    [{ origin: 'chrome-extension://abc' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://behind.a.proxy' }, 204],
    [{ 'sec-fetch-site': 'none' }, 204],
    [{}, 204],
  ])('with %o a cookie answers %i', async (headers, status) => {
    expect((await del({ cookie, ...(headers as Record<string, string>) })).status).toBe(status)
  })

  it('from our own page are taken, whatever the default port', async () => {
    expect((await del({ cookie, origin: `http://127.0.0.1:${port}` })).status).toBe(204)
  })

  it('are not forwarded by strangers', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', origin: 'http://evil.example', cookie }
    expect((await del(forged)).status).toBe(403)
  })
})

describe('failures', () => {
  it('say what they are and keep their secrets', async () => {
    const fail = (code: string) => ask('GET', `/api/v1/fail/?code=${code}`)
    expect(await fail('X')).toMatchObject({ status: 500, body: { detail: 'Server error' } })
    expect(await fail('53100')).toMatchObject({
      status: 507,
      body: { detail: expect.stringContaining('disk is full') },
    })
    expect(await fail('57P01')).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(await fail('22021')).toMatchObject({ status: 400 })
    expect(
      (await ask('GET', '/api/v1/fail/?code=X', { headers: { 'accept-language': 'zh-CN' } })).body,
    ).toEqual({ detail: '服务器错误' })
  })

  it('and requests are one line each in the log, without queries', async () => {
    lines.length = 0
    await ask('GET', '/api/v1/things/3/?code=123456')
    await ask('GET', '/ws/token/web/0123456789abcdef/')
    const requests = await eventually(() => {
      const all = lines.filter(({ msg }) => msg === 'request')
      return all.length >= 2 ? all : undefined
    })
    expect(requests).toMatchObject([
      { method: 'GET', path: '/api/v1/things/3/', status: 200, from: '127.0.0.1' },
      { path: '/ws/token/***/***/', status: 404 },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/123456/)
  })
})

describe('websockets', () => {
  const dial = (path: string, headers: Record<string, string> = {}) => {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    return new Promise<WebSocket | number>((resolve) => {
      ws.on('open', () => resolve(ws))
      ws.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0))
      ws.on('error', () => resolve(0))
    })
  }
  const cookie = 'tsd_sessionid=good'

  it('are refused in the handshake', async () => {
    expect(await dial('/ws/web/3/')).toBe(403)
    expect(await dial('/ws/web/3/', { cookie, origin: 'http://evil.example' })).toBe(403)
    expect(await dial('/ws/web/3/', { cookie, origin: 'null' })).toBe(403)
    expect(await dial('/ws/dev/', { authorization: 'bearer bad' })).toBe(403)
    expect(await dial('/api/v1/things/3/')).toBe(404)
    expect(await dial('/nothing/')).toBe(404)
    // Before anything else: so it is seen that a proxy drops the Upgrade header.
    const callers: Record<string, string>[] = [{ cookie }, {}, { authorization: 'Bearer bad' }]
    for (const headers of callers) expect((await ask('GET', '/ws/web/3/', { headers })).status).toBe(426)
  })

  it('open for those they are for', async () => {
    const ws = await dial('/ws/web/3/', { cookie, origin: `http://127.0.0.1:${port}` })
    expect(ws).toBeInstanceOf(WebSocket)
    ;(ws as WebSocket).terminate()
    const agent = (await dial('/ws/dev/', { authorization: 'bearer good' })) as WebSocket
    agent.send('x'.repeat(3_000_000))
    const [echo] = (await once(agent, 'message')) as [Buffer]
    expect(echo.length).toBe(3_000_000)
    agent.terminate()
  })

  it('take small messages only from browsers', async () => {
    const ws = (await dial('/ws/web/3/', { cookie })) as WebSocket
    ws.send('x'.repeat(1_100_000))
    const [code] = (await once(ws, 'close')) as [number]
    expect(code).toBe(1009)
  })

  it('drop a browser that does not read', async () => {
    const ws = (await dial('/ws/web/3/', { cookie })) as WebSocket
    const mine = served as WebSocket
    ws.pause()
    const gone = once(mine, 'close')
    const text = 'x'.repeat(100_000)
    let sent = 0
    while (sent < 2000 && sendBounded(mine, text)) {
      sent++
      if (sent % 10 === 0) await nextTurn()
    }
    expect(mine.bufferedAmount).toBeLessThan(1_300_000)
    await gone
    expect(sendBounded(mine, text)).toBe(false)
    ws.terminate()
  })

  it('are cut when nothing is heard any more, and kept while something is', async () => {
    const dead = (await dial('/ws/web/3/', { cookie })) as WebSocket
    const deadEnd = served as WebSocket
    const alive = (await dial('/ws/web/3/', { cookie })) as WebSocket
    const aliveEnd = served as WebSocket
    dead.pause()
    let told = 0
    keepAlive(deadEnd, { intervalMs: 20, deadAfterMs: 300, onDead: () => told++ })
    const stop = keepAlive(aliveEnd, { intervalMs: 20, deadAfterMs: 10_000 })
    await once(deadEnd, 'close')
    for (let pings = 0; pings < 5; pings++) await once(alive, 'ping')
    expect([told, aliveEnd.readyState]).toEqual([1, WebSocket.OPEN])
    stop()
    alive.terminate()
    dead.terminate()
  })
})

describe('configuration', () => {
  it('with a proxy that is no address stops the start with a sentence', async () => {
    const config = readConfig({ NODE_ENV: 'test', TRUSTED_PROXIES: 'my proxy' })
    await expect(createApp({ config } as unknown as Ctx, {} as never)).rejects.toThrow(
      /^TRUSTED_PROXIES="my proxy" cannot be used: /,
    )
  })

  it('allows no route that the permission matrix does not know', async () => {
    const ctx = { config: readConfig({ NODE_ENV: 'test' }), log: pino({ level: 'silent' }) } as unknown as Ctx
    const other = await createApp(ctx, {} as never)
    other.get('/secret/', () => 'x')
    await expect(other.ready()).rejects.toThrow('GET /secret is served without a row')
  })
})

describe('slow and odd clients', () => {
  it('that offer HTTP/2 get an ordinary answer', async () => {
    const client = connect(port, '127.0.0.1')
    client.write(
      'GET /api/v1/things/3/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n',
    )
    const [data] = (await once(client, 'data')) as [Buffer]
    expect(data.toString()).toMatch(/^HTTP\/1\.1 200/)
    client.destroy()
  })

  it('are let go when headers or bodies do not arrive', async () => {
    expect([app.server.headersTimeout, app.server.requestTimeout, app.server.timeout]).toEqual([
      30_000, 120_000, 120_000,
    ])
    app.server.headersTimeout = 200
    app.server.requestTimeout = 300
    const headers = connect(port, '127.0.0.1')
    headers.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const body = connect(port, '127.0.0.1')
    body.write(
      'POST /api/v1/things/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    const answers = await Promise.all(
      [headers, body].map(async (client) => {
        let said = ''
        client.on('data', (data) => (said += data))
        await once(client, 'close')
        return said.slice(0, 12)
      }),
    )
    expect(answers).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408'])
    app.server.headersTimeout = 30_000
    app.server.requestTimeout = 120_000
  })
})
