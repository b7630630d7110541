import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { RESERVE_BYTES } from '../engines/files/space.ts'
import type { Files } from '../engines/files/port.ts'
import { openMemoryLive } from '../engines/live/memory.ts'
import { createApp } from './app.ts'
import { AppError, invalid } from './errors.ts'
import type { UserPrincipal } from './principal.ts'
import { resumable } from './resumable.ts'
import { asId } from '../test/ids.ts'
import { aStore } from './store.fixture.ts'

const MEGABYTE = 1_048_576
const HOUR_MS = 3_600_000
const postFile = endpoint({
  method: 'POST',
  path: '/api/v1/test_files/:folder/',
  callers: ['session'],
  summary: 'Stores a file',
  upload: 'file',
  params: z.object({ folder: z.string() }),
  body: z.object({ name: z.string().max(20) }),
  response: z.unknown(),
})
const ALL = '/api/v1/test_files/mine/resumable/'
const TUS = { 'tus-resumable': '1.0.0' }

const log = pino({ level: 'silent' })
let root: string
let store: Awaited<ReturnType<typeof aStore>>
let files: Files
let app: FastifyInstance
let url: string
let later: number
let refuses: boolean
let scheduled: (() => unknown)[]

/** A server over the files that there are. */
async function start(): Promise<void> {
  scheduled = []
  const ctx = {
    config: readConfig({ NODE_ENV: 'test' }),
    db: store.db,
    files,
    log,
    live: openMemoryLive(log),
    clock: { now: () => Date.now() + later },
    jobs: { schedule: (_name: string, _at: string, work: () => unknown) => void scheduled.push(work) },
  } as unknown as Ctx
  app = await createApp(ctx, {
    session: async (token) => {
      const userId = ['', 'one', 'two'].indexOf(token)
      if (userId < 1) return null
      return {
        kind: 'user',
        via: 'session',
        userId: asId(userId),
        language: 'en',
        sessionId: asId(1),
      } satisfies UserPrincipal
    },
    accessToken: async () => null,
    printerToken: async () => null,
  })
  const place = () => ({
    ref: { container: 'tsd-gcodes', path: 'done/x.gcode' } as const,
    maxBytes: 40 * MEGABYTE,
    quota: {
      name: 'test',
      mostBytes: 100 * MEGABYTE,
      used: async () => 0,
      full: new AppError(413, { error: 'full' }),
    },
  })
  resumable(app, ctx, postFile, { container: 'tsd-gcodes', place }, async ({ body, params }, stored) => {
    if (refuses) throw invalid({ name: 'This name is taken.' })
    return { ...stored, ...params, name: body.name }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  store = await aStore()
  ;({ root, files } = store)
})
afterAll(() => store.close())
beforeEach(async () => {
  later = 0
  refuses = false
  await start()
})
afterEach(async () => {
  await app.close()
  await files.removeAll('tsd-gcodes', 'done')
  await files.removeAll('tsd-gcodes', 'incoming')
  await store.db.deleteFrom('uploadRoom').execute()
})

async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array<ArrayBuffer>,
) {
  const answer = await fetch(path.startsWith('http') ? path : url + path, {
    method,
    headers: { cookie: 'tsd_sessionid=one', ...TUS, ...headers },
    ...(body ? { body } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) }
}

const words = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Begins an upload; its address. */
async function begin(length: number, fields: Record<string, string> = { name: 'cube', filename: 'ä.gcode' }) {
  const { status, headers, body } = await ask('POST', ALL, {
    'upload-length': String(length),
    'upload-metadata': words(fields),
  })
  return { status, body, at: headers.get('location') ?? '' }
}
const patch = (
  at: string,
  offset: number,
  part: Uint8Array<ArrayBuffer>,
  more: Record<string, string> = {},
) =>
  ask(
    'PATCH',
    at,
    { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...more },
    part,
  )
const offsetOf = async (at: string) => Number((await ask('HEAD', at)).headers.get('upload-offset'))

async function left(): Promise<string[]> {
  const entries = await readdir(join(root, 'tsd-gcodes'), { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => one.name)
}

test('a file comes in parts, and is one file with its hash when the last has come', async () => {
  const content = randomBytes(40 * MEGABYTE)
  const { status, at } = await begin(content.length)
  expect([status, at]).toEqual([
    201,
    expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/test_files\/mine\/resumable\/[0-9a-f]{32}\/$/,
    ),
  ])
  let offset = 0
  for (const part of [3, 20 * MEGABYTE, 100]) {
    const answer = await patch(at, offset, content.subarray(offset, offset + part))
    offset += part
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(offset)])
    expect(await offsetOf(at)).toBe(offset)
  }
  const last = await patch(at, offset, content.subarray(offset))
  expect([last.status, last.body]).toEqual([
    200,
    {
      ref: { container: 'tsd-gcodes', path: 'done/x.gcode' },
      filename: 'ä.gcode',
      numBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      folder: 'mine',
      upload: at.split('/').at(-2),
      name: 'cube',
    },
  ])
  const stored = await files.get({ container: 'tsd-gcodes', path: 'done/x.gcode' })
  expect((await buffer(stored!)).equals(content)).toBe(true)
  expect(await left()).toEqual(['x.gcode'])
  // Who did not hear it asks again, and makes no second file.
  expect(await offsetOf(at)).toBe(content.length)
  expect(await patch(at, content.length, new Uint8Array(0))).toMatchObject({ status: 200, body: last.body })
  const other = { cookie: 'tsd_sessionid=two' }
  expect((await ask('HEAD', at, other)).status).toBe(404)
})

test('what had come when the line was lost is kept, over a restart of the server too', async () => {
  const content = randomBytes(30 * MEGABYTE)
  const { at } = await begin(content.length)
  const cut = httpRequest(at, {
    method: 'PATCH',
    headers: {
      cookie: 'tsd_sessionid=one',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'content-length': content.length,
      ...TUS,
    },
  })
  cut.on('error', () => undefined)
  cut.write(content.subarray(0, 20 * MEGABYTE))
  await vi.waitFor(async () => expect((await left()).length).toBeGreaterThan(2))
  cut.destroy()
  const offset = await vi.waitFor(
    async () => {
      const so_far = await offsetOf(at)
      expect(so_far).toBeGreaterThan(16 * MEGABYTE)
      return so_far
    },
    { timeout: 10_000 },
  )
  await app.close()
  await start()
  const again = `${url}${new URL(at).pathname}`
  expect(await offsetOf(again)).toBe(offset)
  expect((await patch(again, offset, content.subarray(offset))).body).toMatchObject({
    sha256: createHash('sha256').update(content).digest('hex'),
  })
})

test('another’s upload is not there, and nobody’s is refused', async () => {
  const { at } = await begin(10)
  const other = { cookie: 'tsd_sessionid=two' }
  expect((await ask('HEAD', at, other)).status).toBe(404)
  expect((await patch(at, 0, new Uint8Array(5), other)).status).toBe(404)
  expect((await ask('DELETE', at, other)).status).toBe(404)
  expect((await patch(at, 0, new Uint8Array(5), { cookie: '' })).status).toBe(403)
  expect((await ask('HEAD', `${ALL}..%2f..%2fx/`)).status).toBe(404)
  expect(await offsetOf(at)).toBe(0)
})

test('a part that does not follow, a file too large and wrong fields are refused', async () => {
  const { at } = await begin(10)
  expect((await patch(at, 3, new Uint8Array(5))).status).toBe(409)
  expect((await patch(at, 0, new Uint8Array(11))).status).toBe(413)
  expect((await begin(40 * MEGABYTE + 1)).status).toBe(413)
  expect(await begin(10, { filename: 'x' })).toMatchObject({
    status: 400,
    body: { name: ['This field is required.'] },
  })
  expect((await ask('POST', ALL)).status).toBe(400)
  // Nobody can promise room for a length that is told later.
  expect((await ask('POST', ALL, { 'upload-defer-length': '1' })).status).toBe(400)
  expect(await offsetOf(at)).toBe(0)
})

test('who gives up leaves nothing; who is refused at the end may try again', async () => {
  const one = await begin(5)
  await patch(one.at, 0, new Uint8Array(3))
  expect((await ask('DELETE', one.at)).status).toBe(204)
  expect(await left()).toEqual([])

  refuses = true
  const two = await begin(5)
  expect(await patch(two.at, 0, new Uint8Array(5))).toMatchObject({
    status: 400,
    body: { name: ['This name is taken.'] },
  })
  expect(await left()).not.toContain('x.gcode')
  refuses = false
  expect((await patch(two.at, 5, new Uint8Array(0))).body).toMatchObject({ numBytes: 5 })
})

test('an hour without a byte an upload is over, and removed; nothing else is', async () => {
  const { at } = await begin(5)
  later = HOUR_MS - 60_000
  await patch(at, 0, new Uint8Array(3))
  later = HOUR_MS + 60_000
  await scheduled[0]?.()
  expect(await offsetOf(at)).toBe(3)
  later = 2 * HOUR_MS + 60_000
  expect((await ask('HEAD', at)).status).toBe(404)
  expect((await patch(at, 3, new Uint8Array(2))).status).toBe(404)
  await scheduled[0]?.()
  expect(await left()).toEqual([])
  expect((await ask('HEAD', at)).status).toBe(404)
})

const roomTaken = async () =>
  (await store.db.selectFrom('uploadRoom').select(['numBytes', 'comeBytes']).execute()).toSorted(
    (a, b) => a.numBytes - b.numBytes,
  )

test('of many that begin at once no more find room than there is, and what ends gives it back', async () => {
  const begun = await Promise.all(Array.from({ length: 15 }, () => begin(10 * MEGABYTE)))
  expect(begun.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 10 }, () => 201),
    ...Array.from({ length: 5 }, () => 413),
  ])
  expect(begun.find(({ status }) => status === 413)?.body).toEqual({ error: 'full' })
  const [first, second, ...others] = begun.filter(({ status }) => status === 201)
  await ask('DELETE', first!.at)
  expect((await patch(second!.at, 0, new Uint8Array(10 * MEGABYTE))).status).toBe(200)
  expect(await roomTaken()).toHaveLength(8)
  expect((await begin(20 * MEGABYTE)).status).toBe(201)
  expect((await begin(1)).status).toBe(413)
  // What broke off keeps its room, and what nobody goes on with loses it.
  await patch(others[0]!.at, 0, new Uint8Array(17))
  later = HOUR_MS + 60_000
  expect((await begin(30 * MEGABYTE)).status).toBe(201)
  expect(await roomTaken()).toEqual([{ numBytes: 30 * MEGABYTE, comeBytes: 0 }])
})

test('somebody has twenty unfinished at most, others have theirs', async () => {
  const begun = await Promise.all(Array.from({ length: 24 }, () => begin(5)))
  expect(
    begun
      .map(({ status }) => status)
      .toSorted()
      .slice(19),
  ).toEqual([201, 429, 429, 429, 429])
  const other = { cookie: 'tsd_sessionid=two', 'upload-length': '5', 'upload-metadata': words({ name: 'x' }) }
  expect((await ask('POST', ALL, other)).status).toBe(201)
  await ask('DELETE', begun.find(({ status }) => status === 201)!.at)
  expect((await begin(5)).status).toBe(201)
})

test('where files lie on the disk, its floor is room that nobody is given', async () => {
  // A file lies there twice while its parts become one.
  const free = 60 * MEGABYTE + RESERVE_BYTES
  Object.assign(app.space, { look: async () => undefined, freeBytes: free })
  expect((await begin(31 * MEGABYTE)).status).toBe(507)
  const { at } = await begin(20 * MEGABYTE)
  expect((await begin(11 * MEGABYTE)).status).toBe(507)
  // What has come is on the disk, and not counted a second time.
  await patch(at, 0, new Uint8Array(16 * MEGABYTE))
  Object.assign(app.space, { freeBytes: free - 16 * MEGABYTE })
  expect(await roomTaken()).toEqual([{ numBytes: 20 * MEGABYTE, comeBytes: 16 * MEGABYTE }])
  expect((await begin(11 * MEGABYTE)).status).toBe(507)
  expect((await begin(10 * MEGABYTE)).status).toBe(201)
})
