/** Opens a detector: a pool of worker threads with a model each (docs/rules/watch.md 2, docs/detector.md). */
import { availableParallelism } from 'node:os'
import type { Backend } from './backends.ts'
import type { DetectTask } from './detector.worker.ts'
import { WorkerPool } from './pool.ts'
import {
  type DetectOptions,
  type Detector,
  DetectorUnavailable,
  type Inspection,
  type LayerSight,
} from './port.ts'

export interface DetectorOptions {
  backend: Backend
  /** Worker threads, each with its own model; default: a core less than there are, one or two. */
  workers?: number
  /** Folder of the first-layer model; default: the one that ships. */
  layerFolder?: string
  /** How many pictures may wait; default 512. */
  capacity?: number
  /** A picture that takes longer counts as a hang, milliseconds; default 20,000. */
  hangMs?: number
  /** The model's name, when it is known to load (prove.ts): workers then start with their first picture. */
  proven?: string | null
  /** First and longest wait before a worker is restarted, milliseconds; default 500 and 60,000. */
  backoffMs?: readonly [number, number]
}

/** The folder of the model that ships with Vigil. */
export const SHIPPED_MODEL = import.meta.dirname + '/model'

/** The folder of the first-layer model that ships with Vigil. */
export const SHIPPED_LAYER_MODEL = SHIPPED_MODEL + '/first-layer'

/**
 * Opens a detector and waits until it serves or has failed to start. It never throws for a missing or wrong
 * model: `health()` says so, calls reject with {@link DetectorUnavailable}, and it tries again with back-off.
 */
export async function openDetector(options: DetectorOptions): Promise<Detector> {
  const { backend, capacity = 512, hangMs = 20_000, backoffMs = [500, 60_000] } = options
  const pool = new WorkerPool<Inspection | LayerSight>({
    script: new URL('./detector.worker.ts', import.meta.url),
    workerData: backend,
    workers: options.workers ?? Math.min(2, Math.max(1, availableParallelism() - 1)),
    capacity,
    hangMs,
    backoffMs,
    proven: options.proven ?? null,
  })
  await pool.started()
  return detectorOver(pool, backend.kind, options.layerFolder ?? SHIPPED_LAYER_MODEL)
}

function detectorOver(
  pool: WorkerPool<Inspection | LayerSight>,
  kind: Backend['kind'],
  layerFolder: string,
): Detector {
  let single = 0
  const submit: Detector['submit'] = async (key, picture, options) => {
    const task = taskOf(picture, options)
    const outcome = await pool.submit(key, task, [task.picture.buffer])
    return outcome.kind === 'done' ? { kind: 'inspected', inspection: outcome.result as Inspection } : outcome
  }
  return {
    kind,
    get model() {
      return pool.name
    },
    submit,
    async detect(picture, options) {
      const outcome = await submit(`\0${single++}`, picture, options)
      if (outcome.kind === 'inspected') return outcome.inspection
      throw new DetectorUnavailable('too many pictures are waiting')
    },
    async detectLayer(picture) {
      const task = { ...taskOf(picture), layerFolder } satisfies DetectTask
      const outcome = await pool.submit(`\0${single++}`, task, [task.picture.buffer])
      if (outcome.kind === 'done') return outcome.result as LayerSight
      throw new DetectorUnavailable('too many pictures are waiting')
    },
    health() {
      const error = pool.error
      return error === null ? { state: 'ready', queued: pool.queued } : { state: 'down', error, queued: 0 }
    },
    close: () => pool.close(),
  }
}

function taskOf(picture: Uint8Array, options: DetectOptions = {}) {
  // A copy, since transferring detaches: the caller still has to store its bytes.
  return { picture: Uint8Array.from(picture), ignore: options.ignore ?? [] } satisfies DetectTask
}
