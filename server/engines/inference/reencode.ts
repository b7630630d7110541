/**
 * Writes pictures in a worker thread: re-encoded where a format or size is not stored as it comes
 * (docs/rules/watch.md 1), or with boxes drawn (draw.ts).
 */
import type { Embedded } from '../../lib/gcode/thumbnails.ts'
import { WorkerPool } from './pool.ts'
import { DetectorUnavailable } from './port.ts'
import type { Drawing, Turning, WriteTask } from './reencode.worker.ts'

/** How many pictures may wait to be written. */
const CAPACITY = 64
/** The worker ends after this long without a picture, milliseconds. */
const IDLE_MS = 60_000

let shared: WorkerPool<Uint8Array> | null = null
let idle: NodeJS.Timeout | undefined
let count = 0

/**
 * JPEG of any JPEG, PNG, WebP or GIF picture, without metadata; longer than 1296 px is fitted into 1280x960.
 * Throws BadPicture, or {@link DetectorUnavailable} when too many wait. The bytes are copied. The worker thread
 * starts with the first picture and ends after a minute without any, or with {@link closeReencoder}.
 */
export function reencode(picture: Uint8Array): Promise<Buffer> {
  return inImageWorker(picture, null)
}

/** As {@link reencode}; with a drawing, the picture keeps its size and has that on it. */
export function inImageWorker(picture: Uint8Array, drawing: Drawing | null): Promise<Buffer> {
  return write({ picture: Uint8Array.from(picture), drawing })
}

/** PNG of a picture that a slicer put into a G-code file, fitted into 640 x 640. Throws as {@link reencode}. */
export function thumbnailPng({ data, ...embedded }: Embedded): Promise<Buffer> {
  return write({ picture: Uint8Array.from(data), embedded })
}

/** JPEG of a picture, turned as its camera hangs. Throws as {@link reencode}, also for one of which a part is damaged. */
export function turnedJpeg(picture: Uint8Array, turn: Turning): Promise<Buffer> {
  return write({ picture: Uint8Array.from(picture), turn })
}

async function write(task: WriteTask & { picture: Uint8Array<ArrayBuffer> }): Promise<Buffer> {
  clearTimeout(idle)
  shared ??= openPool()
  try {
    const outcome = await shared.submit(String(count++), task, [task.picture.buffer])
    if (outcome.kind !== 'done') throw new DetectorUnavailable('too many pictures are waiting')
    return Buffer.from(outcome.result.buffer)
  } finally {
    clearTimeout(idle)
    idle = setTimeout(() => void closeReencoder(), IDLE_MS).unref()
  }
}

/** Ends the worker thread, if there is one; what it was doing is rejected. */
export async function closeReencoder(): Promise<void> {
  clearTimeout(idle)
  const pool = shared
  shared = null
  await pool?.close()
}

function openPool(): WorkerPool<Uint8Array> {
  return new WorkerPool<Uint8Array>({
    script: new URL('./reencode.worker.ts', import.meta.url),
    workerData: null,
    workers: 1,
    capacity: CAPACITY,
    hangMs: 20_000,
    backoffMs: [200, 30_000],
  })
}
