/** Re-encodes pictures in a worker thread, for formats and sizes that are not stored as they come. */
import { WorkerPool } from './pool.ts'
import { DetectorUnavailable } from './port.ts'

/** Owns a worker thread; `close` ends it. */
export interface Images {
  /**
   * JPEG of any JPEG, PNG, WebP or GIF picture, without metadata; longer than 1296 px is fitted into 1280x960
   * (api-contract 3.2). Throws BadPicture, or {@link DetectorUnavailable} when too many wait.
   */
  reencode(picture: Uint8Array): Promise<Buffer>
  close(): Promise<void>
}

/** Opens the image worker; `capacity` pictures may wait (default 64). */
export function openImages(options: { capacity?: number } = {}): Images {
  const pool = new WorkerPool<Uint8Array>({
    script: new URL('./reencode.worker.ts', import.meta.url),
    workerData: null,
    workers: 1,
    capacity: options.capacity ?? 64,
    hangMs: 20_000,
    backoffMs: [200, 30_000],
  })
  let count = 0
  return {
    async reencode(picture) {
      const copy = Uint8Array.from(picture)
      const outcome = await pool.submit(String(count++), copy, [copy.buffer])
      if (outcome.kind !== 'done') throw new DetectorUnavailable('too many pictures are waiting')
      return Buffer.from(outcome.result.buffer)
    },
    close: () => pool.close(),
  }
}

let shared: Images | null = null
let idle: NodeJS.Timeout | undefined

/**
 * As {@link Images.reencode}, over one worker thread that starts with the first picture and ends after a minute
 * without any, or with {@link closeReencoder}.
 */
export async function reencode(picture: Uint8Array): Promise<Buffer> {
  shared ??= openImages()
  clearTimeout(idle)
  try {
    return await shared.reencode(picture)
  } finally {
    clearTimeout(idle)
    idle = setTimeout(() => void closeReencoder(), 60_000).unref()
  }
}

/** Ends the worker thread of {@link reencode}, if there is one; what it was doing is rejected. */
export async function closeReencoder(): Promise<void> {
  clearTimeout(idle)
  const images = shared
  shared = null
  await images?.close()
}
