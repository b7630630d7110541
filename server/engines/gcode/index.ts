import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { readGCode, type Said } from '../../lib/gcode/read.ts'

/** So much is read within milliseconds; for more everybody else would have to wait. */
const AT_ONCE_BYTES = 32 * 1024
const LONGEST_MS = 20_000
/** One core is not for files. */
const inTurn = pLimit(1)

/**
 * As `readGCode`, in a worker thread when there is much to read. Raises an error when that took longer than 20 s or could not
 * start. The bytes are copied.
 */
export function readGCodeAside(head: Uint8Array, tail: Uint8Array): Promise<Said> {
  if (head.length + tail.length <= AT_ONCE_BYTES) return Promise.resolve(readGCode(head, tail))
  return inTurn(() => inWorker(head, tail))
}

async function inWorker(head: Uint8Array, tail: Uint8Array): Promise<Said> {
  const worker = new Worker(new URL('./gcode.worker.ts', import.meta.url), { workerData: { head, tail } })
  try {
    const signal = AbortSignal.timeout(LONGEST_MS)
    const [said]: Said[] = await once(worker, 'message', { signal })
    if (said === undefined) throw new Error('nothing was read')
    return said
  } finally {
    await worker.terminate()
  }
}
