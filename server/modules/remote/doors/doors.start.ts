import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import { httpRequests } from '../../../engines/metrics/index.ts'
import { loggedPath } from '../../../http/access-log.ts'
import { serveOtherHosts } from '../../../http/other-hosts.ts'
import { limitIncoming } from '../../../http/outbox.ts'
import { openTunnelSocket } from '../carry/sockets.service.ts'
import { addUsage, isOverCap } from '../grants/usage.service.ts'
import { placeOf } from '../origins/places.rules.ts'
import { TUNNEL_CLOSE, TunnelFailed, type TunnelSocket } from '../wire/port.ts'
import { answerRequest, refusalOf } from './request.door.ts'
import { videoAt } from './video.door.ts'
import {
  METHODS,
  type Visit,
  checkCap,
  checkShape,
  type Guest,
  letIn,
  Refused,
  takePlace,
  tunnelAt,
  whenSentAway,
} from './visit.ts'

/** Where Moonraker's pages and OctoPrint's open websockets. */
const SOCKETS = /^\/(websocket\/?|sockjs\/.+)$/i
/** A browser's message; what a page types. */
const MAX_MESSAGE = 1_048_576
/** A browser that reads so much slower than its printer talks is cut off, and comes again. */
const MAX_UNREAD = 1_048_576
/** Bytes on their way to the agent, of one socket. */
const MAX_UNSENT = 4_194_304
const SIGNED_OUT = 4401
const TEXT_ONLY = 1003

/** Opens a websocket on a tunnel's origin, or refuses the handshake. */
async function answerUpgrade(visit: Visit, socket: Duplex, head: Buffer): Promise<void> {
  socket.on('error', () => socket.destroy())
  try {
    checkShape(visit)
    const tunnel = await tunnelAt(visit)
    const guest = await letIn(visit, tunnel, true)
    const video = videoAt(visit.ctx, visit.path, guest)
    if (video === null) {
      if (!SOCKETS.test(visit.path.split('?', 1)[0] ?? '')) throw new Refused('missing')
      await checkCap(visit.ctx, tunnel)
    }
    const leave = takePlace('sockets', tunnel)
    socket.once('close', leave)
    const { websocketServer: server } = visit.app
    server.handleUpgrade(visit.request, socket, head, (ws) => {
      server.emit('connection', ws, visit.request)
      if (video === null) relay(visit, guest, ws)
      else video(ws)
    })
  } catch (error) {
    socket.end(refusalOf(visit, error), () => socket.destroy())
  }
}

/** Frames both ways until one side ends. What the browser says before the printer's side is open waits, a little of it. */
function relay({ ctx, path }: Visit, guest: Guest, ws: WebSocket): void {
  const { tunnel } = guest
  limitIncoming(ws, MAX_MESSAGE)
  const early: string[] = []
  let printer: TunnelSocket | null = null
  // What is said beyond the month's data is heard by nobody; asked of memory, so frames keep their order.
  let isOver = false
  const look = () =>
    void isOverCap(ctx, tunnel.userId).then(
      (over) => (isOver = over),
      () => undefined,
    )
  const say = (text: string) => {
    if (printer === null) return early.length < 50 ? void early.push(text) : ws.close(TUNNEL_CLOSE.slow)
    if (printer.bufferedAmount > MAX_UNSENT) return ws.close(TUNNEL_CLOSE.slow, 'too slow')
    printer.send(text)
  }
  ws.on('message', (data, isBinary) => {
    // Agents make text of everything.
    if (isBinary) return ws.close(TEXT_ONLY)
    look()
    if (!isOver) say(data.toString())
  })
  const stay = whenSentAway(ctx, guest, () => ws.close(SIGNED_OUT, 'not allowed any more'))
  ws.on('error', () => undefined)
  ws.on('close', () => {
    stay()
    printer?.close()
  })
  openTunnelSocket(ctx, tunnel.printerId, {
    path,
    hear(data) {
      if (ws.readyState !== ws.OPEN) return
      if (ws.bufferedAmount > MAX_UNREAD) return ws.close(TUNNEL_CLOSE.slow, 'too slow')
      ws.send(data)
    },
    end: (code, reason) => ws.close(code, reason),
    counted: (bytes) => addUsage(ctx, tunnel.userId, bytes),
  }).then(
    (opened) => {
      printer = opened
      if (ws.readyState !== ws.OPEN) return opened.close()
      for (const text of early.splice(0)) opened.send(text)
    },
    (error: unknown) => {
      if (!(error instanceof TunnelFailed)) ctx.log.error({ err: error }, 'a socket of a tunnel failed')
      ws.close(TUNNEL_CLOSE.lost, 'the printer does not answer')
    },
  )
}

/** Serves tunnels at their own origins, before all routes of the app. */
export function registerDoors(app: FastifyInstance, ctx: Ctx): void {
  if (ctx.config.ROLE === 'worker') return
  const visitOf = (request: IncomingMessage): Visit | null => {
    const edge = app.edgeOf(request)
    const place = placeOf(ctx.config, edge.origin, request.socket.localPort)
    // Slashes at the beginning are one: two would name a host.
    const path = (request.url ?? '/').replace(/^\/+/, '/')
    return place && { app, ctx, place, edge, request, path }
  }
  serveOtherHosts(app, {
    request(request, response) {
      const visit = visitOf(request)
      if (visit === null) return false
      const began = performance.now()
      response.once('close', () => {
        const ms = Math.round(performance.now() - began)
        const { method = '', url = '' } = request
        const from = visit.edge.address
        const line = {
          tunnel: visit.place.name,
          method,
          path: loggedPath({ url }),
          status: response.statusCode,
          ms,
          from,
        }
        ctx.log.info(line, 'tunnel')
        httpRequests.inc({
          method: METHODS.has(method) ? method : 'OTHER',
          route: 'tunnel',
          status: response.statusCode,
        })
      })
      void answerRequest(visit, response)
      return true
    },
    upgrade(request, socket, head) {
      const visit = visitOf(request)
      if (visit === null) return false
      void answerUpgrade(visit, socket, head)
      return true
    },
  })
}
