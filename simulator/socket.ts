/**
 * The agent's websocket with the real agents' manners: a bounded queue that drops the newest, a connection
 * attempt only when a message waits, two minutes lost by a refused one (docs/wire/agents.md 8.2, 8.3).
 */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { deserialize, serialize } from 'bson'
import { WebSocket, type RawData } from 'ws'
import type { Json } from './types.ts'

export interface AgentSocketOptions {
  server: string
  token: string
  queueLimit: number
  reconnectPenaltyMs: number
  timeScale: number
  /** Its side of the TCP connection stays open after the closing handshake, as OctoPrint's plugin leaves it. */
  leavesHalfOpen: boolean
  signal: AbortSignal
  onOpen: () => void
  /** Called for one message at a time; the next waits until this one is done. */
  onMessage: (message: Json) => Promise<void>
  report: (kind: 'sent' | 'received' | 'note', message: Json) => void
}

const SHARED_TOKEN = 4321
const CONNECT_TIMEOUT_MS = 120_000

/** The sender and the reader of one agent. */
export class AgentSocket {
  #options: AgentSocketOptions
  #queue: { message: Json; isBinary: boolean }[] = []
  #wake: (() => void) | null = null
  #ws: WebSocket | null = null
  #reader: Promise<void> = Promise.resolve()
  #failures = 0
  #isCut = false
  /** After 4321: one more message, then the sender ends while the reader lives on. */
  #isSilenced = false
  #hasEnded = false

  constructor(options: AgentSocketOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => this.#stop(), { once: true })
    void this.#send()
  }

  get isConnected(): boolean {
    return this.#ws?.readyState === WebSocket.OPEN
  }

  /** True once the quirk of 4321 has made this agent dumb. */
  get hasGoneSilent(): boolean {
    return this.#hasEnded
  }

  get queued(): number {
    return this.#queue.length
  }

  post(message: Json, isBinary: boolean): void {
    if (this.#queue.length >= this.#options.queueLimit) {
      this.#options.report('note', { note: 'queue full, message dropped' })
      return
    }
    this.#queue.push({ message, isBinary })
    this.#wake?.()
  }

  /** Half-open: nothing is read, answered or sent, and nothing is closed. */
  setCut(isCut: boolean): void {
    this.#isCut = isCut
    if (this.#ws) cutSocket(this.#ws, isCut)
  }

  /** Stops reading, pings too, as a blocked reader thread does. */
  setStalled(isStalled: boolean): void {
    if (this.#isCut || this.#ws?.readyState !== WebSocket.OPEN) return
    if (isStalled) this.#ws.pause()
    else this.#ws.resume()
  }

  /** Ends the TCP connection without a close frame. */
  drop(): void {
    this.#ws?.terminate()
  }

  #stop(): void {
    this.#queue.length = 0
    this.#wake?.()
    this.#ws?.removeAllListeners()
    this.#ws?.on('error', () => {})
    this.#ws?.terminate()
  }

  async #send(): Promise<void> {
    const { signal } = this.#options
    while (!signal.aborted) {
      const item = this.#queue.shift()
      if (!item) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = null
        continue
      }
      if (!this.isConnected && !(await this.#reconnect())) {
        if (this.#isSilenced) break
        continue
      }
      const wasSilenced = this.#isSilenced
      this.#write(item.message, item.isBinary)
      if (wasSilenced) break
    }
    this.#hasEnded = true
    if (!signal.aborted) this.#options.report('note', { note: 'sender ended after 4321' })
  }

  #write(message: Json, isBinary: boolean): void {
    this.#options.report('sent', message)
    this.#ws?.send(isBinary ? serialize(message, { ignoreUndefined: true }) : JSON.stringify(message))
  }

  /** One attempt. A failure costs the penalty and a back-off, and the message that asked for it is lost. */
  async #reconnect(): Promise<boolean> {
    const { signal, reconnectPenaltyMs, timeScale, report } = this.#options
    const began = Date.now()
    const problem = this.#isCut ? 'Network is unreachable' : await this.#open()
    if (signal.aborted) return false
    if (problem === null) {
      this.#failures = 0
      return true
    }
    this.#failures += 1
    const backOff = (Math.min(2 ** (this.#failures - 3), 300) * (0.5 + Math.random()) * 1000) / timeScale
    const wait = Math.max(0, reconnectPenaltyMs - (Date.now() - began)) + backOff
    report('note', { note: 'connection attempt failed', problem, waits_ms: Math.round(wait) })
    await sleep(wait, signal)
    return false
  }

  #open(): Promise<string | null> {
    const { server, token, report } = this.#options
    const ws = new WebSocket(`${server.replace(/^http/, 'ws')}/ws/dev/`, {
      headers: { authorization: `bearer ${token}` },
      origin: new URL(server).origin,
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      maxPayload: 256 * 1024 * 1024,
    })
    this.#ws = ws
    const { signal } = this.#options
    return new Promise((resolve) => {
      const onAbort = (): void => resolve('stopped')
      signal.addEventListener('abort', onAbort, { once: true })
      ws.on('open', () => {
        report('note', { note: 'websocket open' })
        resolve(null)
        this.#options.onOpen()
      })
      ws.on('message', (bytes, isBinary) => this.#receive(bytes, isBinary))
      let isClosed = false
      const onClose = (code: number): void => {
        if (isClosed) return
        isClosed = true
        signal.removeEventListener('abort', onAbort)
        report('note', { note: 'websocket closed', code })
        if (code === SHARED_TOKEN) this.#isSilenced = true
        resolve(`closed with ${code}`)
      }
      ws.on('close', onClose)
      if (this.#options.leavesHalfOpen) ws.on('open', () => leaveHalfOpen(ws, onClose))
      ws.on('error', (error) => resolve(error.message))
    })
  }

  #receive(bytes: RawData, isBinary: boolean): void {
    const message = decode(bytes, isBinary)
    if (!message) return
    this.#options.report('received', message)
    this.#reader = this.#reader
      .then(() => this.#options.onMessage(message))
      .catch((error: unknown) =>
        this.#options.report('note', { note: 'message failed', error: String(error) }),
      )
  }
}

/**
 * With the server's close frame the connection is over for the agent; its TCP connection stays in CLOSE_WAIT (seen
 * with websocket-client 1.8.0, used as OctoPrint-Obico 2.6.1 uses it).
 */
function leaveHalfOpen(ws: WebSocket, onClose: (code: number) => void): void {
  const { _receiver: receiver, _socket: tcp } = ws as unknown as {
    _receiver: EventEmitter
    _socket: Socket
  }
  tcp.end = () => tcp
  receiver.once('conclude', onClose)
}

function cutSocket(ws: WebSocket, isCut: boolean): void {
  if (ws.readyState !== WebSocket.OPEN) return
  // ws has no public way to hold back writes; the net.Socket below it has.
  const { _socket: tcp } = ws as unknown as { _socket: { cork: () => void; uncork: () => void } | null }
  if (isCut) {
    ws.pause()
    tcp?.cork()
    return
  }
  tcp?.uncork()
  ws.resume()
}

function decode(bytes: RawData, isBinary: boolean): Json | null {
  const buffer = Array.isArray(bytes) ? Buffer.concat(bytes) : Buffer.from(bytes as Buffer)
  try {
    return JSON.parse(buffer.toString()) as Json
  } catch {
    return isBinary ? deserialize(buffer, { promoteBuffers: true }) : null
  }
}

/** Waits, or less long when the owner stops. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
