import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../../config.ts'
import type { Ctx } from '../../../ctx.ts'
import { openFolderFiles } from '../../../engines/files/folder.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { createApp } from '../../../http/app.ts'
import { rangeOf } from '../../../http/stream.ts'
import { mediaUrl, registerMedia } from './index.ts'
import { contentType, expiryOf } from './media.rules.ts'

const NOW = Date.UTC(2026, 0, 1, 12)
const HOUR = 3_600_000
const root = await mkdtemp(join(tmpdir(), 'vigil-media-'))
const files = await openFolderFiles(root)
const config = readConfig({ VIGIL_SECRET: 'x'.repeat(32), NODE_ENV: 'test' })
let now = NOW
const ctx = { config, files, clock: { now: () => now }, log: pino({ level: 'silent' }) } as unknown as Ctx
const nobody = () => Promise.resolve(null)
const app = await createApp(ctx, { session: nobody, accessToken: nobody, printerToken: nobody })
await registerMedia(app, ctx)

const edge = { origin: 'https://home.example:8443', prefix: '/vigil' }
const local = { origin: '', prefix: '' }
const picture: MediaRef = { container: 'tsd-pics', path: 'snapshots/7/ä #1%.jpg' }
const movie: MediaRef = { container: 'tsd-timelapses', path: '7/film.mp4' }
const script: MediaRef = { container: 'tsd-gcodes', path: '7/evil.html' }
const MEGABYTE = 1024 * 1024

beforeAll(async () => {
  await files.put(picture, Buffer.from('a picture'))
  await files.put(movie, Buffer.from('0123456789'))
  await files.put(script, Buffer.from('<script>alert(1)</script>'))
})
afterAll(async () => {
  await app.close()
  await files.close()
  await rm(root, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers })
const urlOf = (ref: MediaRef, version?: number) => mediaUrl(ctx, ref, local, version)

describe('an address', () => {
  test('is absolute, for the origin and prefix of who asks, and signed without them', () => {
    const url = mediaUrl(ctx, picture, edge, 5)
    expect(url).toMatch(
      /^https:\/\/home\.example:8443\/vigil\/media\/tsd-pics\/snapshots\/7\/%C3%A4%20%231%25\.jpg\?digest=/,
    )
    expect(new URL(url).searchParams.get('ts')).toBe('5')
    expect(new URL(mediaUrl(ctx, picture, { ...edge, prefix: '' })).search).toBe(
      new URL(mediaUrl(ctx, picture, edge)).search,
    )
  })

  test('stays the same for hours, and always holds for its whole time', () => {
    const first = urlOf(movie)
    now = NOW + HOUR
    expect(urlOf(movie)).toBe(first)
    now = NOW + 30 * HOUR
    expect(urlOf(movie)).not.toBe(first)
    now = NOW
    for (let t = NOW; t < NOW + 48 * HOUR; t += 1_234_567) {
      const left = expiryOf('tsd-pics', t) * 1_000 - t
      expect(left).toBeGreaterThanOrEqual(24 * HOUR)
      expect(left).toBeLessThanOrEqual(30 * HOUR)
      expect(expiryOf('tsd-gcodes', t) * 1_000 - t).toBeGreaterThanOrEqual(7 * 24 * HOUR)
    }
  })
})

describe('a signed address', () => {
  test('gives the file, with headers that let nothing in it run', async () => {
    const answer = await get(urlOf(picture))
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('a picture')
    expect(answer.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=10',
      'content-length': '9',
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    expect((await get(urlOf(script))).headers['content-type']).toBe('application/octet-stream')
  })

  test('may be kept until it ends when its content cannot change', async () => {
    expect((await get(urlOf(picture, 5))).headers['cache-control']).toBe(`private, max-age=${24 * 3_600}`)
    const answer = await get(urlOf(movie))
    expect(answer.headers['cache-control']).toBe(`private, max-age=${7.5 * 86_400}`)
    const again = await get(urlOf(movie), { 'if-none-match': String(answer.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('answers HEAD like GET, without the content', async () => {
    const answer = await get(urlOf(movie), {}, 'HEAD')
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '10'])
    const part = await get(urlOf(movie), { range: 'bytes=0-3' }, 'HEAD')
    expect([part.statusCode, part.headers['content-length']]).toEqual([206, '4'])
  })

  test('ends', async () => {
    const url = urlOf(picture)
    now = NOW + 31 * HOUR
    expect((await get(url)).statusCode).toBe(403)
    now = NOW
  })

  test('of a file that is gone is a 404', async () => {
    expect((await get(urlOf({ container: 'tsd-pics', path: 'none.jpg' }))).statusCode).toBe(404)
    expect((await get(urlOf({ container: 'tsd-pics', path: 'snapshots' }))).statusCode).toBe(404)
    expect((await get(urlOf({ container: 'other' as never, path: 'a' }))).statusCode).toBe(404)
  })

  test('is good for nothing else', async () => {
    const url = urlOf(picture)
    const refused = [
      url.replace(/digest=[^&]+&/, ''),
      url.replace(/expires=\d+/, ''),
      url.replace(/expires=\d+/, 'expires=99999999999'),
      url.replace(/expires=\d+/, 'expires=1e99'),
      url.replace('digest=', 'digest=A'),
      `${url}&digest=x`,
      url.replace('/7/', '/8/'),
      url.replace('tsd-pics', 'tsd-gcodes'),
      '/media/tsd-pics/none.jpg',
      '/media/tsd-pics/..%2f..%2fetc%2fpasswd?digest=x&expires=9999999999',
      '/media/',
    ]
    for (const wrong of refused) expect([wrong, (await get(wrong)).statusCode]).toEqual([wrong, 403])
  })

  test('never leads out of the folder, even when signed', async () => {
    for (const path of ['.part/x', 'a//b', 'a\\..\\b', '..%2f..%2fetc%2fpasswd', 'a\0']) {
      expect([path, (await get(urlOf({ container: 'tsd-pics', path }))).statusCode]).toEqual([path, 404])
    }
  })
})

describe('a part of a file', () => {
  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-12', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
  ])('%s', async (range, status, body, contentRange) => {
    const answer = await get(urlOf(movie), { range })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ])
  })

  test('is the whole when the file is another one by now', async () => {
    const { etag } = (await get(urlOf(movie))).headers
    expect((await get(urlOf(movie), { range: 'bytes=0-1', 'if-range': String(etag) })).statusCode).toBe(206)
    expect((await get(urlOf(movie), { range: 'bytes=0-1', 'if-range': '"old"' })).statusCode).toBe(200)
  })

  test('of a picture works too', async () => {
    expect((await get(urlOf(picture), { range: 'bytes=2-' })).body).toBe('picture')
  })
})

test('a film that the viewer leaves is not read to its end', async () => {
  const large: MediaRef = { container: 'tsd-timelapses', path: 'large.mp4' }
  const block = Buffer.alloc(MEGABYTE)
  await files.put(large, Readable.from(Array.from({ length: 50 }, () => block)))
  const opened = vi.spyOn(files, 'get')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${urlOf(large)} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  const stream = await opened.mock.results[0]!.value
  await vi.waitFor(() => expect(stream?.destroyed).toBe(true))
  expect((stream as unknown as { bytesRead: number }).bytesRead).toBeLessThan(20 * MEGABYTE)
  opened.mockRestore()
})

test('names tell types; strange ones are bytes', () => {
  expect(['a.JPG', 'a.webm', 'a.json'].map(contentType)).toEqual([
    'image/jpeg',
    'video/webm',
    'application/json',
  ])
  const strange = ['a.svg', 'a.html', 'a', '.jpg/x', 'a.constructor'].map(contentType)
  expect([...new Set(strange)]).toEqual(['application/octet-stream'])
  expect(rangeOf('bytes=0-', 0)).toBe('none')
})
