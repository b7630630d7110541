import { readdirSync, readFileSync } from 'node:fs'
import { createServer, Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLOSE } from '@vigil/contract/sockets.ts'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { RESTARTS } from '../ctx.ts'
import { explainFailure } from '../failures.ts'
import { serveBeside } from '../http/beside.ts'
import type { ToChild, ToKeeper } from './messages.ts'
import { textOf } from '../lib/thrown.ts'

/** Of the files the system lets us open, for what is no connection: pictures, the database, what is loaded later. */
const OTHER_FILES = 48
const COMPLAIN_EVERY_MS = 10_000

/**
 * Keeps a server's connections so few that the system still lets it open files (`ulimit -n`). Those above are closed,
 * counted, and told of now and then.
 */
function limitConnections(server: Server, log: { warn(details: object, message: string): void }): void {
  const room = openFilesLimit() - openFiles() - OTHER_FILES
  if (room === Infinity) return
  server.maxConnections = Math.max(1, room)
  let closed = 0
  let all = 0
  let timer: NodeJS.Timeout | null = null
  server.on('drop', () => {
    closed++
    all++
    timer ??= setTimeout(() => {
      log.warn(
        { closed, all, room },
        'connections were closed: the system allows no more open files (ulimit -n)',
      )
      closed = 0
      timer = null
    }, COMPLAIN_EVERY_MS).unref()
  })
}

/** Of the connections that a server may have, a quarter is for those that come in at other ports. */
function leaveRoomBeside(server: Server): { left: number } {
  const quarter = Math.ceil((server.maxConnections || Infinity) / 4)
  if (quarter !== Infinity) server.maxConnections -= quarter
  return { left: quarter }
}

/** How many files and connections this process may have open; Infinity where it can't be learnt. */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s{1,40}(\d{1,20})/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Infinity : Number(limit)
  } catch {
    return Infinity
  }
}

/** How many this process has open now; 0 where it can't be learnt. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

/** A connection that has not said a word this long after the stop began is not worth waiting for. */
const SILENT_MS = 500
/**
 * A connection at rest is not closed at once: its next request may be on the way, and would be lost. It is answered,
 * and the client told to close.
 */
const LINGER_MS = 300
/** A websocket whose other side has not answered the goodbye by then holds up nobody else. */
const GOODBYE_MS = 3_000
/** Kept free of the grace for closing what is behind the connections. */
const CLOSING_MS = 2_000
/** Connections that the system lets wait. */
const BACKLOG = 4_096

/** A socket of the keeper's. */
type Handle = object

interface Serving {
  readonly app: FastifyInstance
  readonly setupLink: string | null
  close(): Promise<void>
}

/** What the child runs. */
export interface Program {
  /** How long requests in progress may take when the server stops. */
  readonly graceMs: number
  readonly start: (databaseUrl: string, signal: AbortSignal) => Promise<Serving>
}

/**
 * The child's end of supervisor.ts: loads its program, starts it when told, takes connections and stops when told. Who
 * knocks while it loads waits.
 */
export function answerKeeper(load: () => Promise<Program>): void {
  const stopping = new AbortController()
  const connections = new Set<Socket>()
  const beside: Server[] = []
  let room: { left: number } | null = null
  let serving: Promise<Serving> | null = null
  const program = load().then((loaded) => {
    say({ say: 'loaded' })
    return loaded
  })

  const begin = async (databaseUrl: string): Promise<void> => {
    try {
      const { start } = await program
      serving = start(databaseUrl, stopping.signal)
      const { setupLink } = await serving
      say({ say: 'ready', setupLink })
    } catch (error) {
      fail(error)
    }
  }
  const take = async (door: Handle, isBeside: boolean): Promise<void> => {
    const { app } = await serving!
    if (stopping.signal.aborted) return
    if (isBeside) {
      room ??= leaveRoomBeside(app.server)
      const server = serveBeside(app.server, room).once('error', fail)
      beside.push(server.listen(door, BACKLOG))
      return
    }
    app.server.on('connection', (socket) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
    limitConnections(app.server, app.log)
    app.server.once('error', fail)
    app.server.listen(door, BACKLOG)
  }
  const stop = async (restarts = false): Promise<void> => {
    if (stopping.signal.aborted) return
    stopping.abort(restarts ? RESTARTS : undefined)
    const { graceMs } = await program
    setTimeout(() => process.exit(1), graceMs).unref()
    const started = await serving?.catch(() => null)
    if (started) {
      // Not the HTTP server's own way, which closes connections at rest, too.
      Server.prototype.close.call(started.app.server)
      for (const server of beside) server.close()
      await finish(started.app, connections, graceMs - CLOSING_MS)
      await started.close()
    }
    process.exit()
  }
  // Whoever sends these means the keeper, which decides and says so. SIGINT is the watchdog's (watchdog.ts).
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.on('disconnect', () => void stop())
  process.on('message', (message: ToChild, door?: Handle) => {
    if (message.say === 'hold') hold(door!)
    else if (message.say === 'start') void begin(message.databaseUrl)
    else if (message.say === 'take') void take(door!, message.beside)
    else if (message.say === 'beat') say({ say: 'beat' })
    else void stop(message.restarts)
  })
}

/** The queue stays when our end of the socket is closed again, before it has taken anybody: the keeper has another. */
function hold(door: Handle): void {
  createServer().once('error', fail).listen(door, BACKLOG).close()
}

function fail(error: unknown): void {
  const explained = explainFailure(error)
  if (explained === null) console.error(error)
  const said = explained ? [explained.found, explained.cure].filter(Boolean).join(' ') : textOf(error)
  say({ say: 'failed', message: said })
  process.exitCode = 1
  process.disconnect?.()
}

function say(message: ToKeeper): void {
  if (process.connected) process.send?.(message)
}

/** Websockets are told to come again, requests are answered, connections closed when they are. */
async function finish(app: FastifyInstance, connections: Set<Socket>, withinMs: number): Promise<void> {
  app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const began = performance.now()
  for (let past = 0; connections.size > 0 && past < withinMs; past = performance.now() - began) {
    for (const client of app.websocketServer.clients) {
      // Also who comes while we go: an upgrade that was on its way.
      if (client.readyState === WebSocket.OPEN) client.close(CLOSE.going)
      else if (past > GOODBYE_MS) client.terminate()
    }
    if (past > LINGER_MS) app.server.closeIdleConnections()
    if (past > SILENT_MS) {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    }
    await sleep(20)
  }
}
