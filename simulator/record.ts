/**
 * Stands between a real agent and a server, and writes down what they say, in the form that the golden tests replay
 * (server/test/wire/captures): `node simulator/record.ts --server http://127.0.0.1:3334 --port 3400 --out FILE`. Give the
 * agent `http://<this machine>:3400` as its server. Pictures are left out; take tokens out by hand.
 */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import WebSocket, { type RawData, WebSocketServer } from 'ws'

/** One line of a capture, without its time. */
type Line = Readonly<Record<string, unknown>>

/** Of the headers, those that concern one connection alone. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

const passedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name)))

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Forwards all that comes to `target` (`http://host:port`), and hands each step to `write`. */
export function recorder(target: string, write: (line: Line) => void): Server {
  const server = createServer((incoming, answer) => {
    forward(target, incoming, write).then(
      ({ status, headers, said }) => answer.writeHead(status, passedOn(headers)).end(said),
      () => answer.writeHead(502).end(),
    )
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (agent) => {
      const address = new URL(incoming.url ?? '/', target.replace(/^http/, 'ws'))
      join(agent, new WebSocket(address, { headers: passedOn(incoming.headers) }), write)
    })
  })
  return server
}

async function forward(target: string, incoming: IncomingMessage, write: (line: Line) => void) {
  const body = await buffer(incoming)
  const { method, url = '/', headers } = incoming
  const outgoing = request(new URL(url, target), { method, headers: passedOn(headers) })
  outgoing.end(body)
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  const [status, said] = [reply.statusCode ?? 502, await buffer(reply)]
  const type = headers['content-type']
  // pictures travel in multipart bodies
  const content = type?.startsWith('multipart/') ? { bytes: body.length } : { body: body.toString() }
  const { authorization: auth } = headers
  write({ kind: 'http', method, url, auth, type, status, ...content, reply: jsonOf(said.toString()) })
  return { status, headers: reply.headers, said }
}

function join(agent: WebSocket, far: WebSocket, write: (line: Line) => void): void {
  const early: [RawData, boolean][] = []
  write({ kind: 'open' })
  agent.on('message', (data, binary) => {
    const bytes = data as Buffer
    write(
      binary ? { kind: 'bson', hex: bytes.toString('hex') } : { kind: 'json', msg: jsonOf(bytes.toString()) },
    )
    if (far.readyState === WebSocket.OPEN) far.send(data, { binary })
    else early.push([data, binary])
  })
  far.on('open', () => {
    for (const [data, binary] of early) far.send(data, { binary })
  })
  far.on('message', (data, binary) => {
    const bytes = data as Buffer
    write({ kind: 'server', msg: binary ? { hex: bytes.toString('hex') } : jsonOf(bytes.toString()) })
    agent.send(data, { binary })
  })
  agent.on('close', () => {
    write({ kind: 'close' })
    far.close()
  })
  far.on('close', () => agent.close())
  for (const end of [agent, far]) end.on('error', () => end.terminate())
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      server: { type: 'string', default: 'http://127.0.0.1:3334' },
      port: { type: 'string', default: '3400' },
      out: { type: 'string', default: 'capture.jsonl' },
    },
  })
  const began = Date.now()
  const file = createWriteStream(values.out)
  const server = recorder(values.server, (line) =>
    file.write(`${JSON.stringify({ t: (Date.now() - began) / 1000, ...line })}\n`),
  )
  server.listen(Number(values.port), () => {
    console.log(
      `Writing to ${values.out} what an agent of http://127.0.0.1:${values.port} says. Ctrl-C ends.`,
    )
  })
}
