/** Worker thread that reads one large G-code file and ends: it is given its parts one by one, then told whether those were all. */
import { parentPort, workerData } from 'node:worker_threads'
import { Moves } from '../../lib/gcode/moves.ts'
import { readGCode } from '../../lib/gcode/read.ts'

const { head, tail }: { head: Uint8Array; tail: Uint8Array } = workerData
const moves = new Moves()

parentPort?.on('message', (part: Uint8Array | { readonly isWhole: boolean }) => {
  if (part instanceof Uint8Array) {
    moves.feed(part)
    parentPort?.postMessage(null)
  } else parentPort?.postMessage(readGCode(head, tail, part.isWhole ? moves.end() : null))
})
