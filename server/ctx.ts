import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './engines/db/port.ts'
import type { Files } from './engines/files/port.ts'
import type { Detector } from './engines/inference/port.ts'
import type { Jobs } from './engines/jobs/port.ts'
import type { Live } from './engines/live/port.ts'
import type { Events } from './lib/events.ts'

/** Time, so that tests can hold it. Milliseconds since 1970, as Date.now(). */
export interface Clock {
  now(): number
}

/**
 * What every function of a feature gets first: `(ctx, args)`. In a transaction pass `{...ctx, db: tx}`
 * (architecture 1).
 */
export interface Ctx {
  readonly db: Db
  readonly jobs: Jobs
  readonly live: Live
  readonly files: Files
  readonly detector: Detector
  readonly clock: Clock
  readonly log: Logger
  readonly config: Config
  readonly events: Events
  /** Aborted when the server stops: every timer and child process ends with it. */
  readonly stopping: AbortSignal
}
