import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** For the other side to close after the closing handshake. OctoPrint's plugin never does (docs/wire/agents.md 8.3). */
const HALF_CLOSED_MS = 500

/** A websocket that has said goodbye is gone soon, whether the other side closes its connection or keeps it. */
export function endHalfClosed(app: FastifyInstance): void {
  app.websocketServer.on('connection', (_ws: WebSocket, { socket }: { socket: Socket }) => {
    // We end our side when the closing handshake is done.
    socket.once('finish', () => setTimeout(() => socket.destroy(), HALF_CLOSED_MS).unref())
  })
}
