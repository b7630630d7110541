import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ToChild, ToKeeper } from './messages.ts'

/** A connection that has not said a word this long after the stop began is not worth waiting for. */
const SILENT_MS = 500
/**
 * A connection at rest is not closed at once: its next request may be on the way, and would be lost. It is answered,
 * and the client told to close.
 */
const LINGER_MS = 300
/** Kept free of the grace for closing what is behind the connections. */
const CLOSING_MS = 2_000

interface Serving {
  readonly app: FastifyInstance
  readonly setupLink: string | null
  close(): Promise<void>
}

export interface AnswerOptions {
  /** How long requests in progress may take when the server stops. */
  readonly graceMs: number
  readonly start: (databaseUrl: string, signal: AbortSignal) => Promise<Serving>
}

/** The child's end of keeper.ts: starts the server when told, feeds it with connections, stops it when told. */
export function answerKeeper({ graceMs, start }: AnswerOptions): void {
  const stopping = new AbortController()
  const connections = new Set<Socket>()
  let serving: Promise<Serving> | null = null

  const begin = async (databaseUrl: string): Promise<void> => {
    try {
      serving = start(databaseUrl, stopping.signal)
      const { app, setupLink } = await serving
      // It never listens itself, but its time-outs begin with this event.
      app.server.emit('listening')
      say({ say: 'ready', setupLink })
    } catch (error) {
      console.error(error)
      say({ say: 'failed', message: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
      process.disconnect?.()
    }
  }
  const admit = async (id: number, socket: Socket): Promise<void> => {
    const { app } = await serving!
    say({ say: 'took', id })
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    socket.allowHalfOpen = true
    app.server.emit('connection', socket)
    socket.resume()
  }
  const stop = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => process.exit(1), graceMs).unref()
    const started = await serving?.catch(() => null)
    if (started) {
      await finish(started.app, connections, Date.now() + graceMs - CLOSING_MS)
      await started.close()
    }
    process.exit()
  }
  // The terminal sends these to the whole group; the keeper decides, and says so.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.on('disconnect', () => void stop())
  process.on('message', (message: ToChild, socket?: Socket) => {
    if (message.say === 'start') void begin(message.databaseUrl)
    else if (message.say === 'stop') void stop()
    else if (socket) void admit(message.id, socket)
  })
  say({ say: 'loaded' })
}

function say(message: ToKeeper): void {
  if (process.connected) process.send?.(message)
}

/** Websockets are told to come again, requests are answered, connections closed when they are. */
async function finish(app: FastifyInstance, connections: Set<Socket>, until: number): Promise<void> {
  app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  for (const client of app.websocketServer.clients) client.close(1001)
  const began = Date.now()
  while (connections.size > 0 && Date.now() < until) {
    if (Date.now() - began > LINGER_MS) app.server.closeIdleConnections()
    if (Date.now() - began > SILENT_MS) {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    }
    await sleep(20)
  }
}
