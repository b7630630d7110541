import { socketUrl } from './base.ts'
import { heardServer, loseLine, onTryNow, regainLine, retryDelay } from './line.ts'

/**
 * What a page says of printers is of now. With nothing heard for so long it asks whether somebody is there (`{"ping": 1}`,
 * contract/sockets.ts), and without an answer takes back what it says: within 8 s of the last word. Where statuses come
 * each second nothing is asked.
 */
const QUIET_MS = 3_500
const ANSWER_WITHIN_MS = 4_000
/** Of a page that nobody sees the title alone speaks. */
const QUIET_HIDDEN_MS = 20_000
/** A server that was only busy says so in the end; with nothing heard for so long there is nobody at the other end. */
const DEAD_MS = 20_000
/** A timer that was late by so much: this page was busy itself, and what came meanwhile waits to be heard. */
const LATE_MS = 1_000
/** By so much: the machine slept. */
const SLEPT_MS = 20_000
/** How long a connection may take to open, and who was asked to show that it lives, to answer. */
const OPENING_MS = 10_000
const ANSWER_MS = 5_000
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

/**
 * A websocket that heartbeats, pauses while the window has no focus, and comes back by itself, at once when the network
 * does or the machine wakes. The server answers each connect with the whole truth, so nothing is replayed.
 */
export function openSocket(
  path: string,
  { onMessage, onState, onRevoked, background = false }: Handlers,
): LiveSocket {
  const who = {}
  let socket: WebSocket | null = null
  let attempt = 0
  let closed = false
  let heardAt = Date.now()
  /** When the server last gave a sign, and was last asked for one, on the clock that nobody sets. */
  let signAt = 0
  let askedAt = 0
  /** When it is looked at next, by the time of day, which goes on while the machine sleeps. */
  let dueAt = 0
  let isDoubted = false
  const timers: { retry?: number; look?: number; blur?: number; opening?: number; answer?: number } = {}

  function connect() {
    if (closed || socket) return
    window.clearTimeout(timers.retry)
    onState?.(attempt === 0 ? 'connecting' : 'lost')
    const opened = new WebSocket(socketUrl(path))
    socket = opened
    timers.opening = window.setTimeout(lose, OPENING_MS)
    timers.look = window.setTimeout(() => loseLine(who, heardAt), QUIET_MS + ANSWER_WITHIN_MS)
    opened.addEventListener('open', () => {
      if (socket !== opened) return
      window.clearTimeout(timers.opening)
      onState?.('open')
      signAt = performance.now()
      ask()
    })
    opened.addEventListener('message', (event) => {
      if (socket !== opened || typeof event.data !== 'string') return
      hear()
      const message = parse(event.data)
      if (!isPong(message)) onMessage(message)
    })
    opened.addEventListener('close', ({ code }) => {
      if (socket !== opened) return
      if (code !== REVOKED) return lose()
      drop()
      closed = true
      onState?.('lost')
      onRevoked?.()
    })
  }

  function hear() {
    heardAt = Date.now()
    signAt = performance.now()
    attempt = 0
    window.clearTimeout(timers.answer)
    heardServer()
    regainLine(who)
    if (isDoubted) lookIn(QUIET_MS)
    isDoubted = false
  }

  /** Not on one that is closing: it says so itself in a moment. */
  function ping() {
    if (socket?.readyState === WebSocket.OPEN) socket.send('{"ping":1}')
  }

  function ask() {
    askedAt = performance.now()
    ping()
    lookIn(ANSWER_WITHIN_MS)
  }

  function lookIn(wait: number) {
    window.clearTimeout(timers.look)
    dueAt = Date.now() + wait
    timers.look = window.setTimeout(look, wait)
  }

  /** Whether the server was heard of late. */
  function look() {
    const late = document.hidden ? 0 : Date.now() - dueAt
    if (late > SLEPT_MS) return reconnect()
    if (late > LATE_MS) return lookIn(LATE_MS)
    const now = performance.now()
    const [silence, asked] = [now - signAt, now - askedAt]
    const quiet = document.hidden ? QUIET_HIDDEN_MS : QUIET_MS
    if (silence < asked) {
      if (silence >= quiet) ask()
      else lookIn(quiet - silence)
    } else if (asked < ANSWER_WITHIN_MS) lookIn(ANSWER_WITHIN_MS - asked)
    else if (silence >= DEAD_MS) lose()
    else {
      isDoubted = true
      loseLine(who, heardAt)
      lookIn(DEAD_MS - silence)
    }
  }

  /** It may have died unseen: it shows that it lives, soon, or is opened anew. */
  function probe() {
    ask()
    window.clearTimeout(timers.answer)
    timers.answer = window.setTimeout(reconnect, ANSWER_MS)
  }

  function drop() {
    window.clearTimeout(timers.look)
    isDoubted = false
    window.clearTimeout(timers.opening)
    window.clearTimeout(timers.answer)
    const old = socket
    socket = null
    old?.close()
  }

  /** There is nobody at the other end: tried again, each time more slowly. */
  function lose() {
    drop()
    if (closed) return
    loseLine(who, heardAt)
    onState?.('lost')
    window.clearTimeout(timers.retry)
    timers.retry = window.setTimeout(connect, retryDelay(attempt++))
  }

  function reconnect() {
    if (closed) return
    drop()
    attempt = 0
    connect()
  }

  function pause() {
    window.clearTimeout(timers.blur)
    timers.blur = window.setTimeout(() => {
      window.clearTimeout(timers.retry)
      drop()
      regainLine(who)
      onState?.('paused')
    }, BLUR_GRACE_MS)
  }

  function resume() {
    if (document.hidden) return
    window.clearTimeout(timers.blur)
    if (!socket) reconnect()
    else if (socket.readyState === WebSocket.OPEN) probe()
  }

  const stops = [
    listen(window, 'focus', resume),
    listen(window, 'pageshow', resume),
    listen(document, 'visibilitychange', resume),
    listen(window, 'offline', () => socket && lose()),
    // As does the page's own "try now": what was open before the network changed is not worth keeping.
    onTryNow(reconnect),
    ...(background ? [] : [listen(window, 'blur', pause)]),
  ]
  connect()

  return {
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    },
    close() {
      closed = true
      for (const stop of stops) stop()
      window.clearTimeout(timers.retry)
      window.clearTimeout(timers.blur)
      drop()
      regainLine(who)
    },
  }
}

function listen(target: EventTarget, name: string, listener: () => void): () => void {
  target.addEventListener(name, listener)
  return () => target.removeEventListener(name, listener)
}

function isPong(message: unknown): boolean {
  return message !== null && typeof message === 'object' && 'pong' in message
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
