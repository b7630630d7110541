import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import websocket from '@fastify/websocket'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { endHalfClosed } from './goodbye.ts'

const app = Fastify()
afterEach(() => app.close())

it('after the goodbye a connection is ended, though the other side keeps it open as OctoPrint’s plugin does', async () => {
  await app.register(websocket)
  endHalfClosed(app)
  app.get('/', { websocket: true }, () => undefined)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}/`)
  await once(client, 'open')
  // It answers the close frame and leaves its connection in CLOSE_WAIT.
  const { _socket: tcp } = client as unknown as { _socket: Socket }
  tcp.end = () => tcp
  const [server] = app.websocketServer.clients
  const closed = once(server!, 'close')
  server!.close(1001)
  // The websocket's own patience is 30 s; this test has less.
  expect((await closed)[0]).toBe(1001)
  expect(app.websocketServer.clients.size).toBe(0)
  client.terminate()
}, 25_000)
