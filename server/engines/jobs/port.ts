import type { z } from 'zod'
import type { Db } from '../db/port.ts'

/** A kind of background work. At least once: handlers are idempotent. */
export interface JobKind<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  /** Tries after the first, further and further apart; 5 unless given. */
  readonly retries?: number
  /** How many run at once on one node; 4 unless given. What burns the processor (ffmpeg) says 1. Who enqueues it says whose it is. */
  readonly concurrency?: number
  /** A run that takes longer is aborted and tried again; 15 minutes unless given. */
  readonly timeoutMs?: number
}

/** A job as an operator sees it. */
export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly state: 'waiting' | 'retrying' | 'running' | 'failed'
  readonly tries: number
  readonly createdAt: Date
  /** When it is tried next; null: it runs, or will not be. */
  readonly nextAt: Date | null
  /** What went wrong last. */
  readonly reason: string | null
}

/** Which of them: those that are open, or those that failed for good in the last 30 days. */
export interface JobsPage {
  readonly state: 'open' | 'failed'
  readonly start: number
  readonly limit: number
}

/** `jobs`: rows in the same PostgreSQL (pg-boss). */
export interface Jobs {
  /**
   * Enqueues inside the caller's transaction: data and job commit or vanish together. While a job with the same
   * `singletonKey` waits for its turn, another one adds nothing. With an `owner` their jobs of this kind take turns with those of
   * others: nobody's wait behind all of another's (null: it is the server's own). Raises zod's error for data that don't fit.
   */
  enqueue<T>(
    db: Db,
    kind: JobKind<T>,
    data: T,
    options?: { startAfterMs?: number; singletonKey?: string; owner?: number | null },
  ): Promise<void>
  /** The same for many jobs of a kind, by one statement. */
  enqueueAll<T>(
    db: Db,
    kind: JobKind<T>,
    jobs: readonly { readonly data: T; readonly singletonKey?: string }[],
  ): Promise<void>
  /** Handles a kind of job on this node, until stop. Call before `start`. */
  handle<T>(kind: JobKind<T>, handler: (data: T, signal: AbortSignal) => Promise<void>): void
  /**
   * Runs `handler` on a clock (cron, UTC), on one node at a time. What came due while no node was up runs once,
   * soon after the start. A run that takes longer than `timeoutMs`, 15 minutes unless given, is aborted; of a node that was killed it
   * keeps the next from running for as long. Call before `start`.
   */
  schedule(
    name: string,
    cron: string,
    handler: (signal: AbortSignal) => Promise<void>,
    options?: { readonly timeoutMs?: number },
  ): void
  /** Jobs that are open, or that failed for good, newest first. */
  list(db: Db, page: JobsPage): Promise<JobRow[]>
  count(db: Db): Promise<{ open: number; failed: number }>
  /** Tries a job at once; one that failed for good begins anew. False: it runs, is done, or there is none. Call outside of transactions. */
  retry(db: Db, id: string): Promise<boolean>
  start(): Promise<void>
  /** Takes no more, lets what runs finish for the grace time, then aborts it; it is tried again elsewhere. */
  stop(): Promise<void>
}
