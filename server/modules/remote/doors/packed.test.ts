import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, deflateSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { usageOf } from '../grants/usage.service.ts'
import { aHole, type Hole } from './attacks.fixture.ts'

/** Bodies that an agent has packed, on their way to a browser that unpacks them (docs/wire/remote.md 5). */

const MB = 1_048_576
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const words = Buffer.from(
  Array.from({ length: 30_000 }, (_, at) => `{"temperature": ${at % 217}, "place": ${at}}\n`).join(''),
)
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
beforeEach(() => hole.answers.clear())

async function visit(path: string, headers: Record<string, string> = BROWSER, method = 'GET') {
  const { host, cookie } = hole
  const asking = request({
    host: '127.0.0.1',
    port: Number(new URL(app.url).port),
    path,
    method,
    headers: { host, cookie, origin: `http://${host}`, ...headers },
  })
  const [answer] = (await once(asking.end(), 'response')) as [IncomingMessage]
  const { statusCode: status, headers: told } = answer
  return { status, told, packing: told['content-encoding'], body: await buffer(answer) }
}

/** What the agent answers with: packed, as it says. */
const answers = (path: string, content: Buffer, headers: object = {}, status = 200) =>
  hole.answers.set(path, {
    status,
    compressed: true,
    content,
    headers: { 'content-type': 'application/json', etag: '"one"', vary: 'Cookie', ...headers },
  })

it('come as they are, byte for byte, and say how long they are and how they are packed', async () => {
  for (const content of [words, Buffer.from('x'.repeat(1_000)), randomBytes(MB), Buffer.alloc(0)]) {
    const packed = deflateSync(content)
    answers('/api/state', packed)
    const { status, told, body } = await visit('/api/state')
    expect([status, body.equals(packed), inflateSync(body).equals(content)]).toEqual([200, true, true])
    expect(told).toMatchObject({
      'content-encoding': 'deflate',
      'content-length': String(packed.length),
      'content-type': 'application/json',
      vary: 'Cookie, accept-encoding',
      // Other bytes than those of which the page's tag speaks.
      etag: 'W/"one"',
    })
    expect(told['transfer-encoding']).toBeUndefined()
  }
})

it('come unpacked to who takes no deflate, or refuses it', async () => {
  answers('/api/state', deflateSync(words))
  for (const accepted of ['', 'identity', 'gzip', 'gzip, br', 'gzip, deflate;q=0', 'deflater']) {
    const { told, body } = await visit('/api/state', { 'accept-encoding': accepted })
    expect([accepted, told['content-encoding'], told.etag, told['vary']]).toEqual([
      accepted,
      undefined,
      '"one"',
      'Cookie',
    ])
    expect(body.equals(words)).toBe(true)
  }
})

it('have no body where there is none: HEAD, and a page that is the same', async () => {
  answers('/api/state', deflateSync(words))
  const head = await visit('/api/state', BROWSER, 'HEAD')
  expect([head.status, head.body.length]).toEqual([200, 0])
  answers('/api/state', deflateSync(words), {}, 304)
  const same = await visit('/api/state', { ...BROWSER, 'if-none-match': 'W/"one", "two"' })
  expect([same.status, same.packing, same.body.length]).toEqual([304, undefined, 0])
  // OctoPrint compares the tags that it gave itself.
  expect(hole.headers.get('/api/state')).toMatchObject({ 'If-None-Match': 'W/"one", "one", "two"' })
})

it('are unpacked where they are a part, of which the page counts the bytes, or a whole file to be kept', async () => {
  const part = words.subarray(1_000, 3_000)
  const range = { 'content-range': `bytes 1000-2999/${words.length}` }
  answers('/api/state', deflateSync(part), range, 206)
  const asked = await visit('/api/state', { ...BROWSER, range: 'bytes=1000-2999' })
  expect([asked.status, asked.packing, asked.told['content-length'], asked.told['content-range']]).toEqual([
    206,
    undefined,
    '2000',
    range['content-range'],
  ])
  expect(asked.body.equals(part)).toBe(true)
  // A file by its path: asked for in parts, of which this page knows nothing.
  answers('/server/files/gcodes/a.gcode', deflateSync(words))
  const file = await visit('/server/files/gcodes/a.gcode')
  expect([file.packing, file.told.etag, file.body.equals(words)]).toEqual([undefined, '"one"', true])
})

it('are unpacked where we look into them: the front page has its manifest asked for with cookies', async () => {
  answers('/', deflateSync(`<link rel="manifest" href="/m">${' '.repeat(2_000)}`), {
    'content-type': 'text/html',
  })
  const { packing, body } = await visit('/?again')
  expect([packing, String(body).startsWith('<link crossorigin="use-credentials" rel="manifest"')]).toEqual([
    undefined,
    true,
  ])
})

it('are kept as the page gave them: the next browser has them packed by us, whatever the first one takes', async () => {
  const path = '/assets/index-Kd82hhQz.js'
  answers(path, deflateSync(words), { 'content-type': 'application/javascript' })
  const first = await visit(path)
  expect([first.packing, first.body.equals(words)]).toEqual([undefined, true])
  const next = await eventually(async () => {
    const one = await visit(path)
    return one.packing === undefined ? undefined : one
  })
  expect([next.packing, brotliDecompressSync(next.body).equals(words)]).toEqual(['br', true])
  const plain = await visit(path, { 'accept-encoding': 'deflate' })
  expect([plain.packing, plain.body.equals(words)]).toEqual([undefined, true])
})

it('that are none, or end too soon, cost nobody else anything', async () => {
  for (const content of ['no zlib at all', 'x', '']) {
    answers('/lies', Buffer.from(content))
    const { status, packing } = await visit('/lies')
    expect([content, status, packing]).toEqual([content, 502, undefined])
  }
  const cut = deflateSync(words).subarray(0, 2_000)
  answers('/cut', cut)
  const { status, told, body } = await visit('/cut')
  expect([status, told['content-length'], body.equals(cut)]).toEqual([200, '2000', true])
  expect(() => inflateSync(body)).toThrow(/unexpected end/)
  expect(String((await visit('/after')).body)).toBe('/after')
})

it('that are bombs are not unpacked on their way, and count as what they are', async () => {
  const bomb = deflateSync(Buffer.alloc(256 * MB))
  answers('/bomb', bomb)
  const before = (await usageOf(app.ctx, hole.owner.id)).total
  const { told, body } = await visit('/bomb')
  expect([told['content-length'], body.equals(bomb)]).toEqual([String(bomb.length), true])
  const counted = (await usageOf(app.ctx, hole.owner.id)).total - before
  expect(counted).toBeGreaterThanOrEqual(bomb.length)
  expect(counted).toBeLessThan(bomb.length + 1_000)
})
