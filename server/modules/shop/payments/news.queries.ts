import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'

/** False when it was heard before. */
export async function insertEvent(
  db: Db,
  {
    event: eventId,
    ...row
  }: {
    readonly provider: string
    readonly event: string
    readonly toldAt: Date
    readonly receivedAt: Date
  },
): Promise<boolean> {
  const made = await db
    .insertInto('billingEvents')
    .values({ ...row, eventId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('eventId')
    .executeTakeFirst()
  return made !== undefined
}

/** When the newest of what was heard was told. */
export async function findLastTold(db: Db, provider: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('billingEvents')
    .select('toldAt')
    .where('provider', '=', provider)
    .orderBy('toldAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.toldAt
}

export async function deleteEventsBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('billingEvents').where('toldAt', '<', at).execute()
}

/**
 * Subscriptions of the provider's that may not be as we think: they go on there and not here, or their bill was due a while ago and
 * nobody said what became of it.
 */
export async function findDoubtful(db: Db, provider: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('billingSubscriptions')
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.provider', '=', 'billingSubscriptions.provider')
        .onRef('subscriptions.providerId', '=', 'billingSubscriptions.providerId'),
    )
    .select('billingSubscriptions.providerId')
    .where('billingSubscriptions.provider', '=', provider)
    .where('billingSubscriptions.endedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('subscriptions.id', 'is', null),
        eb('subscriptions.state', '=', 'expired'),
        eb('subscriptions.endsAt', '<', sql<Date>`${now}::timestamptz - interval '1 hour'`),
      ]),
    )
    .limit(limit)
    .execute()
  return rows.map(({ providerId }) => providerId)
}

/** Lets go of checkouts that came to no page before they were over: whoever opened them died on the way. */
export async function closeUnopened(db: Db, provider: string, now: Date): Promise<void> {
  await db
    .updateTable('billingCheckouts')
    .set({ state: 'closed' })
    .where('provider', '=', provider)
    .where('state', '=', 'open')
    .where('expiresAt', '<', now)
    .where('providerId', 'is', null)
    .execute()
}

/** Checkouts by which nobody can pay any more, and of which nobody said so. */
export async function findStale(db: Db, provider: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('billingCheckouts')
    .select('providerId')
    .where('provider', '=', provider)
    .where('state', '=', 'open')
    .where('expiresAt', '<', now)
    .where('providerId', 'is not', null)
    .orderBy('expiresAt')
    .limit(limit)
    .execute()
  return rows.flatMap(({ providerId }) => providerId ?? [])
}
