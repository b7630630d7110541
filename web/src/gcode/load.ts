import type { News, Order } from './scan.worker.ts'
import type { Toolpath } from './toolpath.ts'

/** 16 bytes each, here and in the graphics' memory. A file of 100 MB has three million. */
const MOST_MOVES = 4_000_000

export interface Loading {
  readonly onRead: (bytes: number, total: number | null) => void
  readonly onDone: (path: Toolpath) => void
  /** `status`: what the server said; null where it could not be read at all. */
  readonly onFailed: (status: number | null) => void
}

/** Reads a file in a thread of its own, as it comes; the returned function ends that at once. */
export function loadToolpath(url: string, { onRead, onDone, onFailed }: Loading): () => void {
  const began = performance.now()
  const worker = new Worker(new URL('scan.worker.ts', import.meta.url), { type: 'module' })
  const end = () => worker.terminate()
  worker.onmessage = ({ data }: MessageEvent<News>) => {
    if (data.kind === 'read') return onRead(data.bytes, data.total)
    end()
    if (data.kind === 'failed') return onFailed(data.status)
    performance.measure('gcode.read', {
      start: began,
      detail: { scannedMs: data.ms, moves: data.path.count },
    })
    onDone(data.path)
  }
  worker.onerror = () => {
    end()
    onFailed(null)
  }
  worker.postMessage({ url: new URL(url, document.baseURI).href, mostMoves: MOST_MOVES } satisfies Order)
  return end
}
