import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { Moves } from '../../lib/gcode/moves.ts'
import { readGCode, type Said } from '../../lib/gcode/read.ts'

/** So much is read within milliseconds; for more everybody else would have to wait. */
const AT_ONCE_BYTES = 32 * 1024
const LONGEST_MS = 20_000
/** For all moves of one file; one that takes longer says no more than its comments do. */
const FOLLOWED_MS = 30_000
/** One core is not for files. */
const inTurn = pLimit(1)

/** A stored file: the parts that are read for what they say, and how to read all of it for its moves. */
export interface Source {
  readonly head: Uint8Array
  /** Empty when the beginning is all of it. */
  readonly tail: Uint8Array
  /** Null: it is too long to follow. */
  readonly open: (() => Promise<Readable>) | null
}

/**
 * As `readGCode`, with the moves followed, in a worker thread when there is much to read. Raises an error when that took too long or
 * could not start. The bytes are copied.
 */
export function readGCodeAside(source: Source): Promise<Said> {
  const { head, tail } = source
  if (tail.length > 0 || head.length > AT_ONCE_BYTES) return inTurn(() => inWorker(source))
  const moves = new Moves()
  moves.feed(head)
  return Promise.resolve(readGCode(head, tail, moves.end()))
}

async function inWorker({ head, tail, open }: Source): Promise<Said> {
  const worker = new Worker(new URL('./gcode.worker.ts', import.meta.url), { workerData: { head, tail } })
  try {
    const isWhole = open !== null && (await follow(worker, await open()))
    const signal = AbortSignal.timeout(LONGEST_MS)
    worker.postMessage({ isWhole })
    const [said]: Said[] = await once(worker, 'message', { signal })
    if (said === undefined) throw new Error('nothing was read')
    return said
  } finally {
    await worker.terminate()
  }
}

/** Gives the worker all of a file, part by part; false when that takes too long. */
async function follow(worker: Worker, whole: Readable): Promise<boolean> {
  const signal = AbortSignal.timeout(FOLLOWED_MS)
  signal.addEventListener('abort', () => whole.destroy())
  try {
    for await (const part of whole) {
      const taken = once(worker, 'message')
      worker.postMessage(part)
      await taken
      if (signal.aborted) return false
    }
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    whole.destroy()
  }
}
