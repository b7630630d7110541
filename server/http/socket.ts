import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { loggedPath, logSocket } from './access-log.ts'
import { forbidden, upgradeRequired } from './errors.ts'
import { limitIncoming } from './outbox.ts'
import { callerKey, type Door, isLetIn, type Principal, type PrincipalOf } from './principal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a websocket's `before` found, for its `open`. */
    found: unknown
  }
}

/** What a websocket handler gets beside the socket. */
export interface SocketCall<P extends Principal = Principal> {
  readonly principal: P
  readonly params: Record<string, string>
  readonly edge: FastifyRequest['edge']
  readonly request: FastifyRequest
}

interface SocketDefinition<D extends Door> {
  readonly path: `/${string}/`
  readonly callers: readonly D[]
  /** Largest message taken, in bytes; 1 MB unless agents call here. */
  readonly maxMessage?: number
}

interface SocketHandlers<P extends Principal, T> {
  /** Refuses by throwing, before the upgrade; what it finds is what `open` receives. */
  before?(call: SocketCall<P>): Promise<T> | T
  /** Listens before it first waits: what comes meanwhile is lost. One that fails is logged, and its socket cut. */
  open(ws: WebSocket, call: SocketCall<P>, found: T): Promise<void> | void
}

/** Largest message from a browser; an agent's carries tunnel bodies and pictures (docs/wire/agents.md 4.2). */
const MAX_BROWSER_MESSAGE = 1_048_576

/**
 * A websocket endpoint. Refused before the upgrade, never after it (docs/wire/browsers.md 1). `callers` says who the
 * principal can be: `['printer']` gives a `PrinterPrincipal`.
 */
export function socket<const D extends Door, T = undefined>(
  app: FastifyInstance,
  { path, callers, ...limits }: SocketDefinition<D>,
  handlers: SocketHandlers<PrincipalOf<D>, T>,
): void {
  const maxMessage =
    limits.maxMessage ?? ((callers as readonly Door[]).includes('printer') ? undefined : MAX_BROWSER_MESSAGE)
  app.routeTable.push({ kind: 'socket', method: 'GET', path, callers })
  const callOf = (request: FastifyRequest): SocketCall<PrincipalOf<D>> => ({
    principal: request.principal as PrincipalOf<D>,
    params: request.params as Record<string, string>,
    edge: request.edge,
    request,
  })
  app.route({
    method: 'GET',
    url: path,
    exposeHeadRoute: false,
    config: { socket: true },
    preValidation: async (request) => {
      if (!isLetIn(request.principal, callers)) throw forbidden()
      request.found = await handlers.before?.(callOf(request))
    },
    handler: () => Promise.reject(upgradeRequired()),
    wsHandler: async (ws, request) => {
      if (maxMessage !== undefined) limitIncoming(ws, maxMessage)
      countIncoming(ws, request)
      logSocket(ws, request)
      try {
        await handlers.open(ws, callOf(request), request.found as T)
      } catch (error) {
        request.log.error({ err: error, path: loggedPath(request) }, 'a socket could not be served')
        ws.terminate()
      }
    },
  })
}

/** Counts what a socket has sent of a message that has not ended: no ping, and no part of one, ends it. */
function countIncoming(ws: WebSocket, request: FastifyRequest): void {
  const { log, server, raw, principal, edge } = request
  const who = callerKey(principal, edge)
  const holding = server.intake.open(who, () => {
    log.warn({ who }, 'a socket held too much of a message that did not end: it is cut')
    ws.terminate()
  })
  // Before the websocket itself hears of it and tells of a message that is whole.
  raw.socket.prependListener('data', (chunk: Buffer) => holding.add(chunk.length))
  ws.on('message', holding.release)
  ws.on('close', holding.release)
}
