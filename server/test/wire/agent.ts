import { deserialize } from 'bson'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { TestApp } from '../app.ts'
import { eventually } from '../eventually.ts'

export { eventually }

/** What we tell an agent (docs/wire/agents.md 7), as far as tests look at it. */
export interface Told {
  readonly type?: string
  readonly remote_status?: { readonly viewing?: boolean; readonly should_watch?: boolean }
  readonly commands?: readonly { readonly cmd: string; readonly args: object; readonly initiator: string }[]
  readonly passthru?: object
  readonly 'http.tunnelv2'?: {
    readonly ref: string
    readonly method: string
    readonly path: string
    readonly headers: Record<string, string>
    readonly data: Buffer | null
    readonly timeout: number
  }
  readonly 'ws.tunnel'?: {
    readonly ref: string
    readonly path: string
    readonly data: string | null
    readonly type: string
  }
}

/** An agent's socket as tests drive it: sends what it is told and keeps what it hears. */
export interface WireAgent {
  readonly ws: WebSocket
  /** Everything heard so far, in order. */
  readonly heard: Told[]
  /** Close code; null while open. 1006: cut without a close frame. */
  closed: number | null
  send(message: unknown): void
  /** Waits until the server has read all that was said so far. */
  untilRead(): Promise<void>
  sendRaw(data: string | Buffer): void
  /** Waits until something heard satisfies `test`; returns it. */
  hear(test: (message: Told) => boolean, ms?: number): Promise<Told>
  /** Waits until the socket is closed; returns the code. */
  end(ms?: number): Promise<number>
  close(): void
}

/** Connects as agents do: bearer token, an Origin, no extension. Raises an error naming the status when refused. */
export async function connectAgent(app: Pick<TestApp, 'wsUrl'>, token: string, options: { autoPong?: boolean } = {}): Promise<WireAgent> {
  const ws = new WebSocket(`${app.wsUrl}/ws/dev/`, {
    headers: { authorization: `bearer ${token}`, origin: app.wsUrl.replace('ws', 'http') },
    perMessageDeflate: false,
    ...options,
  })
  const heard: Told[] = []
  const agent: WireAgent = {
    ws,
    heard,
    closed: null,
    send: (message) => ws.send(JSON.stringify(message)),
    untilRead: async () => {
      ws.ping()
      await once(ws, 'pong')
    },
    sendRaw: (data) => ws.send(data),
    hear: async (test, ms = 60_000) => await eventually(() => heard.find((message) => test(message)), ms, () => `heard ${JSON.stringify(heard)}`),
    end: async (ms = 60_000) => {
      await eventually(() => agent.closed !== null || undefined, ms, () => 'still open')
      return agent.closed ?? 0
    },
    close: () => ws.close(1000),
  }
  ws.on('message', (data: Buffer, isBinary) => {
    const message = read(data, isBinary)
    if (message !== null) heard.push(message)
  })
  ws.on('close', (code) => (agent.closed = code))
  const refused = once(ws, 'unexpected-response').then(([, response]) => {
    ws.terminate()
    throw new Error(`refused ${(response as { statusCode: number }).statusCode}`)
  })
  ws.on('error', () => undefined)
  await Promise.race([once(ws, 'open'), refused])
  refused.catch(() => undefined)
  return agent
}

/** What was said; null for a broken frame, which agents throw away. */
function read(data: Buffer, isBinary: boolean): Told | null {
  try {
    return (isBinary ? deserialize(data, { promoteBuffers: true }) : JSON.parse(String(data))) as Told
  } catch (error) {
    if (isBinary) return null
    throw error
  }
}
