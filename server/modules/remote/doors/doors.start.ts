import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { httpRequests } from '../../../engines/metrics/index.ts'
import { loggedPath } from '../../../http/access-log.ts'
import { serveOtherHosts } from '../../../http/other-hosts.ts'
import { placeOf } from '../origins/places.rules.ts'
import { answerRequest } from './request.door.ts'
import { answerUpgrade } from './socket.door.ts'
import { METHODS, type Visit } from './visit.ts'

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
