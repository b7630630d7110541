import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Job, JobResult } from 'pg-boss'
import type { Logger } from 'pino'
import { sql } from 'kysely'
import { z } from 'zod'
import { textOf } from '../../lib/thrown.ts'
import { everyTick } from '../../lib/ticks.ts'
import type { Db } from '../db/port.ts'
import { countJobs, DEAD, findJobs, hurryJob, takeFailed } from './board.ts'
import type { JobKind, Jobs } from './port.ts'
import {
  deadQueue,
  dueQueues,
  fillByClock,
  type Queue,
  queueOf,
  queueOfClock,
  type Standing,
  standing,
} from './queues.ts'
import { channelOf, IDLE_POLL_SECONDS, type Work, workersOf } from './workers.ts'

const SCHEMA = 'pgboss'
const CONCURRENCY = 4
const POLL_SECONDS = 5
/** A delay up to this is kept to the tenth of a second by the node that asked for it. */
const PRECISE_DELAY_MS = 10 * 60_000
const COMPLAINT_MS = 30_000

/** What jobs need of the house. */
export interface OpenJobsOptions {
  readonly connectionString: string
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** False: this node enqueues, and others run what is enqueued. True unless given. */
  readonly runs?: boolean
  /** How long `stop` waits for what runs; 10 seconds unless given. */
  readonly graceMs?: number
  /** First pause before a retry, doubled each time; 5 seconds unless given. */
  readonly retryDelaySeconds?: number
  /** How often jobs that wait for a time or a retry are looked for; 5 seconds unless given. New ones announce themselves. */
  readonly pollSeconds?: number
}

/** Opens `jobs`: rows in the same PostgreSQL, in a schema of their own, by pg-boss. Connects at `start`. */
export async function openJobs(options: OpenJobsOptions): Promise<Jobs> {
  const { log, runs = true, graceMs = 10_000, retryDelaySeconds = 5, pollSeconds = POLL_SECONDS } = options
  const boss = createBoss(options)
  const works = new Map<string, Work>()
  const known = new Map<string, Promise<void>>()
  const wakers = new Map<string, () => Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const ending = new AbortController()
  let state: 'new' | 'running' | 'stopped' = 'new'
  let listening: { close(): Promise<void> } | undefined

  const add = (work: Work) => {
    if (state !== 'new') throw new Error(`${work.name}: jobs are running already`)
    if (works.has(work.name)) throw new Error(`${work.name} is handled twice`)
    works.set(work.name, work)
  }
  const makeQueue = (name: string, queue: Queue) => {
    const made = known.get(name) ?? boss.createQueue(name, queue)
    known.set(name, made)
    // A database that was away is asked again.
    made.catch(() => known.delete(name))
    return made
  }
  /** A queue is there and known to pg-boss, whose `send` asks for it on a connection of its own else: no transaction may wait for that. */
  const prepare = async ({ name, queue }: Work, stands: Standing) => {
    if (stands.hasQueue(name, runs ? queue : {})) return void known.set(name, Promise.resolve())
    await makeQueue(name, queue)
    if (runs) {
      const { policy: _, ...settings } = queue
      await boss.updateQueue(name, settings)
    }
    await boss.findJobs(name, { id: randomUUID() })
  }
  const complain = (error: unknown) => {
    if (state === 'running') boss.emit('error', error instanceof Error ? error : new Error(textOf(error)))
  }
  const wake = (name: string) => void wakers.get(name)?.().catch(complain)
  const beginWork = async (work: Work, stands: Standing) => {
    wakers.set(
      work.name,
      workersOf(boss, work, () => state === 'running'),
    )
    if (work.cron !== undefined && !stands.hasSchedule(work.name, work.cron))
      await fillByClock(boss, work.name, work.cron)
  }
  /** What no notice told: a time that has come, a retry, all that came while nobody listened. */
  const wakeDue = async () => {
    try {
      for (const name of await dueQueues(boss, [...wakers.keys()])) wake(name)
    } catch (error) {
      complain(error)
    }
  }
  /** What is due when it begins to listen, again after an outage, is looked for then. */
  const listen = async () => {
    try {
      return await boss.getDb().listen?.(channelOf(SCHEMA), wake, () => void wakeDue())
    } catch (error) {
      log.warn({ err: error }, `new jobs are not announced, but looked for every ${pollSeconds} seconds`)
      return undefined
    }
  }
  const wakeAfter = (name: string, ms: number) => {
    if (ms > PRECISE_DELAY_MS || !wakers.has(name)) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake(name)
    }, ms + 100)
    timers.add(timer.unref())
  }

  return {
    async enqueue(db, kind, data, { startAfterMs = 0, singletonKey = randomUUID(), owner } = {}) {
      if (state !== 'running') throw new Error(`${kind.name}: jobs are not running`)
      const checked = fitting(kind, data)
      if (kind.concurrency !== undefined && owner === undefined) throw new NobodysJob(kind.name)
      await makeQueue(kind.name, queueOf(kind, retryDelaySeconds))
      await boss.send(kind.name, checked, {
        db: fromKysely(db.withoutPlugins()),
        singletonKey,
        ...(owner == null ? {} : await turnOf(db, kind.name, owner)),
        ...(startAfterMs > 0 ? { startAfter: startAfterMs / 1_000 } : {}),
      })
      if (startAfterMs > 0) wakeAfter(kind.name, startAfterMs)
    },
    async enqueueAll(db, kind, jobs) {
      if (state !== 'running') throw new Error(`${kind.name}: jobs are not running`)
      const checked = jobs.map(({ data, singletonKey = randomUUID() }) => ({
        data: fitting(kind, data),
        singletonKey,
      }))
      if (checked.length === 0) return
      await makeQueue(kind.name, queueOf(kind, retryDelaySeconds))
      await boss.insert(kind.name, checked, { db: fromKysely(db.withoutPlugins()) })
    },
    handle(kind, handler) {
      add({
        name: kind.name,
        queue: queueOf(kind, retryDelaySeconds),
        concurrency: kind.concurrency ?? CONCURRENCY,
        async run(job) {
          const parsed = kind.schema.safeParse(job.data)
          // Trying again would not make it better.
          if (!parsed.success) return failed(job, 'deadletter', parsed.error)
          return attempt(job, log, () => handler(parsed.data, job.signal))
        },
      })
    },
    schedule(name, cron, handler, { timeoutMs } = {}) {
      const queue = queueOfClock(timeoutMs)
      add({ name, queue, concurrency: 1, cron, run: (job) => attempt(job, log, () => handler(job.signal)) })
    },
    list: findJobs,
    count: countJobs,
    async retry(db, id) {
      if (state !== 'running') throw new Error('jobs are not running')
      const hurried = await hurryJob(db, id)
      if (hurried !== null) {
        wake(hurried)
        return true
      }
      return await db.transaction().execute(async (tx) => {
        const failed = await takeFailed(tx, id)
        if (failed === null) return false
        const { kind, data, owner, singletonKey } = failed
        await boss.send(kind, data, {
          db: fromKysely(tx.withoutPlugins()),
          ...(singletonKey === null ? {} : { singletonKey }),
          ...(owner === null ? {} : await turnOf(tx, kind, Number(owner))),
        })
        return true
      })
    },
    async start() {
      await boss.start()
      const stands = await standing(boss)
      if (!stands.hasQueue(DEAD, {})) await makeQueue(DEAD, deadQueue)
      // All before the first of them works: a job that was left over enqueues others in its transactions.
      await Promise.all([...works.values()].map((work) => prepare(work, stands)))
      state = 'running'
      if (!runs) return
      const undertaker = await watchDeadLetters(boss, log)
      wakers.set(DEAD, async () => boss.notifyWorker(undertaker))
      await Promise.all([...works.values()].map((work) => beginWork(work, stands)))
      listening = await listen()
      const clock = { monotonic: () => performance.now() }
      everyTick({ clock, stopping: ending.signal, log }, pollSeconds * 1_000, wakeDue)
    },
    async stop() {
      const wasRunning = state !== 'stopped'
      state = 'stopped'
      for (const timer of timers) clearTimeout(timer)
      ending.abort()
      await listening?.close()
      if (wasRunning) await boss.stop({ graceful: true, timeout: graceMs, close: true })
    },
  }
}

/** What few may run at once keeps others waiting: without an owner nobody would take turns. */
class NobodysJob extends Error {
  override readonly name = 'NobodysJob'
  constructor(kind: string) {
    super(`${kind}: whose is it? Name its owner, or null where it is the server's own.`)
  }
}

/** Raises zod's error for data that don't fit. */
function fitting<T>(kind: JobKind<T>, data: T): object {
  kind.schema.parse(data)
  return data as object
}

function createBoss({ connectionString, log, runs = true }: OpenJobsOptions): PgBoss {
  const boss = new PgBoss({
    connectionString,
    schema: SCHEMA,
    application_name: 'vigil-jobs',
    max: 4,
    // no job waits for another (`dependsOn`): what such jobs need is not looked for every 5 seconds
    flowIntervalSeconds: 3_600,
    supervise: runs,
    schedule: runs,
  })
  let quietUntil = 0
  // With the database away every worker fails every few seconds.
  boss.on('error', (error) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + COMPLAINT_MS
    log.error({ err: error }, 'jobs have trouble with the database')
  })
  boss.on('warning', ({ message, data }) => log.warn({ data }, `jobs: ${message}`))
  return boss
}

/**
 * The round in which a job of this owner is served: one after their last that waits, and not before the round that is served now, so
 * that neither who asks for much nor who asks all the time is before others. Earlier rounds have the higher priority.
 */
async function turnOf(db: Db, name: string, owner: number) {
  const { rows } = await sql<{ round: number }>`
    select greatest(min(-priority), max(-priority) filter (where group_id = ${String(owner)}) + 1, 0)::int as round
    from pgboss.job where name = ${name} and state < 'active'`.execute(db.withoutPlugins())
  return { group: { id: String(owner) }, priority: -(rows[0]?.round ?? 0) }
}

async function attempt(
  job: Job<unknown>,
  log: OpenJobsOptions['log'],
  run: () => Promise<void>,
): Promise<JobResult> {
  try {
    await run()
    return { id: job.id, status: 'completed' }
  } catch (error) {
    log.warn({ err: error, job: job.id, kind: job.name, retry: job.retryCount }, 'a job failed')
    return failed(job, 'failed', error)
  }
}

function failed({ id }: Job<unknown>, status: 'failed' | 'deadletter', error: unknown): JobResult {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
  return { id, status, output: { message, stack: error instanceof Error ? error.stack : undefined } }
}

/** The error that `failed` has put down. */
function remembered(output: unknown): Error {
  const { message, stack } = fieldsOf(output)
  const error = new Error(String(message))
  error.stack = typeof stack === 'string' ? stack : ''
  return error
}

/** A job that failed for good is said once, and kept for 30 days. */
async function watchDeadLetters(boss: PgBoss, log: OpenJobsOptions['log']): Promise<string> {
  const settings = { includeMetadata: true, pollingIntervalSeconds: IDLE_POLL_SECONDS } as const
  return boss.work(DEAD, settings, async (jobs) => {
    for (const { sourceName, sourceId, sourceOutput } of jobs) {
      log.error({ kind: sourceName, job: sourceId, err: remembered(sourceOutput) }, 'a job failed for good')
    }
  })
}
