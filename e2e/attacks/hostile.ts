import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What an attack is told: where the app is, where the attacker's other server is, and its own printer there. */
export interface Aim {
  /** `http://host:port` */
  readonly app: string
  readonly evil: string
  readonly printerId: number
}

/** Runs in the printer's page, alone: it returns what it got. */
export type Attack<T> = (aim: Aim) => T | Promise<T>

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** A printer's page whose writer means harm, and a server of theirs elsewhere in the net. */
export interface Hostile {
  readonly url: string
  /** As browsers find it: of another site than the app. */
  readonly evil: string
  /** Its address as the agent would find it. */
  readonly evilAddress: string
  /** Everything that the printer was asked, with all headers. */
  readonly heard: string[]
  /** What came to the server elsewhere, as `GET /path`. */
  readonly stolen: string[]
  /** Answers a path of the printer's page, until it is given another answer. */
  serve(path: string, answer: Serve): void
  /** Puts a page that attacks at a path. Returns what it got, once it has run: what it says comes through the tunnel. */
  attack<T>(path: string, attack: Attack<T>, aim: Aim): Promise<T>
  close(): void
}

/** Waits for nothing that never comes. */
const SOON_MS = 20_000

const pageOf = (attack: string, aim: Aim, report: string) => `<!doctype html><title>hostile</title><body>
<p id="ran">hostile</p><form id="form" method="post"></form>
<script>
window.__name ??= (fn) => fn
;(async () => {
  let got
  try { got = await (${attack})(${JSON.stringify(aim)}) } catch (error) { got = 'failed: ' + error }
  await fetch(${JSON.stringify(report)}, { method: 'POST', body: JSON.stringify({ got }) })
})()
</script>`

async function listen(answer: Serve): Promise<{ server: Server; port: number }> {
  const server = createServer({ maxHeaderSize: 1_048_576 }, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** Starts both. */
export async function aHostilePage(): Promise<Hostile> {
  const [heard, stolen]: [string[], string[]] = [[], []]
  const served = new Map<string, Serve>()
  let attacks = 0
  const home = await listen((request, response) => {
    heard.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}`)
    const answer = served.get((request.url ?? '').split('?', 1)[0] ?? '')
    if (answer) return answer(request, response)
    // As Moonraker says it where a websocket is.
    response.writeHead(request.url === '/websocket' ? 400 : 404, { 'content-type': 'text/html' })
    response.end('nothing here')
  })
  const elsewhere = await listen((request, response) => {
    stolen.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' })
    response.end('<title>elsewhere</title>')
  })
  const page: Hostile = {
    url: `http://127.0.0.1:${home.port}`,
    evil: `http://evil.localhost:${elsewhere.port}`,
    evilAddress: `127.0.0.1:${elsewhere.port}`,
    heard,
    stolen,
    serve: (path, answer) => void served.set(path, answer),
    async attack<T>(path: string, attack: Attack<T>, aim: Aim) {
      const report = `/loot/${++attacks}`
      page.serve(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
        response.end(pageOf(String(attack), aim, report))
      })
      return await new Promise<T>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`the attack at ${path} has not run`)), SOON_MS)
        page.serve(report, (request, response) => {
          clearTimeout(late)
          response.end('thanks')
          void text(request).then((said) => resolve((JSON.parse(said) as { got: T }).got), reject)
        })
      })
    },
    close() {
      for (const { server } of [home, elsewhere]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
  return page
}
