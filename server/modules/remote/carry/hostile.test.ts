import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { calculateObjectSize, serialize } from 'bson'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../core/commands/index.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { carry } from './carry.service.ts'
import { requestAround, requestMessage } from '../wire/envelope.rules.ts'
import { lineOf } from './lines.ts'
import { readReply } from '../wire/reply.rules.ts'
import { aRequest, bytesOf, failure, inPieces } from './tunnels.fixture.ts'
import { asId } from '../../../test/ids.ts'

const MB = 1_048_576
let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }
let agent: WireAgent

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
  agent = await connectAgent(app, printer.auth_token)
  await agent.hear(({ remote_status }) => remote_status !== undefined)
})
afterAll(async () => {
  agent?.ws.terminate()
  await app?.close()
})

const asked = (path: string, change: Parameters<typeof aRequest>[1] = {}) =>
  carry(app.ctx, asId(printer.id), aRequest(path, change), () => undefined)

/** The request for a path, as the agent hears it. */
const heard = async (path: string, nth = 0) =>
  await eventually(
    () => agent.heard.flatMap((one) => one['http.tunnelv2'] ?? []).filter((one) => one.path === path)[nth],
  )

const answer = (ref: string, response: object) =>
  agent.sendRaw(Buffer.from(serialize({ 'http.tunnelv2': { ref, response } })))

/** What becomes of an answer. */
async function answered(path: string, response: object, change: Parameters<typeof aRequest>[1] = {}) {
  const asking = asked(path, change)
  asking.catch(() => undefined)
  answer((await heard(path)).ref, response)
  return await asking
}

describe('an agent that answers as it likes', () => {
  it('may leave out what there is not, and say text for bytes', async () => {
    const bare = await answered('/bare', { status: 404, content: 'Blacklisted' })
    expect([bare.status, String(await bytesOf(bare)), bare.cookies]).toEqual([404, 'Blacklisted', []])
    const none = await answered('/none', { status: 204, headers: { A: 'b' }, content: null, cookies: null })
    expect(await bytesOf(none)).toHaveLength(0)
  })

  it('has its failures, types that are none and broken frames told from answers of the page', async () => {
    expect(await failure(answered('/502', { status: 502, content: 'no route', headers: {} }))).toBe('agent')
    expect(await failure(answered('/status', { status: '200', content: 'x' }))).toBe('agent')
    expect(await failure(answered('/nought', { status: 0 }))).toBe('agent')
    const waiting = asked('/late')
    const { ref } = await heard('/late')
    for (const frame of [
      { ref },
      { ref, response: 7 },
      { ref: 7, response: {} },
      { ref: 'x'.repeat(5_000), response: {} },
    ])
      agent.sendRaw(Buffer.from(serialize({ 'http.tunnelv2': frame })))
    const cut = Buffer.from(
      serialize({ 'http.tunnelv2': { ref, response: { status: 200, content: 'whole' } } }),
    )
    for (const size of [9, 40, cut.length - 3]) agent.sendRaw(cut.subarray(0, size))
    answer('another', { status: 200, content: 'foreign' })
    answer(ref, { status: 200, content: 'first' })
    answer(ref, { status: 200, content: 'second' })
    expect(String(await bytesOf(await waiting))).toBe('first')
  })

  it('sets no header of ours, ends no line and fills no memory with headers', async () => {
    const headers = {
      'Content-Type': 'text/html',
      'Transfer-Encoding': 'chunked',
      Connection: 'x',
      'Set-Cookie': 'a=b',
      'Content-Length': '5',
      'Content-Encoding': 'gzip',
      'X-Split': 'a\r\nSet-Cookie: b=c',
      'bad name': 'x',
      __proto__x: 'x',
      'X-Number': 7,
    }
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, 'v'.repeat(20)]))
    const first = await answered('/headers', {
      status: 200,
      content: 'x',
      headers,
      cookies: ['ok=1', 'no\r\nt=1', 7],
    })
    expect(first.headers).toEqual({ 'content-type': 'text/html', __proto__x: 'x' })
    expect(first.cookies).toEqual(['ok=1'])
    const second = await answered('/many', { status: 200, content: 'x', headers: many })
    expect(Object.keys(second.headers)).toHaveLength(100)
  })

  it('packs a bomb that is unpacked no further than it is read', async () => {
    const bomb = deflateSync(Buffer.alloc(60 * MB))
    const big = await answered('/bomb', { status: 200, compressed: true, content: bomb, headers: { A: 'b' } })
    expect(big.length).toBeUndefined()
    const body = big.body[Symbol.asyncIterator]()
    for (let read = 0; read < 20; read++) expect((await body.next()).value).toHaveLength(65_536)
    await body.return?.()
    const no = { status: 200, compressed: true, content: Buffer.from('no zlib'), headers: { A: 'b' } }
    expect(await failure(answered('/broken', no))).toBe('agent')
    const cut = { ...no, content: deflateSync(Buffer.alloc(5 * MB, 'x')).subarray(0, 4_000) }
    expect(await failure(answered('/cut', cut).then(bytesOf))).toBe('agent')
  })

  it('is asked for little of a file while a page of its waits, and for more once it has its answer', async () => {
    const bytes = Buffer.alloc(1_000_000, 'x')
    const part = async (nth: number) => {
      const { ref, headers } = await heard('/large', nth)
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers['Range'] ?? '') ?? []
      const [start, end] = [Number(from), Math.min(Number(to), bytes.length - 1)]
      const range = { 'Content-Range': `bytes ${start}-${end}/${bytes.length}`, ETag: '"a"' }
      answer(ref, { status: 206, content: bytes.subarray(start, end + 1), headers: range })
      return end - start + 1
    }
    const file = asked('/large', { class: 'bulk' })
    const page = asked('/page')
    const { ref } = await heard('/page')
    const sizes = [await part(0)]
    const whole = bytesOf(await file)
    for (let nth = 1; nth < 6; nth++) sizes.push(await part(nth))
    expect(sizes).toEqual([65_536, ...Array.from({ length: 5 }, () => 32_768)])
    answer(ref, { status: 200, content: 'page', headers: { A: 'b' } })
    expect(String(await bytesOf(await page))).toBe('page')
    let [left, largest] = [bytes.length - sizes.reduce((sum, size) => sum + size), 0]
    // Pages ask for more within a second.
    await eventually(() => lineOf(app.ctx, asId(printer.id))?.window.isPageInUse === false || undefined)
    for (let nth = 6; left > 0; nth++) {
      const size = await part(nth)
      left -= size
      largest = Math.max(largest, size)
    }
    expect(largest).toBeGreaterThanOrEqual(65_536)
    expect((await whole).equals(bytes)).toBe(true)
  })

  it('gives another part than it was asked for: it is not put together', async () => {
    const file = asked('/part', { class: 'bulk' })
    const first = { 'Content-Range': 'bytes 0-65535/200000', ETag: '"a"' }
    answer((await heard('/part')).ref, { status: 206, content: Buffer.alloc(65_536), headers: first })
    const whole = failure(file.then(bytesOf))
    const second = await heard('/part', 1)
    expect(second.headers).toMatchObject({ 'If-Range': '"a"' })
    const wrong = { ...first, 'Content-Range': 'bytes 0-65535/200000' }
    answer(second.ref, { status: 206, content: Buffer.alloc(65_536), headers: wrong })
    expect(await whole).toBe('agent')
  })
})

it('a command does not wait for an upload: that is broken off, and the agent throws it away', async () => {
  const line = lineOf(app.ctx, asId(printer.id))
  const { _socket: socket } = agent.ws as unknown as { _socket: { pause(): void; resume(): void } }
  socket.pause()
  const length = 60 * MB
  const upload = failure(
    asked('/upload', { method: 'POST', body: inPieces(Buffer.alloc(length), MB), length }),
  )
  await eventually(() => (line?.kept === 1 && line.window.inFlight === 1) || undefined)
  const command = post(app.ctx, asId(printer.id), {
    kind: 'command',
    printId: null,
    frame: { commands: [{ cmd: 'pause', args: {}, initiator: 'test' }] },
    expiresInMs: 30_000,
  })
  setTimeout(() => socket.resume(), 2_500)
  expect(await command).toMatchObject({ sent: true })
  expect(await upload).toBe('busy')
  await agent.hear(({ commands }) => commands !== undefined)
  expect(agent.heard.filter((one) => one['http.tunnelv2']?.path === '/upload')).toHaveLength(0)
  expect((await answered('/after', { status: 200, content: 'x', headers: { a: 'b' } })).status).toBe(200)
})

it('an agent that is too old is not asked', async () => {
  const set = (agentVersion: string) =>
    app.ctx.db
      .updateTable('printers')
      .set({ agentName: 'moonraker_obico', agentVersion })
      .where('id', '=', old.id)
      .execute()
  const old = await aPrinter(app, owner)
  await set('1.2.9')
  const other = await connectAgent(app, old.auth_token)
  await other.hear(({ remote_status }) => remote_status !== undefined)
  const ask = () =>
    failure(carry(app.ctx, old.id, aRequest('/', { signal: AbortSignal.timeout(200) }), () => undefined))
  expect(await ask()).toBe('old')
  await set('1.3.0')
  expect(await ask()).toContain('TimeoutError')
  other.ws.terminate()
})

describe('the envelope', () => {
  const request = { ref: 'r', method: 'post', path: '/x', headers: { 'Content-Type': 'a/b' }, timeout: 30 }

  it('around a body that comes in parts is that of a whole message', () => {
    for (const size of [1, 1_000, 70_000]) {
      const body = Buffer.alloc(size, 'b')
      const { head, tail } = requestAround(request, size)
      expect(Buffer.concat([head, body, tail])).toEqual(Buffer.from(requestMessage(request, body)))
      const marks = { type: 'printer.message', as_binary: true }
      const whole = { ...marks, 'http.tunnelv2': { ...request, data: body } }
      expect(head.readInt32LE(0)).toBe(calculateObjectSize(whole))
    }
  })

  it('of real agents is read as they wrote it', () => {
    const lines = readFileSync(new URL('../../../test/wire/captures/tunnel.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    const frames = lines.map((line) => JSON.parse(line) as { ref: string; raw_hex: string })
    const read = frames.map(({ raw_hex }) => readReply(Buffer.from(raw_hex, 'hex')))
    expect(read.map((one) => one?.ref)).toEqual(frames.map(({ ref }) => ref))
    expect(read.map((one) => (one?.kind === 'http' ? [one.status, one.isCompressed] : one?.data))).toEqual([
      [200, false],
      [200, true],
      [403, false],
      'o',
    ])
  })
})
