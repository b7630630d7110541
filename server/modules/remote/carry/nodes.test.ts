import { createHash, randomBytes } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { inSuite } from '../../../../scripts/suites.ts'
import { aPrinter, aUser, type TestApp } from '../../../test/app.ts'
import { openRedis } from '../../../test/faults/nodes.ts'
import { twoNodes } from '../../../test/faults/two-nodes.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { carry } from './carry.service.ts'
import { TUNNEL_CLOSE } from '../wire/port.ts'
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

const redis = await openRedis()
const file = randomBytes(inSuite(3_000_000, 9_000_000))
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
let close: (() => Promise<void>) | undefined
let page: LocalPage
let a: TestApp
let b: TestApp

describe.runIf(redis)('with the agent on another node', () => {
  beforeAll(async () => {
    ;({ a, b, close } = await twoNodes(redis))
    page = await localPage((request, response) => {
      if (request.url === '/websocket') return void response.writeHead(400).end()
      if (request.url === '/file') return void response.end(file)
      if (request.url?.startsWith('/never')) return
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => response.end(sha(Buffer.concat(parts))))
    })
  })
  afterAll(async () => {
    page?.close()
    await close?.()
  })

  it('requests, files, uploads and websockets are carried all the same', async () => {
    const printer = await aPrinter(a, await aUser(a))
    const agent = await simulatedAgent(a, printer, { localUrl: page.url })
    let counted = 0
    const asked = (path: string, change = {}) =>
      carry(b.ctx, printer.id, aRequest(path, change), (bytes) => (counted += bytes))
    await eventually(async () => ((await failure(asked('/'))) === 'nothing' ? true : undefined))
    counted = 0
    expect(sha(await bytesOf(await asked('/file')))).toBe(sha(file))
    const packed = await asked('/file', { takesDeflate: true })
    expect([packed.packing, sha(inflateSync(await bytesOf(packed)))]).toEqual(['deflate', sha(file)])
    expect(counted).toBeGreaterThan(file.length)
    const body = { method: 'POST', body: inPieces(file), length: file.length }
    expect(String(await bytesOf(await asked('/post', body)))).toBe(sha(file))
    expect(await failure(asked('/post', { ...body, body: inPieces(file.subarray(1)) }))).toBe('lost')
    expect(await failure(asked('/post', { ...body, length: 999_999_999 }))).toBe('tooLarge')

    const sockets = new WebSocketServer({ server: page.server, path: '/websocket' })
    sockets.on('connection', (ws) => ws.on('message', (data) => ws.send(`said ${String(data)}`)))
    const heard: unknown[] = []
    const ended: number[] = []
    const options = { hear: (data: unknown) => heard.push(data), end: (code: number) => ended.push(code) }
    const socket = await openTunnelSocket(b.ctx, printer.id, {
      path: '/websocket',
      counted: () => undefined,
      ...options,
    })
    socket.send('hello')
    await eventually(() => heard[0])
    expect(heard).toEqual(['said hello'])

    // A browser that goes, and an agent that goes, in the middle.
    const gone = new AbortController()
    const waiting = failure(asked('/never', { signal: gone.signal }))
    gone.abort(new Error('gone'))
    expect(await waiting).toBe('Error: gone')
    const half = await asked('/file')
    const lost = failure(bytesOf(half))
    const never = failure(asked('/never-again'))
    await eventually(() => page.asked.includes('GET /never-again') || undefined)
    agent.kill()
    expect(await never).toBe('lost')
    expect(['lost', 'nothing']).toContain(await lost)
    await eventually(() => ended[0])
    expect(ended).toEqual([TUNNEL_CLOSE.lost])
    await eventually(async () => ((await failure(asked('/'))) === 'offline' ? true : undefined))
  })
})
