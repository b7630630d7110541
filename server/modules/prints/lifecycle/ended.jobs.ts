import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { idOf } from '../../../lib/id.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'

const ended = z.object({ printId: idOf<'prints'>() })

/**
 * A print is over: enqueued in the transaction that ends it, handled by who makes its time-lapse. It burns a processor, so
 * one runs for each; it keeps its own account of tries.
 */
export const PRINT_ENDED: JobKind<z.infer<typeof ended>> = {
  name: 'print-ended',
  schema: ended,
  concurrency: availableParallelism(),
  timeoutMs: 45 * 60_000,
}

/** The last pictures may still be on their way to the detector. */
export const AFTER_END_MS = 3_000
