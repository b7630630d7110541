import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { aPrinter, aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { byServer } from '../../core/access/index.ts'
import { putPicture } from '../../core/presence/index.ts'
import { lineOf } from '../carry/lines.ts'
import { createAppTunnel, internalTunnel, revokeAppTunnel } from '../grants/grants.service.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { usageOf } from '../grants/usage.service.ts'
import { entranceFor, visitAt } from './doors.fixture.ts'
import { aHole, type Hole } from './attacks.fixture.ts'
import { asId } from '../../../test/ids.ts'

/** What comes through, how often, from where, and until when (docs/wire/remote.md 2, 3, 6 and 10). */

const MB = 1_048_576
let app: TestApp
let hole: Hole
let isClosed = false

beforeAll(async () => {
  app = await buildTestApp({ env: { TUNNEL_DOMAIN: 'vigil.test' } })
  hole = await aHole(app)
})
afterAll(async () => {
  hole?.agent.ws.terminate()
  if (!isClosed) await app?.close()
})
beforeEach(() => {
  hole.asked.splice(0)
  hole.answers.clear()
})

const hostOf = ({ code }: TunnelRow) => `${code}.tunnels.vigil.test`
const used = async () => (await usageOf(app.ctx, hole.owner.id)).total

/** A request of the owner's that is not waited for. */
function begin(path: string, headers: Record<string, string> = {}, method = 'GET'): ClientRequest {
  const { host, cookie } = hole
  const asking = request({
    host: '127.0.0.1',
    port: Number(new URL(app.url).port),
    path,
    method,
    headers: { host, cookie, origin: `http://${host}`, ...headers },
  })
  asking.on('error', () => undefined)
  return asking
}

async function answerOf(asking: ClientRequest) {
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}
const get = async (path: string, headers: Record<string, string> = {}) => {
  const asking = begin(path, headers)
  asking.end()
  return await answerOf(asking)
}

describe('a file that is named by its content', () => {
  const path = '/assets/index-BX3kd9aQ.js'
  const script = 'const words = ["Klipper", "Moonraker", "nozzle"]\n'.repeat(2_000)
  const answer = {
    status: 200,
    content: script,
    headers: { 'content-type': 'application/javascript', etag: 'abc', vary: 'Cookie' },
    cookies: ['planted=1'],
  }

  it('comes from the agent once: the next browser has it packed, or not at all, without a byte of its line', async () => {
    hole.answers.set(path, answer)
    const first = await get(path, { 'accept-encoding': 'gzip, deflate, br;q=0.9' })
    expect([first.status, String(first.body) === script]).toEqual([200, true])
    const before = await used()
    expect(before).toBeGreaterThan(script.length)
    const packed = await eventually(async () => {
      const next = await get(path, { 'accept-encoding': 'gzip, deflate, br;q=0.9' })
      expect(next.status).toBe(200)
      return next.headers['content-encoding'] === undefined ? undefined : next
    })
    // a browser that came before it was kept has it from the agent, too
    const [asked, carried] = [hole.asked.length, await used()]
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-length': String(packed.body.length),
      'content-type': 'application/javascript',
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'accept-encoding',
      etag: 'W/"abc"',
    })
    expect(packed.headers['set-cookie']).toBeUndefined()
    expect(packed.body.length).toBeLessThan(script.length / 5)
    expect(brotliDecompressSync(packed.body).toString()).toBe(script)

    const gzipped = await eventually(async () => {
      const next = await get(path, { 'accept-encoding': 'gzip, br;q=0' })
      return next.headers['content-encoding'] === 'gzip' ? next : undefined
    })
    expect(gunzipSync(gzipped.body).toString()).toBe(script)
    const plain = await get(path)
    expect([plain.headers['content-encoding'], plain.headers.etag]).toEqual([undefined, '"abc"'])
    for (const tag of ['"abc"', 'W/"abc"', '"other", W/"abc"']) {
      const { status, headers, body } = await get(path, { 'if-none-match': tag })
      expect([status, headers['cache-control'], headers.vary, body.length]).toEqual([
        304,
        'private, max-age=31536000, immutable',
        'accept-encoding',
        0,
      ])
    }
    expect([hole.asked.length, await used()]).toEqual([asked, carried])
  })

  it('is not what a web server shows in place of a file that is not there, nor what is not to be kept', async () => {
    const missing = '/assets/gone-Ab12Cd34.js'
    hole.answers.set(missing, { ...answer, content: '<html>', headers: { 'content-type': 'text/html' } })
    expect((await get(missing)).headers['cache-control']).toBe('private')
    hole.answers.set(missing, answer)
    expect(String((await get(missing)).body)).toBe(script)
    const secret = '/assets/mine-Ab12Cd34.js'
    hole.answers.set(secret, { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } })
    for (let at = 0; at < 2; at++) expect((await get(secret)).headers['cache-control']).toContain('no-store')
    expect(hole.asked).toEqual([missing, missing, secret, secret])
  })
})

describe('what changes something', () => {
  const post = (path: string, length = 4) => begin(path, { 'content-length': String(length) }, 'POST')
  const whole = (path: string) => {
    const asking = post(path)
    asking.end('home')
    return asking
  }
  const inFlight = (count: number) =>
    eventually(() => lineOf(app.ctx, hole.printerId)?.window.inFlight === count || undefined)

  it('is never done twice, nor later: the agent goes while it comes, waits or is done', async () => {
    hole.answers.set('/held', null)
    const half = post('/half', 100_000)
    half.write('ho')
    await eventually(() => lineOf(app.ctx, hole.printerId)?.kept || undefined)
    for (let at = 0; at < 8; at++) whole(`/held?${at}`)
    await eventually(() => hole.asked[7])
    const waiting = whole('/waiting')
    await eventually(() => lineOf(app.ctx, hole.printerId)?.window.waiting || undefined)
    const answers = [half, waiting].map(answerOf)
    await hole.comeBack()
    for (const { status, headers } of await Promise.all(answers))
      expect([status, headers['retry-after']]).toEqual([482, '5'])
    half.end('x'.repeat(99_998))
    expect(String((await get('/after')).body)).toBe('/after')
    expect(hole.asked.toSorted()).toEqual(
      [...Array.from({ length: 8 }, (_, at) => `/held?${at}`), '/after'].toSorted(),
    )
  })

  it('does not wait behind an upload until nobody expects it any more', async () => {
    const { _socket: socket } = hole.agent.ws as unknown as { _socket: { pause(): void; resume(): void } }
    socket.pause()
    const length = 60 * MB
    const upload = post('/upload', length)
    upload.end(Buffer.alloc(length))
    const done = answerOf(upload)
    await inFlight(1)
    const left = whole('/left')
    await inFlight(2)
    left.destroy()
    const late = answerOf(whole('/late'))
    await inFlight(3)
    const look = get('/look')
    await inFlight(4)
    app.advance(11_000)
    socket.resume()
    expect((await done).status).toBe(200)
    expect((await late).status).toBe(503)
    expect((await look).status).toBe(200)
    expect(hole.asked).toEqual(['/upload', '/look'])
  })
})

it('its webcam moves while somebody looks, from the pictures that its agent sends; nothing is asked after that', async () => {
  const before = await used()
  let number = 0
  const take = async () => {
    const picture = { container: 'tsd-pics', path: `raw/2/${++number}.jpg` } as const
    await app.ctx.files.put(picture, Buffer.from(`JPEG ${number}`))
    const at = app.ctx.clock.now()
    await putPicture(app.ctx, hole.printerId, {
      raw: picture,
      tagged: null,
      at,
      checkedAt: null,
      blind: null,
    })
  }
  await take()
  const asking = begin('/webcam/?action=stream')
  asking.end()
  const [stream] = (await once(asking, 'response')) as [IncomingMessage]
  const [, boundary] =
    /^multipart\/x-mixed-replace; boundary=(.+)$/.exec(stream.headers['content-type'] ?? '') ?? []
  let heard = ''
  stream.setEncoding('latin1').on('data', (part) => (heard += part))
  stream.on('error', () => undefined)
  const shown = (wanted: number) =>
    eventually(
      () =>
        heard.includes(
          `--${boundary}\r\nContent-Type: image/jpeg\r\nContent-Length: 6\r\n\r\nJPEG ${wanted}\r\n--${boundary}`,
        ) || undefined,
    )
  await shown(1)
  const isViewed = () => hole.agent.heard.findLast((one) => one.remote_status)?.remote_status?.viewing
  await eventually(() => isViewed() === true || undefined)
  await take()
  await shown(2)
  expect(lineOf(app.ctx, hole.printerId)?.window.inFlight).toBe(0)
  asking.destroy()
  await eventually(() => isViewed() === false || undefined)
  expect([hole.asked, await used()]).toEqual([[], before])
})

describe('who passes', () => {
  const cookieOf = async (tunnel: TunnelRow, who: Hole['owner']) => {
    const { host, pathname, search } = await entranceFor(app, tunnel, who)
    const { headers } = await visitAt(app, host, pathname + search)
    return String(headers['set-cookie']?.[0]?.split(';', 1)[0])
  }
  const anApp = async (printerId: number, userId: number) => {
    const { tunnel, user, password } = await createAppTunnel(
      app.ctx,
      { ...byServer(asId(printerId)), userId: asId(userId) },
      'x',
    )
    const basic = (word: string) => `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}`
    return { tunnel, authorization: basic(password), wrong: basic(randomBytes(32).toString('hex')) }
  }

  async function dial(host: string, path: string, headers: Record<string, string>): Promise<number> {
    const ws = new WebSocket(app.wsUrl + path, { headers: { host, origin: `http://${host}`, ...headers } })
    ws.on('error', () => undefined)
    const status = await new Promise<number>((resolve) => {
      ws.once('open', () => resolve(200))
      ws.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    })
    ws.terminate()
    return status
  }

  it('is the owner by a ticket, or the one app by its password: to a page, to what is ours, to a socket', async () => {
    const { owner, printerId } = hole
    hole.answers.set('/websocket', { status: 400, content: '', headers: { a: 'b' } })
    const stranger = await aUser(app)
    const [second, theirs] = [await aPrinter(app, owner), await aPrinter(app, stranger)]
    const own = await internalTunnel(app.ctx, byServer(printerId))
    const [mine, another, revoked, foreign] = [
      await anApp(printerId, owner.id),
      await anApp(printerId, owner.id),
      await anApp(printerId, owner.id),
      await anApp(theirs.id, stranger.id),
    ]
    const otherPass = await cookieOf(await internalTunnel(app.ctx, byServer(second.id)), owner)
    const theirPass = await cookieOf(await internalTunnel(app.ctx, byServer(theirs.id)), stranger)
    const ended = await cookieOf(own, owner)
    const name = ended.split('=', 1)[0]
    const given: Record<string, Record<string, string>> = {
      nobody: {},
      'the owner, by the app’s session': { cookie: owner.cookie },
      'the owner, by a ticket': { cookie: hole.cookie },
      'the owner, by a ticket to another printer': { cookie: otherPass },
      'that ticket under this name': { cookie: `${name}=${otherPass.split('=')[1]}` },
      'another user, by a ticket of theirs': { cookie: theirPass },
      'the app': { authorization: mine.authorization },
      'another app of the same printer': { authorization: another.authorization },
      'an app that was shut out': { authorization: revoked.authorization },
      'another user’s app': { authorization: foreign.authorization },
      'the app, with a wrong password': { authorization: mine.wrong },
      'a token of the owner’s': { authorization: `Bearer ${owner.token}` },
    }
    const row = { ...revoked.tunnel, printerName: '' }
    await revokeAppTunnel(app.ctx, byServer(printerId), row)
    const doors = [
      { tunnel: own, lets: 'the owner, by a ticket', challenge: undefined },
      {
        tunnel: mine.tunnel,
        lets: 'the app',
        challenge: `Basic realm="tunnel ${mine.tunnel.code}", charset="UTF-8"`,
      },
      { tunnel: revoked.tunnel, lets: 'none', challenge: expect.any(String) },
    ]
    for (const { tunnel, lets, challenge } of doors)
      for (const [who, headers] of Object.entries(given)) {
        const host = hostOf(tunnel)
        const [page, special] = [
          await visitAt(app, host, '/', { headers }),
          await visitAt(app, host, '/_tsd_/tunnelusage/', { headers }),
        ]
        const socket = await dial(host, '/websocket', headers)
        const wanted = who === lets ? 200 : 401
        expect([who, lets, page.status, special.status, socket]).toEqual([who, lets, wanted, wanted, wanted])
        if (wanted === 401) expect(page.headers['www-authenticate']).toEqual(challenge)
      }
    await call(app, 'POST', '/api/v1/auth/logout/', { cookie: stranger.cookie })
  })
})

it('ends with the server: what waits is told to come again, pictures and sockets end', async () => {
  hole.answers.set('/held', null)
  hole.answers.set('/websocket', { status: 400, content: '', headers: { a: 'b' } })
  const { host, cookie } = hole
  const ws = new WebSocket(`${app.wsUrl}/websocket`, { headers: { host, cookie, origin: `http://${host}` } })
  await once(ws, 'open')
  const pictures = begin('/webcam/?action=stream')
  pictures.end()
  const [stream] = (await once(pictures, 'response')) as [IncomingMessage]
  stream.resume().on('error', () => undefined)
  const held = answerOf(begin('/held', { accept: 'text/html' }).end())
  await eventually(() => hole.asked.includes('/held') || undefined)
  const [closed, ended] = [once(ws, 'close'), once(stream, 'close')]
  isClosed = true
  await app.close()
  const { status, body } = await held
  expect([status, String(body).includes('<meta http-equiv="refresh" content="5"')]).toEqual([503, true])
  expect((await closed)[0]).toBe(1001)
  await ended
})
