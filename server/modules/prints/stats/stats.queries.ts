import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { accountsSeenBy } from '../../core/access/index.ts'
import { type PrintFilter, type PrintScope, selectPrints } from '../prints/index.ts'

/** What PostgreSQL has made of the prints of one group. */
export interface GroupSums {
  /** Which of `since` it began with: from 1. */
  readonly group: number
  readonly prints: number
  readonly succeeded: number
  readonly cancelled: number
  /** Seconds. */
  readonly time: number
  readonly longest: number
  /** Millimetres. */
  readonly filament: number
}

/** Sums of the prints that began at each of these moments or after, until the next; groups without any are left out. */
export async function sumPrints(
  db: Db,
  scope: PrintScope,
  filter: PrintFilter,
  since: readonly Date[],
): Promise<GroupSums[]> {
  return await selectPrints(db, scope, filter, await accountsSeenBy(db, scope.principal))
    .select([
      sql<number>`width_bucket(prints.started_at, ${since}::timestamptz[])`.as('group'),
      sql<number>`count(*)::integer`.as('prints'),
      sql<number>`(count(*) filter (where finished_at is not null and cancelled_at is null))::integer`.as(
        'succeeded',
      ),
      sql<number>`count(cancelled_at)::integer`.as('cancelled'),
      sql<number>`coalesce(sum(print_time), 0)`.as('time'),
      sql<number>`coalesce(max(print_time), 0)`.as('longest'),
      sql<number>`coalesce(sum(filament_used), 0)`.as('filament'),
    ])
    .groupBy(sql`1`)
    .execute()
}
