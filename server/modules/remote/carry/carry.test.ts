import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { aPrinter, aUser, buildTestApp, type TestApp } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { carry } from './carry.service.ts'
import { TUNNEL_CLOSE, TunnelFailed } from '../wire/port.ts'
import { openTunnelSocket } from './sockets.service.ts'
import {
  aRequest,
  bytesOf,
  failure,
  inPieces,
  localPage,
  simulatedAgent,
  type LocalPage,
} from './tunnels.fixture.ts'
import { asId } from '../../../test/ids.ts'

const MB = 1_048_576
const file = randomBytes(3 * MB)
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const nothing = () => undefined

let app: TestApp
let page: LocalPage
let printer: { id: number; auth_token: string }
let agent: Awaited<ReturnType<typeof simulatedAgent>>
let etag = '"one"'
/** Answers of the page to `/held` wait for it. */
let held: (() => void)[] = []

/** The page: a file that can be asked for in parts, one that can't, an echo, and what is never answered. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://page')
  // As Moonraker says it; and as a proxy that knows the address for websockets alone, and a page that answers everything.
  if (pathname === '/websocket') return void response.writeHead(400).end('Can "Upgrade" only to "WebSocket".')
  if (pathname === '/sockjs/1/a/websocket') return void response.writeHead(404).end()
  if (pathname === '/sockjs/2/a/websocket') return void response.end('<!doctype html>')
  if (pathname.startsWith('/assets/') || pathname.startsWith('/css/')) {
    const isSame = request.headers['if-none-match'] === etag
    return void response
      .writeHead(isSame ? 304 : 200, { etag, 'content-type': 'text/css', 'set-cookie': 'planted=1' })
      .end(isSame ? '' : `${pathname} ${etag}`)
  }
  if (pathname === '/held') return void held.push(() => response.end('held'))
  if (pathname === '/whole') return void response.end(file)
  if (pathname === '/file') {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    response.setHeader('etag', etag)
    const [start, end] = [Number(from), Math.min(Number(to), file.length - 1)]
    if (from === undefined) return void response.end(file)
    response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${file.length}` })
    return void response.end(file.subarray(start, end + 1))
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts)
    response.setHeader('set-cookie', ['a=1; Path=/', 'b=2'])
    response.end(
      JSON.stringify({ url: request.url, headers: request.headers, length: body.length, sha: sha(body) }),
    )
  })
}

beforeAll(async () => {
  app = await buildTestApp()
  page = await localPage(answer)
  printer = await aPrinter(app, await aUser(app))
  agent = await simulatedAgent(app, printer, { localUrl: page.url })
})
afterAll(async () => {
  await agent?.stop()
  page?.close()
  await app?.close()
})

const asked = (
  path: string,
  change: Parameters<typeof aRequest>[1] = {},
  counted: (bytes: number) => void = nothing,
) => carry(app.ctx, asId(printer.id), aRequest(path, change), counted)
const told = async (answered: Awaited<ReturnType<typeof carry>>) =>
  JSON.parse(String(await bytesOf(answered)))

it('carries a request to the printer’s page and its answer back', async () => {
  let counted = 0
  const answered = await asked(
    '/server/info?x=1',
    { headers: { 'x-one': '1' } },
    (bytes) => (counted += bytes),
  )
  expect(answered.status).toBe(200)
  expect(answered.cookies).toEqual(['a=1; Path=/', 'b=2'])
  expect(await told(answered)).toMatchObject({ url: '/server/info?x=1', headers: { 'x-one': '1' } })
  expect(counted).toBeGreaterThan(100)
})

it('leads to the printer’s page alone, whatever the path says', async () => {
  expect(await told(await asked('//example.org/x'))).toMatchObject({ url: '/example.org/x' })
  for (const path of ['http://example.org/', 'x', '/\\example.org', '/a\r\nHost: b', '/\t/x', '/a b'])
    expect(await failure(asked(path))).toBe('agent')
  expect(await failure(asked('/', { headers: { a: 'b\r\nc: d' } }))).toBe('agent')
  expect(await failure(asked('/', { method: 'CONNECT' }))).toBe('agent')
})

describe('a body', () => {
  it.each([13, 200_000, 5 * MB])('of %i bytes arrives as it was sent', async (length) => {
    const bytes = randomBytes(length)
    const answered = await asked('/post', { method: 'POST', body: inPieces(bytes), length })
    expect(await told(answered)).toMatchObject({ length, sha: sha(bytes) })
  })

  it('that is too long, or as long as nobody knows, is refused before anything is said', async () => {
    const before = page.asked.length
    const body = inPieces(Buffer.alloc(10))
    expect(await failure(asked('/post', { method: 'POST', body }))).toBe('lengthRequired')
    expect(await failure(asked('/post', { method: 'POST', body, length: 999 * MB }))).toBe('tooLarge')
    expect(await failure(asked('/post', { method: 'POST', body, length: 11 }))).toBe('lost')
    expect(page.asked).toHaveLength(before)
  })
})

describe('a file', () => {
  it('comes in parts, no faster than it is read, and is put together as it was', async () => {
    page.asked.length = 0
    const answered = await asked('/file', { class: 'bulk' })
    expect([answered.status, answered.length]).toEqual([200, file.length])
    const body = answered.body[Symbol.asyncIterator]()
    const first = await body.next()
    await eventually(() => page.asked[1])
    // The reader stands still: one part is ahead of it, and no more is asked for.
    expect(await told(await asked('/other'))).toMatchObject({ url: '/other' })
    expect(page.asked.filter((one) => one === 'GET /file')).toHaveLength(2)
    const parts = [first.value as Buffer]
    for (let next = await body.next(); !next.done; next = await body.next()) parts.push(next.value as Buffer)
    expect(sha(Buffer.concat(parts))).toBe(sha(file))
    expect(page.asked.filter((one) => one === 'GET /file').length).toBeGreaterThan(10)
  })

  it('that changes in the middle breaks off and is not put together', async () => {
    const answered = await asked('/file', { class: 'bulk' })
    const body = answered.body[Symbol.asyncIterator]()
    await body.next()
    etag = '"two"'
    expect(await failure(bytesOf({ body: { [Symbol.asyncIterator]: () => body } }))).toBe('agent')
  })

  it('of a page that knows no parts comes whole; a browser’s own Range is its own', async () => {
    expect(sha(await bytesOf(await asked('/whole', { class: 'bulk' })))).toBe(sha(file))
    const part = await asked('/file', { class: 'bulk', headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 10-19/${file.length}`])
    expect(await bytesOf(part)).toEqual(file.subarray(10, 20))
  })
})

describe('files of the page’s program', () => {
  const times = (path: string) => page.asked.filter((one) => one === `GET ${path}`).length

  it('that are named by their content are fetched once, and told to be the same for ever', async () => {
    const path = '/assets/index-BX3kd9aQ.js'
    let counted = 0
    for (let at = 0; at < 3; at++) {
      const answered = await asked(path, { class: 'asset' }, (bytes) => (counted += at && bytes))
      expect(answered.headers['cache-control']).toBe('private, max-age=31536000, immutable')
      expect(answered.cookies).toEqual([])
      expect(String(await bytesOf(answered))).toBe(`${path} ${etag}`)
    }
    expect([times(path), counted]).toEqual([1, 0])
  })

  it('are asked for anew when they may have changed, and not for three days by who has them', async () => {
    const path = '/css/app.css'
    expect(String(await bytesOf(await asked(path)))).toBe(`${path} ${etag}`)
    const again = await asked(path)
    expect([again.status, String(await bytesOf(again)), times(path)]).toEqual([200, `${path} ${etag}`, 2])
    const has = { headers: { 'If-None-Match': `W/${etag}` } }
    expect([(await asked(path, has)).status, times(path)]).toEqual([304, 2])
    app.advance(4 * 86_400_000)
    expect([(await asked(path, has)).status, times(path)]).toEqual([304, 3])
    etag = '"three"'
    expect(String(await bytesOf(await asked(path)))).toBe(`${path} "three"`)
  })

  it('of one printer are none of another', async () => {
    const path = '/assets/other-Ab12Cd34.js'
    await bytesOf(await asked(path))
    const other = await aPrinter(app, await aUser(app))
    const theirs = await localPage((_, response) => response.end('theirs'))
    const second = await simulatedAgent(app, other, { localUrl: theirs.url })
    const answered = await carry(app.ctx, other.id, aRequest(path), nothing)
    expect(String(await bytesOf(answered))).toBe('theirs')
    expect(String(await bytesOf(await asked(path)))).toBe(`${path} ${etag}`)
    await second.stop()
    theirs.close()
  })
})

it('a burst of 120 loses none, and documents come before files', async () => {
  held = []
  const burst = Array.from({ length: 120 }, (_, at) =>
    asked('/held', { class: at < 100 ? 'asset' : 'document' }),
  )
  await eventually(() => held[7])
  expect(held).toHaveLength(8)
  const gone = new AbortController()
  const late = failure(asked('/held', { class: 'bulk', signal: gone.signal }))
  gone.abort(new TunnelFailed('lost'))
  expect(await late).toBe('lost')
  let answered = 0
  for (const one of burst) void one.then(() => answered++)
  await eventually(() => {
    for (const go of held.splice(0)) go()
    return answered === 120 || undefined
  })
  expect(page.asked.filter((one) => one === 'GET /held')).toHaveLength(120)
})

it('carries a websocket of the printer’s page: what is said early waits, and it ends with the page’s', async () => {
  const SOCKETS = ['/websocket', '/sockjs/1/a/websocket', '/sockjs/2/a/websocket']
  const sockets = new WebSocketServer({ noServer: true })
  page.server.on('upgrade', (request, socket, head) => {
    if (!SOCKETS.includes(new URL(request.url ?? '', 'http://page').pathname))
      return socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request))
  })
  sockets.on('connection', (ws, request) =>
    ws.on('message', (data) => ws.send(`${request.url} ${String(data)}`)),
  )
  const heard: unknown[] = []
  const ended: number[] = []
  const open = (path: string) =>
    openTunnelSocket(app.ctx, asId(printer.id), {
      path,
      hear: (data) => heard.push(data),
      end: (code) => ended.push(code),
      counted: nothing,
    })
  // Where no websocket is, an agent would try for two minutes.
  for (const path of ['/other/websocket', '/elsewhere', '//x/../\\websocket'])
    expect(await failure(open(path))).toBe('agent')
  const socket = await open('/websocket?token=1')
  socket.send('hello')
  await eventually(() => heard[0])
  expect(heard).toEqual(['/websocket?token=1 hello'])
  // One is tried as such, whatever a plain request is answered at its address.
  for (const path of SOCKETS.slice(1)) {
    const other = await open(path)
    other.send('there')
    await eventually(() => heard.includes(`${path} there`) || undefined)
    other.close()
  }
  for (const ws of sockets.clients) ws.close()
  await eventually(() => ended[0])
  expect(ended).toEqual([TUNNEL_CLOSE.closed])
})

it('what waits when the agent goes is lost, and the next agent carries on', async () => {
  held = []
  const waiting = Array.from({ length: 12 }, () => failure(asked('/held')))
  await eventually(() => held[7])
  agent.dropSocket()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['lost']))
  expect(await failure(asked('/x'))).toBe('offline')
  await agent.stop()
  agent = await simulatedAgent(app, printer, { localUrl: page.url })
  expect(await told(await asked('/again'))).toMatchObject({ url: '/again' })
})
