import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { DiskFull, type Files } from '../engines/files/port.ts'
import { createApp } from './app.ts'
import { forbidden, invalid } from './errors.ts'
import { describeApi } from './openapi.ts'
import type { UserPrincipal } from './principal.ts'
import { route } from './route.ts'
import { upload } from './upload.ts'
import { asId } from '../test/ids.ts'
import { aStore } from './store.fixture.ts'

const MEGABYTE = 1_048_576
const MAX_BYTES = 150 * MEGABYTE

const postFile = endpoint({
  method: 'POST',
  path: '/api/v1/test_files/:folder/',
  callers: ['session'],
  summary: 'Stores a file',
  upload: 'file',
  params: z.object({ folder: z.string() }),
  body: z.object({ name: z.string().max(20), tags: z.string().optional() }),
  response: z.unknown(),
  status: 201,
})
const postSlow = endpoint({
  method: 'POST',
  path: '/api/v1/test_slow/',
  callers: ['session'],
  summary: 'Stores a file that must come soon',
  upload: 'file',
  response: z.unknown(),
})

const postPlain = endpoint({
  method: 'POST',
  path: '/api/v1/test_plain/',
  callers: ['anyone'],
  summary: 'Takes no file',
  body: z.object({}),
  response: z.unknown(),
})

const user: UserPrincipal = {
  kind: 'user',
  via: 'session',
  userId: asId(1),
  language: 'en',
  sessionId: asId(1),
}
const log = pino({ level: 'silent' })
const seen: number[] = []
let root: string
let store: Awaited<ReturnType<typeof aStore>>
let files: Files
let app: FastifyInstance
let port: number
let sockets: Socket[] = []

beforeAll(async () => {
  store = await aStore()
  ;({ root, files } = store)
})
afterAll(() => store.close())

beforeEach(async () => {
  seen.length = 0
  const clock = { now: () => Date.now() }
  const config = readConfig({ NODE_ENV: 'test' })
  const ctx = { config, files, log, clock, db: store.db } as unknown as Ctx
  app = await createApp(ctx, {
    session: async (token) => (token === 'good' ? user : null),
    accessToken: async () => null,
    printerToken: async () => null,
  })
  upload(
    app,
    ctx,
    postFile,
    {
      place: ({ params, principal }) => {
        if (params.folder === 'theirs') throw forbidden('Not yours.')
        return { ref: { container: 'tsd-gcodes', path: `${principal.userId}/x.gcode` }, maxBytes: MAX_BYTES }
      },
      onProgress: (numBytes) => void seen.push(numBytes),
    },
    async ({ body, params }, stored) => {
      if (body.name === 'refused') throw invalid({ name: 'This name is taken.' })
      return { ...stored, ...params, name: body.name }
    },
  )
  upload(
    app,
    ctx,
    postSlow,
    { place: () => ({ ref: { container: 'tsd-gcodes', path: 'slow' }, maxBytes: 1_000 }), timeMs: 700 },
    async (_call, stored) => stored,
  )
  route(app, postPlain, () => 'done')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await app.close()
  await files.removeAll('tsd-gcodes', '1')
})

function form(
  content: Uint8Array<ArrayBuffer> | string,
  fields: Record<string, string> = { name: 'cube' },
): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set('file', new Blob([content]), '../../ä cube.gcode')
  return data
}

const post = async (body: FormData | string, folder = 'mine', headers: Record<string, string> = {}) => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/test_files/${folder}/`, {
    method: 'POST',
    headers: { cookie: 'tsd_sessionid=good', ...headers },
    body,
  })
  return { status: answer.status, body: await answer.json() }
}

const fieldOf = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
const TAIL = '\r\n--b--\r\n'

/** All that is stored, finished or not. */
async function leftBehind(): Promise<string[]> {
  const entries = await readdir(join(root, 'tsd-gcodes'), { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => one.name)
}

/** An upload by hand, of which the caller decides what comes when. */
async function begin(length: number, path = '/api/v1/test_files/mine/'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncookie: tsd_sessionid=good\r\nsec-fetch-site: same-origin\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n` +
      HEAD,
  )
  return socket
}

test('a file is stored as it came, with its size and hash, and the other fields are checked', async () => {
  const content = randomBytes(3 * MEGABYTE)
  const { status, body } = await post(form(content))
  expect([status, body]).toEqual([
    201,
    {
      ref: { container: 'tsd-gcodes', path: '1/x.gcode' },
      filename: expect.stringMatching(/cube\.gcode$/),
      numBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      folder: 'mine',
      name: 'cube',
    },
  ])
  const stored = await files.get({ container: 'tsd-gcodes', path: '1/x.gcode' })
  expect((await buffer(stored!)).equals(content)).toBe(true)
  expect(seen.at(-1)).toBe(content.length)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.length).toBeGreaterThan(10)
})

test('the document says which part is the file', () => {
  const { paths } = describeApi(app, '1') as { paths: Record<string, { post?: { requestBody: unknown } }> }
  const file = {
    type: 'object',
    properties: { file: { type: 'string', format: 'binary' } },
    required: ['file'],
  }
  expect(paths['/api/v1/test_slow/']?.post?.requestBody).toEqual({
    required: true,
    content: { 'multipart/form-data': { schema: file } },
  })
  expect(paths['/api/v1/test_files/{folder}/']?.post?.requestBody).toEqual({
    required: true,
    content: {
      'multipart/form-data': { schema: { allOf: [expect.objectContaining({ required: ['name'] }), file] } },
    },
  })
})

test('an empty file is a file', async () => {
  expect((await post(form(''))).body).toMatchObject({ numBytes: 0 })
})

test('no more comes than is stored: 100 MB wait outside of a store that is slow', async () => {
  const begun = Promise.withResolvers<void>()
  const { put } = files
  const slowly = vi.spyOn(files, 'put').mockImplementation(async (ref, content) => {
    await begun.promise
    return await put(ref, content)
  })
  const head = fieldOf('name', 'big') + HEAD
  const request = httpRequest({
    port,
    method: 'POST',
    path: '/api/v1/test_files/mine/',
    headers: {
      cookie: 'tsd_sessionid=good',
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + 100 * MEGABYTE + TAIL.length,
    },
  })
  const answer = new Promise<Buffer>((resolve, reject) => {
    request.on('response', (response) => void buffer(response).then(resolve, reject)).on('error', reject)
  })
  request.write(head)
  const block = Buffer.alloc(MEGABYTE, 'G1 X1 ')
  const drained = () => new Promise((next) => request.once('drain', () => next(true)))
  let sent = 0
  const send = () => (sent++, request.write(block))
  while (sent < 100 && (send() || (await Promise.race([drained(), sleep(500, false)])))) continue
  expect(request.socket?.bytesWritten).toBeLessThan(30 * MEGABYTE)
  begun.resolve()
  while (sent < 100) if (!send()) await drained()
  request.end(TAIL)
  expect(JSON.parse((await answer).toString())).toMatchObject({ numBytes: 100 * MEGABYTE })
  slowly.mockRestore()
})

test('a stranger, another’s place and another type are refused before anything is read', async () => {
  const put = vi.spyOn(files, 'put')
  expect((await post(form('x'), 'mine', { cookie: '' })).status).toBe(403)
  expect(await post(form('x'), 'theirs')).toEqual({ status: 403, body: { detail: 'Not yours.' } })
  expect((await post('{}', 'mine', { 'content-type': 'application/json' })).status).toBe(415)
  expect((await post('x', 'mine', { 'content-type': 'multipart/form-data' })).status).toBe(400)
  expect(put).not.toHaveBeenCalled()
  put.mockRestore()
})

test('what is too large is refused by its length at once, and while it comes where it hides it', async () => {
  const socket = await begin(MAX_BYTES + 2 * MEGABYTE)
  const answer = await new Promise<string>((resolve) =>
    socket.once('data', (data) => resolve(data.toString())),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  const small = endpoint({ ...postSlow, path: '/api/v1/test_slow/' })
  const data = new FormData()
  data.set('file', new Blob(['x'.repeat(1_001)]), 'a')
  const hidden = await fetch(`http://127.0.0.1:${port}${small.path}`, {
    method: 'POST',
    headers: { cookie: 'tsd_sessionid=good' },
    body: data,
  })
  expect(hidden.status).toBe(413)
  expect(await leftBehind()).toEqual([])
})

test('nothing is left of what was refused afterwards, has no file, or is no form', async () => {
  expect(await post(form('x', { name: 'refused' }))).toEqual({
    status: 400,
    body: { name: ['This name is taken.'] },
  })
  expect(await post(form('x', {}))).toEqual({ status: 400, body: { name: ['This field is required.'] } })
  expect((await post(form('x', { name: 'a'.repeat(21) }))).status).toBe(400)
  const none = new FormData()
  none.set('name', 'a')
  expect(await post(none)).toEqual({ status: 400, body: { file: ['The submitted data was not a file.'] } })
  const torn = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it'
  expect((await post(torn, 'mine', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(400)
  expect(await leftBehind()).toEqual([])
})

test('nothing is left of one that is cut off, that stalls or that the server cannot wait for', async () => {
  const socket = await begin(10 * MEGABYTE)
  socket.write(Buffer.alloc(MEGABYTE))
  await vi.waitFor(() => expect(seen.at(-1)).toBeGreaterThan(900_000))
  expect(await leftBehind()).toHaveLength(1)
  socket.destroy()
  await vi.waitFor(async () => expect(await leftBehind()).toEqual([]))

  const slow = await begin(900, '/api/v1/test_slow/')
  const answer = await new Promise<string>((resolve) => slow.once('data', (data) => resolve(data.toString())))
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(await leftBehind()).toEqual([])

  seen.length = 0
  const last = await begin(10 * MEGABYTE)
  last.write(Buffer.alloc(MEGABYTE))
  await vi.waitFor(() => expect(seen.at(-1)).toBeGreaterThan(900_000))
  const said = new Promise<string>((resolve) => last.once('data', (data) => resolve(data.toString())))
  const closed = app.close()
  expect(await said).toMatch(/^HTTP\/1\.1 503 /)
  last.destroy()
  await closed
  expect(await leftBehind()).toEqual([])
})

test('an upload may take longer than other requests, which are still refused', async () => {
  // Node takes the greater of the two for whole requests.
  app.server.headersTimeout = 200
  app.server.requestTimeout = 300
  const patient = await begin(500)
  const other = connect(port, '127.0.0.1')
  sockets.push(other)
  other.write(
    `POST ${postPlain.path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  )
  let said = ''
  patient.on('data', (data: Buffer) => void (said += data.toString()))
  // The server looks for slow requests now and then: when it has refused one it has looked at both.
  const [refused] = (await once(other, 'data')) as [Buffer]
  expect(refused.toString()).toMatch(/^HTTP\/1\.1 408 /)
  expect([said, patient.destroyed]).toEqual(['', false])
  const rest = `\r\n${fieldOf('name', 'slow')}--b--\r\n`
  patient.write('x'.repeat(500 - HEAD.length - rest.length) + rest)
  await vi.waitFor(() => expect(said).toMatch(/^HTTP\/1\.1 201 /))
})

test('a full disk is told of as such', async () => {
  const put = vi.spyOn(files, 'put').mockImplementation(async (_ref, content) => {
    ;(content as NodeJS.ReadableStream & { destroy(): void }).destroy()
    throw new DiskFull('/data')
  })
  expect((await post(form('x'))).status).toBe(507)
  put.mockRestore()
})
