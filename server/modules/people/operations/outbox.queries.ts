import type { listOwed } from '@vigil/contract/people/operations.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { TRY_LEASE_MS } from '../../../lib/tries.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Admin } from '../accounts/index.ts'

export interface OwedRow {
  readonly id: string
  readonly channel: string
  readonly kind: string
  readonly userId: UserId
  readonly email: string
  readonly state: 'waiting' | 'refused' | 'expired'
  readonly tries: number
  readonly createdAt: Date
  readonly nextAt: Date | null
  readonly reason: string | null
}

/** What is owed by letter and by channel, in one form; letters are known by what they are about. */
const OWED = sql`(
  select 'd' || id as id, channel, kind, user_id, attempts as tries, created_at, problem as reason,
    case when outcome is null then due_at end as next_at,
    case when outcome is null then 'waiting' else outcome end as state
  from deliveries where outcome is null or outcome in ('refused', 'expired')
  union all
  select 'm' || md5(key), 'letter', template, user_id, tries, created_at, outcome, null, state
  from mails where state in ('waiting', 'refused', 'expired')
) as owed`

const IN = {
  waiting: sql`owed.state = 'waiting'`,
  failed: sql`owed.state <> 'waiting'`,
} as const

/** Letters and messages that wait, or came to nothing, newest first. */
export async function findOwed(
  db: Db,
  _admin: Admin,
  { state, start, limit }: Parsed<typeof listOwed, 'query'>,
): Promise<OwedRow[]> {
  const { rows } = await sql<OwedRow>`
    select owed.*, users.email from ${OWED} join users on users.id = owed.user_id
    where ${IN[state]} order by owed.created_at desc, owed.id offset ${start} limit ${limit}`.execute(db)
  return rows
}

export async function countOwed(db: Db): Promise<{ waiting: number; failed: number }> {
  const { rows } = await sql<{ waiting: number; failed: number }>`
    select count(*) filter (where ${IN.waiting})::int as waiting, count(*) filter (where ${IN.failed})::int as failed
    from ${OWED}`.execute(db)
  return rows[0] ?? { waiting: 0, failed: 0 }
}

/**
 * A message is due now, also one that came to nothing, and worth sending until then; one that may be on its way this moment is due when
 * that try is over, lest it come twice. False when there is none that could be sent.
 */
export async function hurryDelivery(
  db: Db,
  _admin: Admin,
  number: number,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const tried = new Date(now.getTime() + TRY_LEASE_MS)
  const { numAffectedRows = 0n } = await sql`
    update deliveries set outcome = null, problem = null, ended_at = null, waits_for = null,
      due_at = case when outcome is null and attempts > 0 and due_at <= ${tried} then due_at else ${now} end,
      expires_at = greatest(expires_at, ${until})
    where id = ${number} and (outcome is null or outcome in ('refused', 'expired'))`.execute(db)
  return numAffectedRows > 0n
}
