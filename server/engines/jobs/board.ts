import { fieldsOf } from '@vigil/contract/fields.ts'
import { sql } from 'kysely'
import type { Db } from '../db/port.ts'
import type { JobRow, JobsPage } from './port.ts'

/** Where a job ends that failed for good, with what it was. */
export const DEAD = 'dead-letters'

interface Found {
  readonly id: string
  readonly kind: string
  readonly state: JobRow['state']
  readonly tries: number
  readonly createdAt: Date
  readonly nextAt: Date | null
  readonly output: unknown
}

/** pg-boss's own queues are nobody's business. */
const OURS = sql`name not like '\\_\\_%'`
const OPEN = sql`${OURS} and name <> ${DEAD} and state in ('created', 'retry', 'active')`
/** Those of the clock fail where they stand. */
const FAILED = sql`${OURS} and (name = ${DEAD} or (state = 'failed' and dead_letter is null))`

/** How many jobs are open, and how many failed for good and are remembered. */
export async function countJobs(db: Db): Promise<{ open: number; failed: number }> {
  const { rows } = await sql<{ open: number; failed: number }>`
    select count(*) filter (where ${OPEN})::int as open, count(*) filter (where ${FAILED})::int as failed
    from pgboss.job where state in ('created', 'retry', 'active', 'failed') or name = ${DEAD}`.execute(db)
  return rows[0] ?? { open: 0, failed: 0 }
}

/** Jobs that wait or run, or that failed for good, newest first. */
export async function findJobs(db: Db, { state, start, limit }: JobsPage): Promise<JobRow[]> {
  const open = sql`
    select id, name as kind, retry_count as tries, created_on as created_at, output,
      case state when 'active' then 'running' when 'retry' then 'retrying' else 'waiting' end as state,
      case when state <> 'active' then start_after end as next_at
    from pgboss.job where ${OPEN} order by created_on desc, id`
  const failed = sql`
    select id, coalesce(source_name, name) as kind, coalesce(source_retry_count, retry_count) as tries,
      created_on as created_at, coalesce(source_output, output) as output, 'failed' as state, null::timestamptz as next_at
    from pgboss.job where ${FAILED} order by created_on desc, id`
  const { rows } = await sql<Found>`
    ${state === 'open' ? open : failed} offset ${start} limit ${limit}`.execute(db)
  return rows.map(({ output, ...row }) => ({ ...row, reason: reasonIn(output) }))
}

/** The sentence of what went wrong; the rest is for the log. */
function reasonIn(output: unknown): string | null {
  const { message } = fieldsOf(output)
  return typeof message === 'string' ? message.slice(0, 500) : null
}

/** A job that waits is due now; its kind when there is such a one. */
export async function hurryJob(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    update pgboss.job set start_after = now() where id = ${id} and ${OPEN} and state <> 'active' returning name`.execute(
    db,
  )
  return rows[0]?.name ?? null
}

interface FailedJob {
  readonly kind: string
  readonly data: object | null
  /** Whose it was, where their jobs take turns with those of others. */
  readonly owner: string | null
  /** Of which one waits at once; null, for one of the clock: none waits or runs beside it. */
  readonly singletonKey: string | null
}

/** Takes one that failed for good off the list; what it was, when there is such a one. */
export async function takeFailed(db: Db, id: string): Promise<FailedJob | null> {
  const { rows } = await sql<FailedJob>`
    delete from pgboss.job where id = ${id} and ${FAILED}
    returning coalesce(source_name, name) as kind, data, group_id as owner, singleton_key`.execute(db)
  return rows[0] ?? null
}
