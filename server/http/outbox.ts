import { CLOSE } from '@vigil/contract/sockets.ts'
import { WebSocket } from 'ws'

/** What a browser that does not read may cost (docs/wire/rest.md 1). */
const MAX_UNSENT = 1_048_576

/**
 * Sends to a browser unless it has stopped reading: one with more than a megabyte unsent is dropped. True when the
 * text was handed over.
 */
export function sendBounded(ws: WebSocket, text: string | Uint8Array, maxUnsent = MAX_UNSENT): boolean {
  if (ws.readyState !== WebSocket.OPEN) return false
  if (ws.bufferedAmount > maxUnsent) {
    dropSlow(ws)
    return false
  }
  ws.send(text, () => undefined)
  return true
}

/** Nothing queued can reach it in time: the closing code is for our own log, then the connection is cut. */
function dropSlow(ws: WebSocket): void {
  ws.close(CLOSE.slow, 'slow')
  ws.terminate()
}

export interface KeepAlive {
  readonly intervalMs: number
  /** Without any frame or pong for this long the peer is gone. */
  readonly deadAfterMs: number
  /** Ends the pings; the socket is left as it is. */
  readonly signal?: AbortSignal
  readonly onDead?: () => void
  /** Called when something was heard: a frame, a ping or a pong. */
  readonly onHeard?: () => void
}

/** Pings a socket until it closes, and cuts it when nothing is heard any more (half-open connections). */
export function keepAlive(ws: WebSocket, options: KeepAlive): () => void {
  let heardAt = performance.now()
  const hear = () => {
    heardAt = performance.now()
    options.onHeard?.()
  }
  const timer = setInterval(() => {
    if (performance.now() - heardAt > options.deadAfterMs) {
      stop()
      options.onDead?.()
      ws.terminate()
    } else if (ws.readyState === WebSocket.OPEN) ws.ping()
  }, options.intervalMs)
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    for (const event of ['message', 'ping', 'pong']) ws.off(event, hear)
    ws.off('close', stop)
    options.signal?.removeEventListener('abort', stop)
  }
  for (const event of ['message', 'ping', 'pong']) ws.on(event, hear)
  ws.on('close', stop)
  options.signal?.addEventListener('abort', stop)
  if (options.signal?.aborted) stop()
  return stop
}

/** Longer messages are no heartbeat. */
const LONGEST_PING = 64

/**
 * Keeps a browser's socket: pings it, and answers `{"ping": …}` with `{"pong": …}`, as pages can't see the pings of
 * websockets. Other clients send `{}`, which has no answer (contract/sockets.ts).
 */
export function keepBrowser(ws: WebSocket): void {
  keepAlive(ws, { intervalMs: 30_000, deadAfterMs: 75_000 })
  ws.on('message', (data: Buffer, isBinary) => {
    if (isBinary || data.length > LONGEST_PING) return
    const ping = /^\{"ping":(\d{1,9})\}$/.exec(data.toString())
    if (ping) sendBounded(ws, `{"pong":${ping[1]}}`)
  })
}

/**
 * Lowers the largest message one socket takes. `ws` knows one limit for a whole server only, and agents need 256 MB
 * where browsers need little; a test holds this to the version we pin.
 */
export function limitIncoming(ws: WebSocket, bytes: number): void {
  const receiver = (ws as unknown as { _receiver?: { _maxPayload?: number } })._receiver
  if (receiver?._maxPayload !== undefined) receiver._maxPayload = bytes
}
