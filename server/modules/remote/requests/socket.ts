import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../ctx.ts'
import { pathOf, socketMessage } from '../wire/envelope.rules.ts'
import { type AgentLine, LATE_MS } from './agent-line.ts'
import { TUNNEL_CLOSE, TunnelFailed, type TunnelSocket, type TunnelSocketOptions } from '../wire/port.ts'
import type { SocketNews } from '../wire/reply.rules.ts'

/** Websockets of one printer's page at once. */
const MOST_SOCKETS = 16
const MOST_OPENING = 16
/** Opening one stops an agent from reading for a second, so the page's own files come first: until nothing was asked for so long. */
const QUIET_MS = 300
/** Some pages never are quiet; OctoPrint's gives its websocket up after 4 s, Moonraker's keys for one live for 5 s. */
const MOST_WAIT_MS = 2_000
const LOOK_MS = 25
/** What an agent hears before its websocket is open is lost: the browser's frames wait for so long. */
const OPENS_MS = 1_200
const MAX_UNSENT = 1_048_576
/** What a websocket's address says to a handshake: it opens, or something of it is missing, as a key. */
const SAYS_SOCKET = new Set([101, 400, 401, 403, 426])
const HANDSHAKE_SECONDS = 10

/** Opens a websocket of the printer's page over a line of this node. Raises `TunnelFailed`. */
export async function openNear(
  ctx: Ctx,
  line: AgentLine,
  options: TunnelSocketOptions,
): Promise<TunnelSocket> {
  const path = pathOf(options.path)
  const [address = '', query] = path?.split('?', 2) ?? []
  if (path === null || !address.endsWith('/websocket')) throw new TunnelFailed('agent')
  await line.checkAge(ctx.db)
  if (line.sockets >= MOST_SOCKETS || line.openings >= MOST_OPENING) throw new TunnelFailed('busy')
  const before = line.opening
  const turn = Promise.withResolvers<void>()
  line.opening = before.then(() => turn.promise)
  line.openings++
  try {
    await before
    await untilQuiet(line)
    await askFirst(line, address, options)
    const socket = new NearSocket(line, query === undefined ? address : path, options)
    setTimeout(turn.resolve, OPENS_MS)
    return socket
  } catch (error) {
    turn.resolve()
    throw error
  } finally {
    line.openings--
  }
}

async function untilQuiet(line: AgentLine): Promise<void> {
  const until = performance.now() + MOST_WAIT_MS
  const isQuiet = (now: number) => line.window.quietSince !== null && now - line.window.quietSince >= QUIET_MS
  for (let now = performance.now(); now < until && !isQuiet(now); now = performance.now())
    await sleep(LOOK_MS)
}

/**
 * Whether there is a websocket at that address at all, by the handshake that opens one: what a plain request is answered there says
 * nothing. An agent that tries to open one where there is none reads nothing for two
 * minutes, no command either (docs/wire/agents.md 4.3). Its query may hold a key that works once, and is not sent.
 */
async function askFirst(
  line: AgentLine,
  path: string,
  { signal = new AbortController().signal, counted }: TunnelSocketOptions,
): Promise<void> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-Websocket-Version': '13',
    'Sec-Websocket-Key': randomBytes(16).toString('base64'),
  }
  const asked = { method: 'get', path, headers, timeout: HANDSHAKE_SECONDS } as const
  const reply = await line.ask({ ...asked, class: 'document', signal, counted })
  if (!SAYS_SOCKET.has(reply.status)) throw new TunnelFailed('agent')
}

/** One websocket of the printer's page. */
class NearSocket implements TunnelSocket {
  readonly #line: AgentLine
  readonly #path: string
  readonly #options: TunnelSocketOptions
  readonly #ref = randomUUID()
  readonly #forget: () => void
  /** What the browser said while the agent opens it; null once it has. */
  #early: string[] | null = []
  #isOpen = true
  bufferedAmount = 0

  constructor(line: AgentLine, path: string, options: TunnelSocketOptions) {
    this.#line = line
    this.#path = path
    this.#options = options
    this.#forget = line.onSocket(this.#ref, (news, bytes) => this.#hear(news, bytes))
    this.#say('connect', null)
    setTimeout(() => this.#opened(), OPENS_MS)
  }

  send(text: string): void {
    if (!this.#isOpen) return
    this.bufferedAmount += text.length
    if (this.bufferedAmount > MAX_UNSENT) return this.#slow()
    if (this.#early === null) this.#say('tunnel_message', text)
    else this.#early.push(text)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#end()
    this.#say('tunnel_close', null)
  }

  #slow(): void {
    this.close()
    this.#options.end(TUNNEL_CLOSE.slow, 'slow')
  }

  #opened(): void {
    const early = this.#early ?? []
    this.#early = null
    if (this.#isOpen) for (const text of early) this.#say('tunnel_message', text)
  }

  #hear(news: SocketNews | null, bytes: number): void {
    if (!this.#isOpen) return
    if (news !== null) this.#options.counted(bytes)
    if (news?.type === 'octoprint_message') return this.#options.hear(news.data)
    this.#end()
    const code = news === null ? TUNNEL_CLOSE.lost : TUNNEL_CLOSE.closed
    this.#options.end(code, news === null ? 'lost' : 'closed')
  }

  #end(): void {
    this.#isOpen = false
    this.#forget()
  }

  /** Always the same four keys, in any order. An agent that heard of no opening would open one at the closing: both are said in any case. */
  #say(type: 'connect' | 'tunnel_message' | 'tunnel_close', data: string | null): void {
    const isInTime = this.#line.inTime(LATE_MS)
    const isWanted = () => data === null || (this.#isOpen && isInTime())
    this.#line
      .sendBytes(socketMessage(this.#ref, this.#path, type, data), isWanted)
      .catch(() => this.#isOpen && this.#line.isOpen && this.#slow())
      .finally(() => (this.bufferedAmount -= data?.length ?? 0))
  }
}
