import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { farm } from './farmStub.ts'
import { answer, type World } from './stub.ts'

const FRAMES_A_SECOND = 4
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

export interface FarmServer {
  readonly url: string
  /** What the account's sockets have seen so far. */
  readonly sockets: { opened: number; bytes: number; viewing: number }
  close(): Promise<void>
}

/**
 * The built client in `dist` and an account of `count` printers that tell a status a second each over its socket.
 * `photos` are JPEGs by path: a camera sends photographs, and a drawing costs the browser more.
 */
export async function startFarm(
  dist: string,
  count: number,
  photos: ReadonlyMap<string, Buffer>,
): Promise<FarmServer> {
  const world: World = { signedIn: true, printers: farm(count), language: 'en' }
  const sockets = { opened: 0, bytes: 0, viewing: 0 }
  const server = createServer((request, response) => void serve(request, response))
  new WebSocketServer({ server }).on('connection', (socket) => {
    sockets.opened++
    speak(socket, world, sockets)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${portOf(server)}`, sockets, close: () => close(server) }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    if (path.startsWith('/api/')) {
      const reply = answer(world, request.method ?? 'GET', path)
      response.writeHead(reply?.status ?? 404, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(reply?.body ?? {}))
      return
    }
    const photo = photos.get(path)
    if (photo) {
      response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(photo)
      return
    }
    const file = extname(path) ? path : '/index.html'
    const body = await readFile(join(dist, file)).catch(() => null)
    response.writeHead(body ? 200 : 404, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    })
    response.end(body)
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** As the server speaks: each printer once a second, in frames of 250 ms. */
function speak(socket: WebSocket, world: World, sockets: FarmServer['sockets']): void {
  socket.on('message', (data: Buffer) => {
    const { watch, viewing } = JSON.parse(data.toString()) as { watch?: number[]; viewing?: number[] }
    if (watch) socket.send(JSON.stringify({ printers: world.printers }))
    if (viewing) sockets.viewing = viewing.length
  })
  let turn = 0
  const timer = setInterval(() => {
    turn++
    const patches = world.printers.flatMap(({ id, status }, at) =>
      at % FRAMES_A_SECOND === turn % FRAMES_A_SECOND && status ? [{ id, patch: news(at, turn) }] : [],
    )
    const text = JSON.stringify({ patches })
    sockets.bytes += text.length
    socket.send(text)
  }, 1000 / FRAMES_A_SECOND)
  socket.on('close', () => clearInterval(timer))
}

/** What changes of a printer from one second to the next. */
function news(at: number, turn: number) {
  const drift = Math.sin(turn / 7 + at)
  return {
    agent: { state: 'connected', last_seen_at: new Date().toISOString() },
    status: {
      _ts: Date.now() / 1000,
      progress: {
        completion: (at * 37.3 + turn / 40) % 100,
        printTime: 900 + turn,
        printTimeLeft: 9000 - turn,
        filamentUsed: 11_800 + turn,
      },
      temperatures: {
        tool0: { actual: 215 + drift, target: 215, offset: 0 },
        bed: { actual: 60 + drift / 3, target: 60, offset: 0 },
      },
      currentZ: 0.2 * Math.floor(turn / 20),
    },
  }
}
