/** Worker thread of the detector: loads the model of `workerData`, then inspects picture after picture. */
import { workerData } from 'node:worker_threads'
import { tidySoon } from '../../lib/tidy.ts'
import { type Backend, loadBackend } from './backends.ts'
import type { LayerJudge } from './first-layer.ts'
import type { Inspection, LayerSight, Polygon } from './port.ts'
import { serveTasks } from './protocol.ts'

/** One picture to look at; its buffer is transferred. */
export interface DetectTask {
  picture: Uint8Array
  ignore: readonly Polygon[]
  /** Set for a nozzle camera's picture: the folder of the first-layer model. */
  layerFolder?: string
}

let judge: Promise<LayerJudge> | null = null

/** Most owners have no nozzle camera: code and model are loaded with its first picture, again after a failure. */
async function inspectLayer(folder: string, picture: Uint8Array): Promise<LayerSight> {
  judge ??= import('./first-layer.ts').then(({ loadLayerJudge }) => loadLayerJudge(folder))
  const loaded = await judge.catch((error: unknown) => {
    judge = null
    throw error
  })
  return await loaded.inspect(picture)
}

await serveTasks<DetectTask, Inspection | LayerSight>(
  async () => {
    const loaded = await loadBackend(workerData as Backend)
    return {
      name: loaded.model,
      perform: ({ picture, ignore, layerFolder }) =>
        layerFolder === undefined ? loaded.inspect(picture, ignore) : inspectLayer(layerFolder, picture),
    }
  },
  (result) =>
    'shares' in result
      ? []
      : [
          result.quality.thumbnail.buffer as ArrayBuffer,
          ...(result.heat ? [result.heat.values.buffer as ArrayBuffer] : []),
        ],
)
tidySoon()
