import { textOf } from '../../lib/thrown.ts'
import { createServer } from 'node:net'
import WebSocket from 'ws'
import type { Config } from '../../config.ts'
import { pidFileOf } from '../../supervisor.ts'
import { readPidFile } from '../../supervisor/pid-file.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'

const PATIENCE_MS = 5_000

/** The process of our server, if it runs. */
export const runningPid = (config: Pick<Config, 'dataFolder'>) => readPidFile(pidFileOf(config))

/** Either our server answers on the port, or the port is free for it. */
export async function checkPort(config: Config): Promise<Finding> {
  const pid = runningPid(config)
  const { HOST, PORT } = config
  if (pid === null) {
    const taken = await whyNotFree(PORT, HOST)
    if (taken === null) return fine(`Port ${PORT} on ${HOST} is free; the server does not run.`)
    return broken(
      `The server does not run, and cannot listen on ${HOST}:${PORT}: ${taken}`,
      'Set PORT to another one.',
    )
  }
  const url = `${localAddress(config)}/hc/`
  try {
    const { ok, status } = await fetch(url, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (ok) return fine(`The server runs (process ${pid}) and answers at ${url}.`)
    return broken(`${url} answers ${status}.`, 'See what /hc/ says, and the log of the server.')
  } catch (error) {
    const advice = 'Was it started with another PORT or HOST than this command has now?'
    return broken(`The server runs (process ${pid}), but ${url} does not answer: ${causeOf(error)}.`, advice)
  }
}

/** A websocket opens, at the server itself and, where PUBLIC_URL is set, through what stands before it. */
export async function checkWebsocket(config: Config): Promise<Finding> {
  if (runningPid(config) === null)
    return doubtful('Not tried: the server does not run.', 'Start it with ./vigil up')
  const inner = await tryWebsocket(localAddress(config))
  if (inner !== null)
    return broken(`The server's own websocket does not open: ${inner}`, 'See the log of the server.')
  if (config.PUBLIC_URL === undefined) return fine('It opens at the server itself (PUBLIC_URL is not set).')
  const outer = await tryWebsocket(config.PUBLIC_URL)
  if (outer === null) return fine(`It opens at the server itself and at ${config.PUBLIC_URL}.`)
  const advice =
    'The reverse proxy must pass Upgrade and Connection headers (docs/self-hosting.md, Reverse proxy).'
  return broken(`It opens at the server, but not at ${config.PUBLIC_URL}: ${outer}`, advice)
}

/** Null when a websocket is taken or refused by us for want of a credential; otherwise what came instead. */
function tryWebsocket(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/ws/web/0/`, {
      handshakeTimeout: PATIENCE_MS,
    })
    socket.once('open', () => {
      socket.terminate()
      resolve(null)
    })
    socket.once('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      if (statusCode === 401 || statusCode === 403) return resolve(null)
      resolve(statusCode === 426 ? 'the Upgrade header is lost on the way' : `it answers ${statusCode}`)
    })
    socket.once('error', (error) => resolve(error.message))
  })
}

/** Where this machine reaches the server. */
export function localAddress({ HOST, PORT }: Config): string {
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

function whyNotFree(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' ? 'another program has it.' : error.message),
    )
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

function causeOf(error: unknown): string {
  return textOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
}
