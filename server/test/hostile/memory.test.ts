import { connect, type Socket } from 'node:net'
import { serialize } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../app.ts'
import { connectAgent, eventually } from '../wire/agent.ts'

const MB = 1_048_576
const LIMIT_MB = 24

let app: TestApp
let owner: TestUser
let open: Socket[]

beforeEach(async () => {
  app = await buildTestApp({ env: { MAX_INCOMING_MB: `${LIMIT_MB}` } })
  owner = await aUser(app)
  open = []
})
afterEach(async () => {
  for (const socket of open) socket.destroy()
  await app?.close()
})

/** A raw connection that has said this, and what became of it. */
async function say(text: string): Promise<Socket & { heard: string }> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1') as Socket & { heard: string }
  socket.heard = ''
  socket.on('error', () => {})
  socket.on('data', (data) => (socket.heard += data.toString('latin1')))
  open.push(socket)
  socket.write(text)
  return socket
}

async function upgrade(token: string): Promise<Socket> {
  const lines = [
    'GET /ws/dev/ HTTP/1.1',
    'Host: x',
    `Authorization: bearer ${token}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const socket = await say(`${lines.join('\r\n')}\r\n\r\n`)
  await eventually(() => (socket.heard.includes(' 101 ') ? true : undefined))
  return socket
}

/** Begins a frame of so many bytes, masked with nothing. */
function frameHead(bytes: number): Buffer {
  const head = Buffer.alloc(14)
  head.set([0x82, 0xff])
  head.writeBigUInt64BE(BigInt(bytes), 2)
  return head
}

/** Writes so much, unless the connection is cut meanwhile; true when all went through. */
async function pour(socket: Socket, bytes: number): Promise<boolean> {
  const piece = Buffer.alloc(MB / 4, 65)
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length) {
    const isFree = socket.write(piece)
    if (!isFree)
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve)
        socket.once('close', resolve)
      })
  }
  return !socket.destroyed
}

const held = () => app.server.app.intake.total

describe('memory that others hold', () => {
  it('is bounded for unfinished frames of all agents together; who sends little is not cut', async () => {
    const [printer, other] = [await aPrinter(app, owner), await aPrinter(app, await aUser(app))]
    const watched = await connectAgent(app, other.auth_token)
    for (let i = 0; i < 6; i++) {
      const socket = await upgrade(printer.auth_token)
      socket.write(frameHead(100 * MB))
      await pour(socket, 20 * MB)
      expect(held()).toBeLessThanOrEqual(LIMIT_MB * MB)
    }
    watched.send({
      current_print_ts: -1,
      status: { _ts: app.ctx.clock.now() / 1000, state: { text: 'Operational', flags: {} } },
    })
    await eventually(async () => {
      const { json } = await call(app, 'GET', '/api/v1/printers/', { token: owner.token })
      return Array.isArray(json) ? true : undefined
    })
    expect(watched.closed).toBe(null)
    for (const socket of open) socket.destroy()
    await eventually(() => (held() === 0 ? true : undefined))
    watched.ws.terminate()
  })

  it('is bounded for unfinished bodies of strangers, who are told so', async () => {
    const head =
      'POST /api/v1/auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n'
    const sockets = await Promise.all(Array.from({ length: 40 }, () => say(head)))
    for (const socket of sockets) await pour(socket, MB - MB / 4)
    await eventually(() =>
      sockets.some(({ heard }) => heard.startsWith('HTTP/1.1 503 ')) ? true : undefined,
    )
    expect(held()).toBeLessThanOrEqual(LIMIT_MB * MB)
    // Others are served meanwhile.
    expect((await call(app, 'GET', '/api/v1/users/me/', { token: owner.token })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await eventually(() => (held() === 0 ? true : undefined))
  })

  it('leaves room for the whole answer of an agent that does not chunk, and forgets it when it has ended', async () => {
    const printer = await aPrinter(app, owner)
    const agent = await connectAgent(app, printer.auth_token)
    const response = {
      status: 200,
      compressed: false,
      content: Buffer.alloc(15 * MB),
      cookies: null,
      headers: {},
    }
    const answer = Buffer.from(serialize({ 'http.tunnelv2': { ref: 'r1', response } }))
    for (let i = 0; i < 4; i++) agent.sendRaw(answer)
    await new Promise((resolve) => {
      agent.ws.once('pong', resolve)
      agent.ws.ping()
    })
    expect([agent.closed, held()]).toEqual([null, 0])
    agent.ws.terminate()
  })
})
