import type { z } from 'zod'
import type { Db } from '../db/port.ts'

/** A kind of background work. At least once: handlers are idempotent. */
export interface JobKind<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly retries?: number
}

/** `jobs`: rows in the same PostgreSQL (pg-boss). */
export interface Jobs {
  /** Enqueues inside the caller's transaction: data and job commit or vanish together. */
  enqueue<T>(db: Db, kind: JobKind<T>, data: T, options?: { startAfterMs?: number; singletonKey?: string }): Promise<void>
  /** Handles a kind of job on this node, until stop. Call before `start`. */
  handle<T>(kind: JobKind<T>, handler: (data: T, signal: AbortSignal) => Promise<void>): void
  /** Runs `handler` on a clock (cron, UTC), on one node at a time. Call before `start`. */
  schedule(name: string, cron: string, handler: (signal: AbortSignal) => Promise<void>): void
  start(): Promise<void>
  stop(): Promise<void>
}
