/** Browsers that each show one printer, and how old a status is when it reaches them. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { answerBenchmark } from '../lib/load.ts'

export interface BrowsersLoad extends Record<string, (input: never) => unknown> {
  start(options: { url: string; cookie: string; printerIds: readonly number[] }): Promise<void>
  /** Milliseconds from an agent to a browser of all statuses that came since the last call. */
  take(): { readonly ages: number[]; readonly open: number }
}

const HEARTBEAT_MS = 30_000

const sockets: WebSocket[] = []
let ages: number[] = []

function follow(ws: WebSocket): void {
  let newest = 0
  ws.on('message', (data) => {
    const now = Date.now()
    const { status } = JSON.parse(String(data)) as { status?: { _ts?: number } | null }
    const sentAt = status?._ts
    // The same status comes again with other news.
    if (sentAt === undefined || sentAt <= newest) return
    newest = sentAt
    ages.push(now - sentAt * 1000)
  })
  const heart = setInterval(() => ws.send('{}'), HEARTBEAT_MS)
  ws.on('close', () => clearInterval(heart))
}

answerBenchmark({
  async start({ url, cookie, printerIds }) {
    for (const id of printerIds) {
      const ws = new WebSocket(`${url.replace('http', 'ws')}/ws/web/${id}/`, {
        headers: { cookie, origin: url },
        perMessageDeflate: false,
      })
      follow(ws)
      await once(ws, 'open')
      sockets.push(ws)
    }
  },
  take() {
    const taken = ages
    ages = []
    return { ages: taken, open: sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length }
  },
} satisfies BrowsersLoad)
