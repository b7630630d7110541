import { Scanner } from './scanner.ts'
import type { Toolpath } from './toolpath.ts'

/** What the worker is told once, and what it tells. It is ended to be stopped. */
export interface Order {
  readonly url: string
  readonly mostMoves: number
}
export type News =
  | { readonly kind: 'read'; readonly bytes: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly path: Toolpath; readonly ms: number }
  | { readonly kind: 'failed'; readonly status: number | null }

const TELL_EVERY_MS = 100

async function scan({ url, mostMoves }: Order): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok || response.body === null) return say({ kind: 'failed', status: response.status })
  const length = Number(response.headers.get('Content-Length'))
  const total = length > 0 ? length : null
  const scanner = new Scanner(mostMoves)
  const reader = response.body.getReader()
  let [bytes, told, ms] = [0, 0, 0]
  while (!scanner.isFull) {
    const { done, value } = await reader.read()
    if (done) break
    const began = performance.now()
    scanner.feed(value)
    bytes += value.length
    const now = performance.now()
    ms += now - began
    if (now - told > TELL_EVERY_MS) {
      told = now
      say({ kind: 'read', bytes, total })
    }
  }
  if (scanner.isFull) await reader.cancel()
  const path = scanner.end()
  const { points, marks, starts, heights } = path
  say({ kind: 'done', path, ms }, [points.buffer, marks.buffer, starts.buffer, heights.buffer])
}

function say(news: News, transfer: Transferable[] = []): void {
  self.postMessage(news, { transfer })
}

self.onmessage = ({ data }: MessageEvent<Order>) => {
  scan(data).catch(() => say({ kind: 'failed', status: null }))
}
