import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/**
 * Serves connections of other ports as if they had come to this server: each request's socket says where it came in
 * (`localPort`). `room` is how many of them there may be at once, of all such ports together; further ones are closed.
 */
export function serveBeside(main: HttpServer, room: { left: number } = { left: Infinity }): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (room.left <= 0) return void socket.destroy()
    room.left--
    socket.once('close', () => room.left++)
    main.emit('connection', socket)
  })
}

/** Listens at the ports of tunnels, too, until the app closes. The product's keeper holds them itself. */
export async function listenBeside(app: FastifyInstance, config: Config, host: string): Promise<void> {
  const { first, last } = config.OCTOPRINT_TUNNEL_PORT_RANGE ?? { first: 1, last: 0 }
  for (let port = first; port <= last; port++) {
    const server = serveBeside(app.server).listen(port, host)
    await once(server, 'listening')
    app.closing.addEventListener('abort', () => server.close())
  }
}
