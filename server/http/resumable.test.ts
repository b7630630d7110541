import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { openFolderFiles } from '../engines/files/folder.ts'
import type { Files } from '../engines/files/port.ts'
import { openMemoryLive } from '../engines/live/memory.ts'
import { createApp } from './app.ts'
import { invalid } from './errors.ts'
import type { UserPrincipal } from './principal.ts'
import { resumable } from './resumable.ts'

const MEGABYTE = 1_048_576
const DAY_MS = 24 * 3_600_000
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
      return { kind: 'user', via: 'session', userId, language: 'en', sessionId: 1 } satisfies UserPrincipal
    },
    accessToken: async () => null,
    printerToken: async () => null,
  })
  const place = () =>
    ({ ref: { container: 'tsd-gcodes', path: 'done/x.gcode' }, maxBytes: 40 * MEGABYTE }) as const
  resumable(app, ctx, postFile, { container: 'tsd-gcodes', place }, async ({ body, params }, stored) => {
    if (refuses) throw invalid({ name: 'This name is taken.' })
    return { ...stored, ...params, name: body.name }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vigil-resumable-'))
  files = await openFolderFiles(root)
})
afterAll(async () => {
  await files.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(async () => {
  later = 0
  refuses = false
  await start()
})
afterEach(async () => {
  await app.close()
  await files.removeAll('tsd-gcodes', 'done')
  await files.removeAll('tsd-gcodes', 'incoming')
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

test('what nobody finishes within a day is over, and removed; nothing else is', async () => {
  later = -DAY_MS - 60_000
  const old = await begin(5)
  later = 0
  expect((await ask('HEAD', old.at)).status).toBe(410)
  const { at } = await begin(5)
  await patch(at, 0, new Uint8Array(3))
  await scheduled[0]?.()
  expect(await offsetOf(at)).toBe(3)
  later = DAY_MS + 60_000
  await scheduled[0]?.()
  expect(await left()).toEqual([])
  expect((await ask('HEAD', at)).status).toBe(404)
})
