import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import { CLOSE } from '@vigil/contract/sockets.ts'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { BadConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { watchSpace } from '../engines/files/space.ts'
import { registerAccessLog, loggedPath } from './access-log.ts'
import { answerFor } from './answers.ts'
import { authenticate, type Credentials } from './authenticate.ts'
import { registerBodies, parseQuery } from './bodies.ts'
import { createEdgeReader, type EdgeReader, namesOneHost } from './edge.ts'
import { AppError, badRequest, notFound, upgradeRequired } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { endHalfClosed } from './goodbye.ts'
import { HEALTH } from './health.ts'
import { Intake } from './memory-limit.ts'
import { METRICS } from './metrics.ts'
import { createMethodFinder } from './methods.ts'
import { isPatient } from './upload-timeouts.ts'
import type { Principal } from './principal.ts'
import { languageOf } from './route.ts'
import { sessionCookies, setSessionCookie } from './session-cookie.ts'
import { inLanguage } from './texts.ts'
import { textOf } from '../lib/thrown.ts'

/**
 * Largest websocket message, in megabytes: whole answers of a printer's page and base64 pictures travel in one (docs/wire/agents.md 4.2). More
 * than all connections may hold together is cut before (`MAX_INCOMING_MB`).
 */
const MAX_SOCKET_MESSAGE_MB = 256

/** A body larger than this is not even read to its end before we answer that it is too large. */
const MAX_DRAINED = 64 * 1024 * 1024

/**
 * Lists of printers repeat themselves: the least effort already takes nine tenths away. Brotli's least needs no large pieces
 * of memory, so it costs a third of its next, and less than gzip.
 */
const COMPRESSION = { brotli: 0, gzip: 2 }

/** Up to here it is done at once, within half a millisecond: a thread and streams cost more than the work. */
const SYNC_BELOW = 131_072

/** How long a page waits to learn whose it is. */
const WHO_MS = 500

const NOBODY: Principal = Object.freeze({ kind: 'anonymous' })

/**
 * Limits against slow and silent clients: headers within 30 s, the whole request within 2 minutes, and no
 * connection that neither sends nor takes anything for 2 minutes (websockets have pings of their own).
 */
const TIMEOUTS = { requestTimeout: 120_000, keepAliveTimeout: 72_000, connectionTimeout: 120_000 }
const NODE_HTTP = {
  headersTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // `curl --http2` and Java's client offer h2c on every first request: that is an ordinary request.
  shouldUpgradeCallback: (request: { headers: { upgrade?: string } }) =>
    request.headers.upgrade?.toLowerCase() === 'websocket',
}

/** Everything all routes share: bodies, credentials, errors, headers, log. Features register their routes on it. */
export async function createApp(ctx: Ctx, credentials: Credentials): Promise<FastifyInstance> {
  const isWorker = ctx.config.ROLE === 'worker'
  const edgeOf = readerFor(ctx.config.TRUSTED_PROXIES)
  const headers = securityHeaders(ctx.config)
  const logger: FastifyBaseLogger = ctx.log
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1_048_576,
    ...TIMEOUTS,
    http: NODE_HTTP,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: 500,
      querystringParser: parseQuery,
    },
    clientErrorHandler: refuseClient,
    // A path that is no path is refused before any hook, and so before its cookies are read.
    frameworkErrors: (error, request, reply) => {
      request.cookies = app.parseCookie(request.headers.cookie ?? '')
      void answerError(error, request, reply)
    },
    rewriteUrl: (request) => withoutPrefix(request.url ?? '/', edgeOf(request).prefix),
  })
  letPatientFinish(app)
  app.decorate('routeTable', [])
  app.decorate('pageAllowances', [])
  app.decorate('pageVisits', [])
  app.decorate('showPage', async (_, reply) => {
    reply.callNotFound()
    return reply
  })
  app.decorate('intake', new Intake(ctx.config.MAX_INCOMING_MB * 1_048_576))
  const closing = new AbortController()
  app.decorate('closing', closing.signal)
  app.addHook('preClose', async () => closing.abort())
  app.decorate('space', await watchSpace(ctx.config.dataFolder, closing.signal))
  refuseUnlistedRoutes(app)
  app.decorate('edgeOf', edgeOf)
  app.decorate('whoIs', (request) => whoIsSoon(request, credentials))
  app.decorateRequest('edge')
  app.decorateRequest('principal')
  app.decorateRequest('found')
  registerAccessLog(app)
  await app.register(cookie)
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION.brotli } },
    zlibOptions: { level: COMPRESSION.gzip },
    syncThreshold: SYNC_BELOW,
  })
  await registerSockets(app)
  registerBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    request.edge = edgeOf(request.raw)
    request.principal = NOBODY
    reply.headers(headers)
    if (!namesOneHost(request.raw)) throw badRequest('One Host header and a path are needed.')
    const { open, socket } = request.routeOptions.config
    // A node with ROLE=worker is asked whether it is well, what it counts, and nothing else.
    const { url: route = '' } = request.routeOptions
    if (isWorker && !HEALTH.has(route) && route !== METRICS) throw notFound()
    if (request.ws && !socket) throw notFound()
    if (socket && !request.ws) throw upgradeRequired()
    if (open || request.is404) return
    request.principal = await authenticate(request, credentials)
    await renewCookie(request, reply, credentials)
  })
  const allowedFor = createMethodFinder(app)
  app.setNotFoundHandler((request) => {
    const allowed = allowedFor(request.method, request.url)
    if (allowed === null) throw notFound()
    throw new AppError(405, { detail: `Method "${request.method}" not allowed.` }, { allow: allowed })
  })
  app.setErrorHandler(answerError)
  return app
}

const NO_REQUESTS: Readonly<Record<string, readonly [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The address or the headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to come.'],
}

/** Says what is wrong with what cannot be read as a request, as all refusals are said, and closes. */
function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, detail] = NO_REQUESTS[error.code ?? ''] ?? ['400 Bad Request', 'This is no request.']
  const body = JSON.stringify({ detail })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`)
  socket.destroy(error)
}

/** What the server says to a request that takes too long, but for those whose route is patient. */
function letPatientFinish({ server }: FastifyInstance): void {
  const [refuse] = server.listeners('clientError')
  server.removeAllListeners('clientError').on('clientError', (error, socket) => {
    if (!isPatient(error, socket as Socket)) refuse?.call(server, error, socket)
  })
}

function readerFor(proxies: readonly string[]): EdgeReader {
  try {
    return createEdgeReader(proxies)
  } catch (error) {
    throw new BadConfig(`TRUSTED_PROXIES=${JSON.stringify(proxies.join())} cannot be used: ${textOf(error)}.`)
  }
}

/** A page must come without a database too: who has not been found by then is nobody yet, and told by the API. */
async function whoIsSoon(request: FastifyRequest, credentials: Credentials): Promise<Principal> {
  if (sessionCookies(request).length === 0) return NOBODY
  const late = sleep(WHO_MS, NOBODY, { ref: false })
  return Promise.race([authenticate(request, credentials).catch(() => NOBODY), late])
}

/** The path as our routes know it, whether the proxy strips its prefix or not. */
function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '' || !url.startsWith(prefix)) return url
  const rest = url.slice(prefix.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

const line = (method: string, path: string) => `${method} ${path.replace(/(?<=.)\/$/, '')}`

/** Every route has a row in the table that the permission matrix walks: the server does not start with another. */
function refuseUnlistedRoutes(app: FastifyInstance): void {
  const registered: string[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') registered.push(line(one, url))
  })
  app.addHook('onReady', async () => {
    const listed = new Set(app.routeTable.map(({ method, path }) => line(method, path)))
    const unlisted = registered.find((one) => !listed.has(one))
    if (unlisted !== undefined) throw new Error(`${unlisted} is served without a row in app.routeTable`)
  })
}

async function registerSockets(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: {
      perMessageDeflate: false,
      maxPayload: MAX_SOCKET_MESSAGE_MB * 1_048_576,
      handleProtocols: pickProtocol,
      // One bad frame never closes an agent's socket; what it says is checked anyway.
      skipUTF8Validation: true,
    },
    errorHandler: (error, ws, request) => {
      // What a peer did wrong (a broken frame, a message too large, a reset) is no failure of ours.
      const isTheirs = 'code' in error
      request.log[isTheirs ? 'info' : 'error']({ err: error, path: loggedPath(request) }, 'websocket failed')
      ws.terminate()
    },
    preClose(done) {
      for (const ws of app.websocketServer.clients) ws.close(CLOSE.going, 'going away')
      app.websocketServer.close(() => done())
    },
  })
  endHalfClosed(app)
}

function pickProtocol(protocols: Set<string>): string | false {
  return protocols.has('janus-protocol') ? 'janus-protocol' : false
}

/** A session in use lasts longer; its cookie is told so at most once a day (docs/rules/people.md 2). */
async function renewCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: Credentials,
): Promise<void> {
  const { principal, edge } = request
  if (principal.kind !== 'user' || principal.via !== 'session' || request.ws) return
  for (const { name, token } of sessionCookies(request)) {
    if ((await credentials.session(token))?.sessionId !== principal.sessionId) continue
    const maxAgeSeconds = (await credentials.renewSession?.(token)) ?? null
    if (maxAgeSeconds !== null) setSessionCookie(reply, edge, { token, maxAgeSeconds, name })
  }
}

/** Turns a failure into its answer (docs/wire/rest.md 3), in the reader's language. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = answerFor(error)
  if (answer.status >= 500) {
    const { url: route } = request.routeOptions
    request.log.error({ err: error, route, path: loggedPath(request) }, 'request failed')
  }
  reply.status(answer.status).headers(answer.headers).header('cache-control', 'no-store')
  if (answer.status === 413) letFinish(request, reply)
  if (answer.body === undefined || answer.body === '') return reply.send()
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(inLanguage(answer.body, languageOf(request))))
}

/**
 * A sender in the middle of its body sees our answer only if it may finish: the rest is thrown away as it comes.
 * Closing at once would reset the connection, and agents would report a broken network.
 */
function letFinish(request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(request.headers['content-length'] ?? Infinity)
  if (length > MAX_DRAINED) return
  reply.removeHeader('connection')
  request.raw.resume()
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How a request reached us. */
    edgeOf: EdgeReader
  }
  interface FastifyRequest {
    /** True for a websocket upgrade (set by @fastify/websocket). */
    ws: boolean
  }
}
