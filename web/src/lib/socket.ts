import { socketUrl } from './base.ts'

const HEARTBEAT_MS = 30_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000
/** A window that loses the focus for a moment keeps its sockets. */
const BLUR_GRACE_MS = 5_000

/** The server closes with this code when what the socket was for is gone: the printer, or the session. */
const REVOKED = 4401

export type SocketState = 'connecting' | 'open' | 'paused' | 'lost'

interface Handlers {
  onMessage: (message: unknown) => void
  onState?: (state: SocketState) => void
  /** What it was for is gone; it does not come back by itself. */
  onRevoked?: () => void
  /** Stays open while the window has no focus. */
  background?: boolean
}

export interface LiveSocket {
  /** False when there is no open socket: nothing is kept for later. */
  send: (message: unknown) => boolean
  close: () => void
}

/** How long to wait before attempt `n` (from 0), spread so that a restart is not met by all at once. */
export function retryDelay(attempt: number, random = Math.random()): number {
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt)
  return ceiling / 2 + (ceiling / 2) * random
}

/**
 * A websocket that heartbeats, pauses while the window has no focus, and comes back by itself.
 * The server answers each connect with the whole truth, so nothing is replayed.
 */
export function openSocket(
  path: string,
  { onMessage, onState, onRevoked, background = false }: Handlers,
): LiveSocket {
  let socket: WebSocket | null = null
  let attempt = 0
  let closed = false
  const timers: { retry?: number; beat?: number; blur?: number } = {}

  function connect() {
    if (closed || socket) return
    window.clearTimeout(timers.retry)
    onState?.(attempt === 0 ? 'connecting' : 'lost')
    const opened = new WebSocket(socketUrl(path))
    socket = opened
    opened.addEventListener('open', () => {
      attempt = 0
      onState?.('open')
      timers.beat = window.setInterval(() => opened.send('{}'), HEARTBEAT_MS)
    })
    opened.addEventListener('message', (event) => {
      if (socket === opened && typeof event.data === 'string') onMessage(parse(event.data))
    })
    opened.addEventListener('close', ({ code }) => {
      if (socket !== opened) return
      drop()
      if (closed) return
      onState?.('lost')
      if (code === REVOKED) {
        closed = true
        onRevoked?.()
        return
      }
      timers.retry = window.setTimeout(connect, retryDelay(attempt++))
    })
  }

  function drop() {
    window.clearInterval(timers.beat)
    const old = socket
    socket = null
    old?.close()
  }

  function pause() {
    window.clearTimeout(timers.blur)
    timers.blur = window.setTimeout(() => {
      window.clearTimeout(timers.retry)
      drop()
      onState?.('paused')
    }, BLUR_GRACE_MS)
  }

  function resume() {
    window.clearTimeout(timers.blur)
    if (socket) return
    attempt = 0
    connect()
  }

  if (!background) window.addEventListener('blur', pause)
  window.addEventListener('focus', resume)
  window.addEventListener('online', resume)
  connect()

  return {
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    },
    close() {
      closed = true
      window.removeEventListener('blur', pause)
      window.removeEventListener('focus', resume)
      window.removeEventListener('online', resume)
      window.clearTimeout(timers.retry)
      window.clearTimeout(timers.blur)
      drop()
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
