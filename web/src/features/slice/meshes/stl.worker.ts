import { readShape, type Shape } from './stl.ts'

/** What the worker is told once, and what it tells. It is ended to be stopped. */
export type News =
  | { readonly kind: 'read'; readonly bytes: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly shape: Shape }
  | { readonly kind: 'failed' }

const TELL_EVERY_MS = 100

async function load(url: string): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok || response.body === null) return say({ kind: 'failed' })
  const length = Number(response.headers.get('Content-Length'))
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body.getReader()
  let [bytes, told] = [0, 0]
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    bytes += part.value.length
    if (performance.now() - told < TELL_EVERY_MS) continue
    told = performance.now()
    say({ kind: 'read', bytes, total: length > 0 ? length : null })
  }
  const shape = readShape(await new Blob(parts).arrayBuffer())
  say(
    { kind: 'done', shape },
    shape.parts.flatMap(({ corners, triangles }) => [corners.buffer, triangles.buffer]),
  )
}

function say(news: News, transfer: Transferable[] = []): void {
  self.postMessage(news, { transfer })
}

self.onmessage = ({ data }: MessageEvent<string>) => {
  load(data).catch(() => say({ kind: 'failed' }))
}
