import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Principal } from './principal.ts'

/** Paths whose last part is a secret: it is not written down. */
const SECRET =
  /^(\/ws\/(?:token|share_token)\/\w+\/|\/printers\/share_token\/|\/accounts\/confirm-email\/|\/accounts\/password\/reset\/key\/)[^/]+/

/** What looks like a token wherever it stands: long, of a token's letters, with a digit among them. */
const TOKEN = /^(?=.*\d)[\w-]{16,}$/
const LONGEST = 300

/** A request's path as it may be logged: without its query (codes, tokens, digests) and without secret parts. */
export function loggedPath(url: string): string {
  const path = url.slice(0, LONGEST).split('?', 1).join('')
  return path
    .replace(SECRET, '$1***')
    .split('/')
    .map((part) => (TOKEN.test(part) ? '***' : part))
    .join('/')
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
