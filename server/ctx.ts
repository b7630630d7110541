import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './engines/db/port.ts'
import type { Files } from './engines/files/port.ts'
import type { Detector } from './engines/inference/port.ts'
import type { Jobs } from './engines/jobs/port.ts'
import type { Live } from './engines/live/port.ts'
import type { Mail } from './engines/mail/port.ts'
import type { Events } from './lib/events.ts'

/** Time, so that tests can hold it. */
export interface Clock {
  /** Milliseconds since 1970, as Date.now(): what is written down. It may be set, forward or back. */
  now(): number
  /** Milliseconds on a clock that nobody sets, as performance.now(): how long something took, who lives. */
  monotonic(): number
}

/** Why the server stops, when the next one follows at once and nobody will be refused. */
export const RESTARTS = 'restarts'

/** The machine's clocks. */
export const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() }

/**
 * What every function of a feature gets first: `(ctx, args)`. In a transaction pass `{...ctx, db: tx}`
 * (docs/architecture.md).
 */
export interface Ctx {
  readonly db: Db
  readonly jobs: Jobs
  readonly live: Live
  readonly files: Files
  readonly mail: Mail
  readonly detector: Detector
  readonly clock: Clock
  /** When this process began to serve, on the monotonic clock and on the other. */
  readonly started: { readonly monotonic: number; readonly at: number }
  readonly log: Logger
  readonly config: Config
  readonly events: Events
  /** Aborted when the server stops, with the reason `RESTARTS` when the next one follows at once: every timer ends with it. */
  readonly stopping: AbortSignal
}
