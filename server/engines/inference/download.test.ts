import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { downloadModel } from './configured.ts'
import { DetectorUnavailable } from './port.ts'

const body = Buffer.alloc(300_000, 'model')
const digest = createHash('sha256').update(body).digest('hex')
const never = new AbortController().signal

let server: Server
let base: string
let folder: string
let asked = 0

beforeAll(async () => {
  server = createServer((request, reply) => {
    asked++
    if (request.url === '/missing') return reply.writeHead(404).end()
    if (request.url === '/slow') return reply.writeHead(200).write('x')
    if (request.url === '/broken') {
      reply.writeHead(200, { 'content-length': body.length }).write(body.subarray(0, 1000))
      return setTimeout(() => reply.destroy(), 20)
    }
    return reply.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-download-'))
  return () => rm(folder, { recursive: true, force: true })
})

describe('a model by URL', () => {
  it('is stored under its hash and not fetched twice', async () => {
    const path = await downloadModel(`${base}/model`, digest.toUpperCase(), join(folder, 'models'), never)
    expect(await readFile(path)).toEqual(body)
    const before = asked
    expect(await downloadModel(`${base}/model`, digest, join(folder, 'models'), never)).toBe(path)
    expect(asked).toBe(before)
  })
  it.each([
    ['another hash', '/model', '00'.repeat(32), /has SHA-256/],
    ['no answer worth having', '/missing', digest, /answered 404/],
    ['a hash that is none', '/model', 'abc', /64 hex digits/],
  ])('is refused with %s', async (_, path, sha256, sentence) => {
    const attempt = downloadModel(base + path, sha256, folder, never)
    await expect(attempt).rejects.toThrow(sentence)
    await expect(attempt).rejects.toBeInstanceOf(DetectorUnavailable)
    expect(await readdir(folder)).toEqual([])
  })
  it('is refused when too large, broken off, or from elsewhere than the web', async () => {
    await expect(downloadModel(`${base}/model`, digest, folder, never, 1000)).rejects.toThrow(
      /over 1000 bytes/,
    )
    await expect(downloadModel(`${base}/broken`, digest, folder, never)).rejects.toBeInstanceOf(Error)
    await expect(downloadModel('file:///etc/passwd', digest, folder, never)).rejects.toThrow(/http/)
    await expect(downloadModel('nonsense', digest, folder, never)).rejects.toThrow(/http/)
    expect(await readdir(folder)).toEqual([])
  })
  it('stops when told to', async () => {
    const attempt = downloadModel(`${base}/slow`, digest, folder, AbortSignal.timeout(50))
    await expect(attempt).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
  })
})
