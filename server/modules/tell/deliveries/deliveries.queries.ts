import { type Selectable, sql } from 'kysely'
import type { Id, PrinterId, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Deliveries } from '../../../engines/db/types.gen.ts'
import type { Notice } from '../messages/index.ts'

export type DeliveryRow = Selectable<Deliveries>

const named = statement((db, printerIds: readonly PrinterId[], printIds: readonly (PrintId | null)[]) =>
  db
    .selectFrom(
      sql<{
        printerId: PrinterId
        printId: PrintId | null
        at: string
      }>`unnest(${printerIds}::integer[], ${printIds}::integer[]) with ordinality`.as<'asked'>(
        sql`asked (printer_id, print_id, at)`,
      ),
    )
    .innerJoin('printers', 'printers.id', 'asked.printerId')
    .leftJoin('prints', 'prints.id', 'asked.printId')
    .select([
      sql<number>`asked.at::integer - 1`.as('at'),
      'printers.userId',
      'printers.name',
      'printers.actionOnFailure',
      'printers.watchingEnabled',
      'printers.agentSettings',
      'prints.filename',
      'prints.startedAt',
      'prints.finishedAt',
      'prints.cancelledAt',
      'prints.alertedAt',
      'prints.alertOverwrite',
    ]),
)

/** What notices say of printers and prints, as they are now, and of which of these (`at`); not of printers that are gone. */
export const findNamed = async (
  db: Db,
  of: readonly { readonly printerId: PrinterId; readonly printId: PrintId | null }[],
) =>
  await named(
    db,
    of.map(({ printerId }) => printerId),
    of.map(({ printId }) => printId),
  )
export type NamedRow = Awaited<ReturnType<typeof findNamed>>[number]

/** What was made of a print's pictures, and what its owner has said of them; undefined when the print is gone. */
export async function findOutcome(db: Db, printId: PrintId) {
  return await db
    .selectFrom('prints')
    .select(['poster', 'video', 'taggedVideo', 'alertedAt', 'alertOverwrite'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('printShotFeedbacks as shot')
            .select('shot.id')
            .whereRef('shot.printId', '=', 'prints.id')
            .where('shot.answeredAt', 'is', null),
        )
        .as('hasOpenShots'),
    )
    .where('id', '=', printId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

const takeSome = statement(
  (db, until: Date, channels: readonly string[], slots: readonly number[], now: Date) =>
    db
      .updateTable('deliveries')
      .set({ dueAt: until, attempts: sql<number>`attempts + 1` })
      .where(
        sql<boolean>`id in (
        with due as materialized (
          select one.id from unnest(${channels}::text[], ${slots}::int[]) as free (channel, slots)
          cross join lateral (
            select id from deliveries d where d.channel = free.channel and outcome is null and due_at <= ${now}
              and waits_for is distinct from 'quiet' and waits_for is distinct from 'digest'
            order by kind <> 'PrintFailure', due_at limit free.slots for update skip locked
          ) one
        ) select id from due)`,
      )
      .returningAll(),
)

/**
 * Takes what is due, at most so many of each channel, alerts first. Who takes one has it until `until`; then it is due
 * again, as whoever had it must have died.
 */
export const takeDue = (
  db: Db,
  { free, now, until }: { free: ReadonlyMap<string, number>; now: Date; until: Date },
): Promise<DeliveryRow[]> => takeSome(db, until, [...free.keys()], [...free.values()], now)

export type Outcome = NonNullable<DeliveryRow['outcome']>

/** Writes what came of a delivery; nothing when another has written it. */
export async function endDelivery(
  db: Db,
  id: Id<'deliveries'>,
  { outcome, problem, now }: { outcome: Outcome; problem: string | null; now: Date },
): Promise<boolean> {
  const ended = await db
    .updateTable('deliveries')
    .set({ outcome, problem, endedAt: now })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** Nobody has answered this try yet, which goes on. */
export async function noteProblem(db: Db, id: Id<'deliveries'>, problem: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ problem })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** It is due again later; `counts` is false where nobody was called. */
export async function postpone(
  db: Db,
  { id, attempts }: DeliveryRow,
  { dueAt, problem, counts }: { dueAt: Date; problem: string; counts: boolean },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ dueAt, problem, attempts: counts ? attempts : attempts - 1 })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Writes a message that was sent at once, with what came of it; its channel may be gone by then. */
export async function insertEnded(
  db: Db,
  delivery: {
    readonly userId: UserId
    readonly settingId: Id<'notificationSettings'>
    readonly channel: string
    readonly key: string
    readonly notice: Notice
    readonly outcome: Outcome
    readonly problem: string | null
    readonly begunAt: Date
    readonly endedAt: Date
  },
): Promise<void> {
  const { key, notice, begunAt, settingId, ...row } = delivery
  const times = { dueAt: begunAt, expiresAt: begunAt, createdAt: begunAt }
  const said = { noticeKey: key, kind: notice.kind, notice: JSON.stringify(notice), attempts: 1 }
  await db
    .insertInto('deliveries')
    .values((eb) => ({
      ...row,
      ...times,
      ...said,
      settingId: eb
        .selectFrom('notificationSettings')
        .select('notificationSettings.id')
        .where('id', '=', settingId),
    }))
    .execute()
}

/** Whether another delivery of the same notice was accepted, or may be. */
export async function mayStillArrive(db: Db, noticeKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('noticeKey', '=', noticeKey)
    .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', '=', 'accepted')]))
    .executeTakeFirst()
  return row !== undefined
}

export async function listOf(db: Db, userId: UserId, { start, limit }: { start: number; limit: number }) {
  return await db
    .selectFrom('deliveries')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .offset(start)
    .limit(limit)
    .execute()
}

/** Forgets some of what was written before; returns how many. */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from deliveries where id in (
      select id from deliveries where created_at < ${before} order by created_at limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
