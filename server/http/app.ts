import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import type { Ctx } from '../ctx.ts'
import { isDatabaseDown, isDiskFull } from '../engines/db/postgres.ts'
import { DiskFull } from '../engines/files/port.ts'
import { authenticate, type Credentials } from './authenticate.ts'
import { registerBodies, parseForm } from './bodies.ts'
import { createEdgeReader } from './edge.ts'
import { AppError, diskFull, notFound, unavailable } from './errors.ts'
import { securityHeaders } from './headers.ts'

/** Largest websocket message: tunnel bodies and base64 pictures travel in one frame (agent-protocol 3.2). */
const MAX_SOCKET_MESSAGE = 128 * 1024 * 1024

/** Everything all routes share: bodies, credentials, errors, headers, log. Features register their routes on it. */
export async function createApp(ctx: Ctx, credentials: Credentials): Promise<FastifyInstance> {
  const edgeOf = createEdgeReader(ctx.config.TRUSTED_PROXIES)
  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    disableRequestLogging: true,
    bodyLimit: 1_048_576,
    requestTimeout: 120_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500, querystringParser: parseForm },
    rewriteUrl: (request) => {
      const url = request.url ?? '/'
      const { prefix } = edgeOf(request)
      return prefix !== '' && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url
    },
  })
  app.server.headersTimeout = 30_000
  app.decorate('routeTable', [])
  app.decorateRequest('edge')
  app.decorateRequest('principal')
  await app.register(cookie)
  await app.register(compress, { threshold: 1024, encodings: ['gzip', 'deflate'] })
  await app.register(websocket, {
    options: { perMessageDeflate: false, maxPayload: MAX_SOCKET_MESSAGE, handleProtocols: pickProtocol },
    errorHandler: (error, ws, request) => {
      request.log.error({ err: error }, 'websocket handler failed')
      ws.terminate()
    },
  })
  await registerBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    request.edge = edgeOf(request.raw)
    reply.headers(securityHeaders(ctx.config))
    request.principal = await authenticate(request, credentials)
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = answerFor(error)
    if (answer.status >= 500) request.log.error({ err: error, url: request.url.split('?', 1)[0] }, 'request failed')
    return reply.status(answer.status).headers(answer.headers).type('application/json').send(JSON.stringify(answer.body))
  })
  return app
}

function pickProtocol(protocols: Set<string>): string | false {
  return protocols.has('janus-protocol') ? 'janus-protocol' : false
}

/** The one table from failure to answer. */
function answerFor(error: FastifyError): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DiskFull) return diskFull(error.where)
  if (isDiskFull(error)) return diskFull('database')
  if (isDatabaseDown(error)) return unavailable('The database is not reachable right now. Please try again.')
  const status = error.statusCode ?? 500
  if (status === 413) return new AppError(413, { detail: 'Request body is too large.' })
  if (status === 415) return new AppError(415, { detail: 'Unsupported media type in request.' })
  if (status >= 400 && status < 500) return new AppError(status, { detail: error.message })
  return new AppError(500, { detail: 'Server error' })
}
