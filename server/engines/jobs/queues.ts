import { fieldsOf } from '@vigil/contract/fields.ts'
import type { PgBoss, QueueOptions } from 'pg-boss'
import { DEAD } from './board.ts'
import type { JobKind } from './port.ts'

const DAY_SECONDS = 24 * 3_600
const RETRIES = 5
const TIMEOUT_MS = 15 * 60_000
/** What came due while no node was up runs once. */
const BY_THE_CLOCK = { tz: 'UTC', missed: 'once' } as const

/** What pg-boss is told of the jobs of a kind. */
export type Queue = QueueOptions & { policy: string; deadLetter?: string; notify?: boolean }

/** Where jobs lie that failed for good. */
export const deadQueue: Queue = { policy: 'standard', deleteAfterSeconds: 30 * DAY_SECONDS }

/** One waits for each singleton key, any number run: what changes while a job runs is seen by the next. */
export function queueOf(kind: JobKind<never> | JobKind<unknown>, retryDelay: number): Queue {
  return {
    policy: 'short',
    notify: true,
    deadLetter: DEAD,
    retryLimit: kind.retries ?? RETRIES,
    retryBackoff: true,
    retryDelay,
    retryDelayMax: 3_600,
    expireInSeconds: Math.ceil((kind.timeoutMs ?? TIMEOUT_MS) / 1_000),
    deleteAfterSeconds: DAY_SECONDS,
  }
}

/** Of what runs by the clock at most one waits or runs: a slow run swallows the ticks it outlasts. */
export function queueOfClock(timeoutMs = TIMEOUT_MS): Queue {
  return {
    policy: 'exclusive',
    retryLimit: 0,
    notify: true,
    expireInSeconds: Math.ceil(timeoutMs / 1_000),
    deleteAfterSeconds: DAY_SECONDS,
  }
}

/** What stands in the database already, as a start left it, and need not be written by the next. */
export interface Standing {
  /** Whether a queue is there, and as it is wanted. */
  hasQueue(name: string, wanted: Partial<Queue>): boolean
  /** Whether a queue is filled by the clock at these times (cron, UTC), and nothing else. */
  hasSchedule(name: string, cron: string): boolean
}

const includes = (row: unknown, wanted: object): boolean => {
  const fields = fieldsOf(row)
  return Object.entries(wanted).every(([key, value]) => fields[key] === value)
}

/** Reads what stands: two queries for all queues, where asking for each would be hundreds. */
export async function standing(boss: PgBoss): Promise<Standing> {
  const [queues, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()])
  return {
    hasQueue: (name, wanted) => queues.some((row) => row.name === name && includes(row, wanted)),
    hasSchedule: (name, cron) =>
      schedules.some((row) => row.name === name && row.cron === cron && includes(row.options, BY_THE_CLOCK)),
  }
}

/** Has a queue filled by the clock (cron, UTC). */
export const fillByClock = (boss: PgBoss, name: string, cron: string): Promise<void> =>
  boss.schedule(name, cron, null, BY_THE_CLOCK)

/** Which of these queues have a job that is due and waits. */
export async function dueQueues(boss: PgBoss, names: readonly string[]): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(
    `select queue.name from unnest($1::text[]) as queue (name) where exists (
       select from pgboss.job where job.name = queue.name and job.state < 'active' and not job.blocked
         and job.start_after <= pgboss.job_now())`,
    [names],
  )
  return rows.map((row) => String(fieldsOf(row)['name']))
}
