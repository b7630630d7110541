import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { deserialize, serialize } from 'bson'
import type { PrinterId } from '../../../lib/id.ts'
import { aPrinter, aUser, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, type WireAgent } from '../../../test/wire/agent.ts'
import { byServer } from '../../core/access/index.ts'
import { internalTunnel } from '../grants/grants.service.ts'
import { entranceFor, visitAt } from './doors.fixture.ts'

/** A tunnel to an agent that answers as the test says, and its owner's way in. */
export interface Hole {
  readonly owner: TestUser
  readonly printerId: PrinterId
  readonly host: string
  readonly cookie: string
  agent: WireAgent
  /** The paths that the agent was asked for. */
  readonly asked: string[]
  /** With which headers the last time, by path with query. */
  readonly headers: Map<string, Record<string, string>>
  /** By path without query; null: never an answer. What has none says its path. */
  readonly answers: Map<string, object | null>
  /** The agent goes without a word, and comes back. */
  comeBack(): Promise<void>
}

type Told = { 'http.tunnelv2'?: { ref: string; path: string; headers: Record<string, string> } }

export async function aHole(app: TestApp): Promise<Hole> {
  const owner = await aUser(app)
  const printer = await aPrinter(app, owner)
  const agent = await anAgent(app, printer.auth_token)
  const tunnel = await internalTunnel(app.ctx, byServer(printer.id))
  const { host, pathname, search } = await entranceFor(app, tunnel, owner)
  const { headers } = await visitAt(app, host, pathname + search)
  const cookie = String(headers['set-cookie']?.[0]?.split(';', 1)[0])
  const hole: Hole = {
    owner,
    printerId: printer.id,
    host,
    cookie,
    agent,
    asked: [],
    headers: new Map(),
    answers: new Map(),
    async comeBack() {
      hole.agent.ws.terminate()
      hole.agent = await anAgent(app, printer.auth_token)
      answerFor(hole)
    },
  }
  answerFor(hole)
  return hole
}

async function anAgent(app: TestApp, token: string): Promise<WireAgent> {
  const agent = await connectAgent(app, token)
  await agent.hear(({ remote_status }) => remote_status !== undefined)
  return agent
}

function answerFor(hole: Hole): void {
  const { agent } = hole
  agent.ws.on('message', (data: Buffer, isBinary) => {
    const request = isBinary ? told(data) : undefined
    if (request === undefined) return
    hole.asked.push(request.path)
    hole.headers.set(request.path, request.headers)
    const plain = { status: 200, content: request.path, headers: { 'content-type': 'text/plain' } }
    const given = hole.answers.get(request.path.split('?', 1)[0] ?? '')
    const response = given === undefined ? plain : given
    if (response !== null)
      agent.sendRaw(Buffer.from(serialize({ 'http.tunnelv2': { ref: request.ref, response } })))
  })
}

/** What is asked; nothing for a message that was broken off. */
function told(data: Buffer) {
  try {
    return (deserialize(data) as Told)['http.tunnelv2']
  } catch {
    return undefined
  }
}

/** A connection that is still open after so long was left so. */
const LEFT_OPEN_MS = 10_000

/** Says these bytes to the server and returns all that it answers until it ends the connection, which it has to. */
export async function say(app: TestApp, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes, 'latin1')
  socket.setTimeout(LEFT_OPEN_MS, () => socket.destroy(new Error(`left open after ${bytes.slice(0, 200)}`)))
  return await text(socket.setEncoding('latin1')).catch((error: unknown) => String(error))
}

/** What makes two ends of a way disagree where a request ends: its name, headers, and what follows them. */
export const SMUGGLING: readonly (readonly [name: string, lines: readonly string[], body: string])[] = [
  ['both lengths', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['both lengths, the other way', ['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 5'], ''],
  ['a list of lengths', ['Content-Length: 0, 5'], ''],
  ['a length with a sign', ['Content-Length: +0'], ''],
  ['an encoding nobody knows', ['Transfer-Encoding: xchunked', 'Content-Length: 0'], ''],
  ['an encoding behind another', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 0'], ''],
  ['a folded line', ['X-A: b', ' Transfer-Encoding: chunked'], ''],
  ['a line that only line feeds end', ['X-A: b\nTransfer-Encoding: chunked'], ''],
  ['a bare return', ['X-A: b\rTransfer-Encoding: chunked'], ''],
  ['a chunk with a wrong size', ['Transfer-Encoding: chunked'], '0x0\r\n\r\n'],
]
