import type { News } from './stl.worker.ts'

/** Reads a mesh in a thread of its own; what is returned stops it. */
export function readMesh(url: string, onNews: (news: News) => void): () => void {
  const worker = new Worker(new URL('stl.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<News>) => {
    onNews(data)
    if (data.kind !== 'read') worker.terminate()
  })
  worker.addEventListener('error', () => onNews({ kind: 'failed' }))
  worker.postMessage(url)
  return () => worker.terminate()
}
