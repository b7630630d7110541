/** A small server that records what an agent does and answers what the protocol asks; for tests only. */
import { fieldsOf } from '@vigil/contract/fields.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { deserialize } from 'bson'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Json } from './types.ts'

interface RecordedCall {
  at: number
  method: string
  path: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: Buffer
}

export interface StubServer {
  url: string
  calls: RecordedCall[]
  /** What agents said on their websockets. */
  messages: { at: number; message: Json; isBinary: boolean }[]
  sockets: WebSocket[]
  /** Their TCP connections, in the same order. */
  tcp: Duplex[]
  upgrades: IncomingMessage[]
  /** Overrides an answer; undefined falls through to the usual one. */
  answer: (call: RecordedCall) => { status: number; body: unknown } | undefined
  /** False refuses websockets with 403. */
  accepts: boolean
  send: (message: Json) => void
  until: (fits: () => unknown, ms?: number) => Promise<void>
  stop: () => Promise<void>
}

const USUAL: [RegExp, (call: RecordedCall) => unknown][] = [
  [
    /^\/api\/v1\/octo\/verify\//,
    () => ({ printer: { id: 7, name: 'Stub', auth_token: 'stubtoken00000000000' } }),
  ],
  [
    /^\/api\/v1\/octo\/printer\//,
    () => ({ user: { is_pro: true }, printer: { id: 7, name: 'Stub', is_pro: true, retract_on_pause: 6.5 } }),
  ],
  [
    /^\/api\/v1\/octo\/unlinked\//,
    () => ({
      messages: [],
      one_time_passcode: 'ab1c2',
      one_time_passlink: 'http://stub/',
      verification_code: '',
    }),
  ],
  [/^\/api\/v1\/octo\/g_code_files\//, () => ({ id: 55 })],
  [/^\/ent\//, () => ({ ext: {} })],
  [/./, () => ({ result: 'ok' })],
]

/** Starts the stub on a free port of the loopback. */
export async function startStubServer(): Promise<StubServer> {
  const http = createServer()
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const stub = createStub(http, wss)
  http.on('request', (request, reply) => answerCall(stub, request, reply))
  http.on('upgrade', (request, socket, head) => {
    stub.upgrades.push(request)
    if (stub.accepts) wss.handleUpgrade(request, socket, head, (ws) => record(stub, ws, socket))
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (typeof address === 'object' && address) stub.url = `http://127.0.0.1:${address.port}`
  return stub
}

function createStub(http: Server, wss: WebSocketServer): StubServer {
  const stub: StubServer = {
    url: '',
    calls: [],
    messages: [],
    sockets: [],
    tcp: [],
    upgrades: [],
    answer: () => undefined,
    accepts: true,
    send: (message) => stub.sockets.at(-1)?.send(JSON.stringify(message)),
    until: async (fits, ms = 60_000) => {
      const end = Date.now() + ms
      while (!fits()) {
        const last = JSON.stringify(stub.messages.slice(-4)).slice(0, 1500)
        if (Date.now() > end) throw new Error(`Waited ${ms} ms for ${fits.toString()}; last said: ${last}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    stop: async () => {
      for (const ws of wss.clients) ws.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return stub
}

function answerCall(stub: StubServer, request: IncomingMessage, reply: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url: path = '', headers, rawHeaders } = request
    const call = { at: Date.now(), method, path, headers, rawHeaders, body: Buffer.concat(chunks) }
    stub.calls.push(call)
    const usual = USUAL.find(([pattern]) => pattern.test(path))
    const { status, body } = stub.answer(call) ?? { status: 200, body: usual?.[1](call) }
    const isText = typeof body === 'string'
    reply.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json' })
    reply.end(isText ? body : JSON.stringify(body))
  })
}

function record(stub: StubServer, ws: WebSocket, tcp: Duplex): void {
  stub.sockets.push(ws)
  stub.tcp.push(tcp)
  ws.on('error', () => {})
  ws.on('message', (bytes: Buffer, isBinary) => {
    const message = isBinary
      ? deserialize(bytes, { promoteBuffers: true })
      : { ...fieldsOf(JSON.parse(bytes.toString())) }
    stub.messages.push({ at: Date.now(), message, isBinary })
  })
}
