import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Who serves hosts and ports that are not the app's. Each method says whether it has taken what came. */
export interface OtherHosts {
  request(request: IncomingMessage, response: ServerResponse): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
}

/**
 * Asks `others` before any route, hook or file of the app: what comes for another host meets nothing of ours, neither
 * headers nor cookies nor errors.
 */
export function serveOtherHosts({ server }: FastifyInstance, others: OtherHosts): void {
  // Node hands these events the arguments that `others` takes.
  const inner = { request: server.listeners('request'), upgrade: server.listeners('upgrade') }
  server.removeAllListeners('request').removeAllListeners('upgrade')
  server.on('request', (request, response) => {
    if (!others.request(request, response))
      for (const one of inner.request) one.call(server, request, response)
  })
  server.on('upgrade', (request, socket, head) => {
    if (!others.upgrade(request, socket, head))
      for (const one of inner.upgrade) one.call(server, request, socket, head)
  })
}
