/** Worker thread of the detector: loads the model of `workerData`, then inspects picture after picture. */
import { workerData } from 'node:worker_threads'
import { type Backend, loadBackend } from './backends.ts'
import type { Inspection, Polygon } from './port.ts'
import { serveTasks } from './protocol.ts'

/** One picture to look at; its buffer is transferred. */
export interface DetectTask {
  picture: Uint8Array
  ignore: readonly Polygon[]
}

await serveTasks<DetectTask, Inspection>(
  async () => {
    const loaded = await loadBackend(workerData as Backend)
    return { name: loaded.model, perform: ({ picture, ignore }) => loaded.inspect(picture, ignore) }
  },
  ({ heat, quality }) => [
    quality.thumbnail.buffer as ArrayBuffer,
    ...(heat ? [heat.values.buffer as ArrayBuffer] : []),
  ],
)
