import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { TestApp } from '../app.ts'
import { eventually } from './agent.ts'

/** A browser's socket as tests drive it. */
export interface WireBrowser {
  readonly ws: WebSocket
  readonly heard: Record<string, any>[]
  /** Close code; null while open. */
  closed: number | null
  send(message: unknown): void
  /** Waits until something heard satisfies `test`; returns it. */
  hear(test: (message: Record<string, any>) => boolean, ms?: number): Promise<Record<string, any>>
}

/** Opens a socket as browsers do. Raises an error naming the status when refused. */
export async function openBrowser(
  app: Pick<TestApp, 'url' | 'wsUrl'>,
  path: string,
  cookie = '',
  headers: Record<string, string> = { origin: app.url },
): Promise<WireBrowser> {
  const ws = new WebSocket(app.wsUrl + path, { headers: { cookie, ...headers } })
  const heard: Record<string, any>[] = []
  const browser: WireBrowser = {
    ws,
    heard,
    closed: null,
    send: (message) => ws.send(typeof message === 'string' ? message : JSON.stringify(message)),
    hear: (test, ms = 60_000) =>
      eventually(() => heard.find((message) => test(message)), ms, () => JSON.stringify(heard).slice(0, 3_000)),
  }
  ws.on('message', (data) => heard.push(JSON.parse(String(data)) as Record<string, any>))
  ws.on('close', (code) => (browser.closed = code))
  ws.on('error', () => undefined)
  const refused = once(ws, 'unexpected-response').then(([, answer]) => {
    ws.terminate()
    throw new Error(`refused ${(answer as { statusCode: number }).statusCode}`)
  })
  await Promise.race([once(ws, 'open'), refused])
  refused.catch(() => undefined)
  return browser
}
