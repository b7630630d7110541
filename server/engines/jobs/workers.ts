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

/**
 * Jobs are fetched one by one, so that a long one holds up none behind it: the next worker begins when the one before has its first.
 * Where notices come, they and `wakeDue` wake them.
 */
export async function startWorker(
  boss: PgBoss,
  work: Work,
  ids: string[],
  pollSeconds: number,
  isOpen: () => boolean,
): Promise<void> {
  const own = ids.length
  const settings = {
    batchSize: 1,
    perJobResults: true,
    pollingIntervalSeconds: Math.min(2, pollSeconds),
    notifyPollingIntervalSeconds: IDLE_POLL_SECONDS,
  } as const satisfies WorkOptions
  const id = await boss.work(work.name, settings, async (jobs: Job<unknown>[]) => {
    // There may be more: this worker goes straight on, another one looks too (pg-boss bursts full batches only).
    for (const other of [ids[own], ids[(own + 1) % ids.length]])
      if (other !== undefined) boss.notifyWorker(other)
    if (jobs.length > 0 && own === ids.length - 1 && ids.length < work.concurrency && isOpen())
      await startWorker(boss, work, ids, pollSeconds, isOpen)
    return Promise.all(jobs.map((job) => work.run(job)))
  })
  ids.push(id)
}
