import { createHash } from 'node:crypto'
import type { Job, JobResult, PgBoss, WorkOptions } from 'pg-boss'
import type { Queue } from './queues.ts'

/** Of workers that are woken. */
export const IDLE_POLL_SECONDS = 600

/** A kind of job, or a clock, and what is done for it. */
export interface Work {
  readonly name: string
  readonly queue: Queue
  readonly concurrency: number
  readonly cron?: string
  run(job: Job<unknown>): Promise<JobResult>
}

/** Where pg-boss announces the names of queues that have something new, of a schema. */
export const channelOf = (schema: string): string =>
  `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`

/**
 * Who works on a queue: nobody before it has something for the first time, as each worker asks the database when it begins, and most
 * queues stay empty. Whoever is woken looks. Jobs are fetched one by one, so that a long one holds up none behind it: the next worker
 * begins when the one before has its first.
 */
export function workersOf(boss: PgBoss, work: Work, isOpen: () => boolean): () => Promise<void> {
  const ids: string[] = []
  let first: Promise<void> | undefined
  const wakeAll = () => ids.forEach((id) => boss.notifyWorker(id))
  const begin = async () => {
    const own = ids.length
    const settings = {
      batchSize: 1,
      perJobResults: true,
      pollingIntervalSeconds: IDLE_POLL_SECONDS,
    } as const satisfies WorkOptions
    const id = await boss.work(work.name, settings, async (jobs: Job<unknown>[]) => {
      // There may be more: this worker goes straight on, another one looks too (pg-boss bursts full batches only).
      for (const other of [ids[own], ids[(own + 1) % ids.length]])
        if (other !== undefined) boss.notifyWorker(other)
      if (jobs.length > 0 && own === ids.length - 1 && ids.length < work.concurrency && isOpen())
        await begin()
      return Promise.all(jobs.map((job) => work.run(job)))
    })
    ids.push(id)
  }
  return async () => {
    if (!isOpen()) return
    first ??= begin().catch((error: unknown) => {
      first = undefined
      throw error
    })
    await first
    wakeAll()
  }
}
