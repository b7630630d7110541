/** A tunnel as an app has one, through a running server to an agent and a printer's page in a process of their own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchPrinter } from './server.ts'

/** 4 Mbit/s, in bytes a millisecond. */
const SLOW = 500
const CONNECTED_MS = 30_000

/** Asks one server, with connections that stay. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #at: URL
  readonly #headers: Record<string, string>
  constructor(url: string, headers: Record<string, string> = {}) {
    this.#at = new URL(url)
    this.#headers = headers
  }

  /** The answer, as soon as its head is there. Raises for a status that is no success. */
  async open(path: string, body?: Buffer): Promise<IncomingMessage> {
    const asking = request({
      agent: this.#agent,
      host: this.#at.hostname,
      port: this.#at.port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...this.#headers, ...(body && { 'content-length': body.length }) },
    })
    asking.end(body)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
    return answer
  }

  /** The whole answer: its length. */
  async read(path: string, body?: Buffer): Promise<number> {
    let length = 0
    for await (const part of await this.open(path, body)) length += part.length
    return length
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A way to a port that lets through so much of what the agent says. */
async function slowly(port: number): Promise<number> {
  const proxy = createServer((agent) => {
    const server = connect(port, '127.0.0.1')
    server.pipe(agent)
    agent.on('data', (part: Buffer) => {
      agent.pause()
      setTimeout(() => (server.write(part), agent.resume()), part.length / SLOW)
    })
    agent.on('close', () => server.destroy())
    agent.on('error', () => server.destroy())
    server.on('error', () => agent.destroy())
  })
  proxy.listen(0, '127.0.0.1').unref()
  await once(proxy, 'listening')
  return (proxy.address() as AddressInfo).port
}

/** What is behind a tunnel, and the way there. */
export interface BenchTunnel {
  /** The printer's page, without us. */
  readonly direct: Client
  /** The same through a server's tunnel. */
  through(serverUrl: string): Client
  /** The head of a request for a path, as `through` asks for it with what a browser takes. */
  head(serverUrl: string, path: string): string
  end(): void
}

interface Wanted {
  /** The server at which the agent is. */
  readonly url: string
  readonly cookie: string
  readonly printer: BenchPrinter
  readonly isSlow?: boolean
  /** The program of `bench/load/` that is the agent: one with a page behind it, or one that has packed its answer before. */
  readonly agent?: 'tunnel-agent' | 'packed-agent'
}

/** Lets an app in to a printer, whose agent connects; resolves when a request comes through. */
export async function openTunnel({
  url,
  cookie,
  printer,
  isSlow = false,
  agent: program = 'tunnel-agent',
}: Wanted): Promise<BenchTunnel> {
  const { port } = new URL(url)
  const agent: ChildProcess = fork(join(import.meta.dirname, `../load/${program}.ts`), [
    `http://127.0.0.1:${isSlow ? await slowly(Number(port)) : port}`,
    printer.auth_token,
  ])
  const [page] = (await once(agent, 'message')) as [string]
  const made = await fetch(`${url}/api/v1/tunnels/`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ app_name: 'bench', target_printer_id: printer.id }),
  })
  const { tunnel_endpoint: endpoint } = (await made.json()) as { tunnel_endpoint: string }
  const { username, password } = new URL(endpoint)
  const listed = await fetch(`${url}/api/v1/tunnels/`, { headers: { cookie } })
  const all = (await listed.json()) as { basicauth_username: string; subdomain_code: string }[]
  const code = all.find((one) => one.basicauth_username === username)?.subdomain_code ?? ''
  const clients: Client[] = [new Client(page)]
  const entering = (serverUrl: string) => ({
    host: `${code}.localhost:${new URL(serverUrl).port}`,
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'accept-encoding': 'gzip, deflate, br',
  })
  const through = (serverUrl: string) => {
    const client = new Client(serverUrl, entering(serverUrl))
    clients.push(client)
    return client
  }
  const first = through(url)
  const until = performance.now() + CONNECTED_MS
  for (;;) {
    const problem = await first.read('/small').then(
      () => null,
      (error: Error) => error,
    )
    if (problem === null) break
    if (performance.now() > until) throw problem
    await sleep(100)
  }
  return {
    direct: clients[0]!,
    through,
    head(serverUrl, path) {
      const lines = Object.entries(entering(serverUrl)).map(([name, value]) => `${name}: ${value}`)
      return [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
    },
    end() {
      agent.kill()
      for (const client of clients) client.close()
    },
  }
}
