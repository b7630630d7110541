/** Worker thread that reads one large G-code file and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { readGCode } from '../../lib/gcode/read.ts'

const { head, tail }: { head: Uint8Array; tail: Uint8Array } = workerData
parentPort?.postMessage(readGCode(head, tail))
