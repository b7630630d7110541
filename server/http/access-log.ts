import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Principal } from './principal.ts'

/** Paths whose last part is a secret: it is not written down. */
const SECRET =
  /^(\/ws\/(?:token|share_token)\/\w+\/|\/printers\/share_token\/|\/accounts\/confirm-email\/|\/accounts\/password\/reset\/key\/)[^/]+/

/** A request's path as it may be logged: without its query (codes, tokens, digests) and without secret parts. */
export function loggedPath(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return (SECRET.test(path) ? path.replace(SECRET, '$1***') : path).slice(0, 300)
}

function who(principal: Principal | undefined): string | undefined {
  if (principal?.kind === 'user' || principal?.kind === 'slicer')
    return `${principal.kind}:${principal.userId}`
  if (principal?.kind === 'printer' || principal?.kind === 'share')
    return `${principal.kind}:${principal.printerId}`
  if (principal?.kind === 'tunnel') return `tunnel:${principal.tunnelId}`
  return undefined
}

/** One line for each request, when it is answered. */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, url, principal, edge } = request
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = {
      method,
      path: loggedPath(url),
      status: reply.statusCode,
      ms,
      from: edge?.address,
      who: who(principal),
    }
    request.log.info(line, 'request')
  })
}

/** One line for each socket, when it has closed. */
export function logSocket(ws: WebSocket, request: FastifyRequest): void {
  const since = performance.now()
  ws.once('close', (code) => {
    const seconds = Math.round((performance.now() - since) / 100) / 10
    const { url, principal, edge } = request
    request.log.info(
      { path: loggedPath(url), code, seconds, from: edge.address, who: who(principal) },
      'socket',
    )
  })
}
