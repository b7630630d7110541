import type { Feature } from '@vigil/contract/tell/notifications.ts'
import { type Selectable, sql } from 'kysely'
import type { Id, PrinterId, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Deliveries } from '../../../engines/db/types.gen.ts'
import type { Notice } from '../messages/index.ts'

export type DeliveryRow = Selectable<Deliveries>

const named = statement((db, printId: PrintId | null, printerId: PrinterId) =>
  db
    .selectFrom('printers')
    .leftJoin('prints', (join) => join.on('prints.id', '=', printId))
    .select([
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
    ])
    .where('printers.id', '=', printerId),
)

/** What a notice says of a printer and a print, as both are now; undefined when the printer is gone. */
export const findNamed = async (db: Db, printerId: PrinterId, printId: PrintId | null) =>
  (await named(db, printId, printerId))[0]

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

/** A message that is owed to everyone who wants it. */
interface Owed {
  readonly userId: UserId
  readonly key: string
  readonly notice: Notice
  readonly features: readonly Feature[]
  /** The channels of this server that can tell it. */
  readonly channels: readonly string[]
  /** Those that programs read: for them nothing waits. */
  readonly programs: readonly string[]
  readonly ignoresMasterSwitch: boolean
  readonly now: Date
  readonly worthMs: number
  /** What the message waits for, and until when. */
  readonly wait: { readonly why: 'quiet' | 'digest' | 'film'; readonly until: Date } | null
  /** For so long prints are gathered of which the same is told. */
  readonly gatherMs?: number
  /** So much later each next step of the owner's channels is told; null: all are told at once. */
  readonly stepMs: number | null
}

/** The column of each switch. */
export const FEATURE_COLUMN = {
  notify_on_failure_alert: 'notifyOnFailureAlert',
  notify_on_not_watching: 'notifyOnNotWatching',
  notify_on_print_done: 'notifyOnPrintDone',
  notify_on_print_cancelled: 'notifyOnPrintCancelled',
  notify_on_filament_change: 'notifyOnFilamentChange',
  notify_on_heater_status: 'notifyOnHeaterStatus',
  notify_on_print_start: 'notifyOnPrintStart',
  notify_on_print_pause: 'notifyOnPrintPause',
  notify_on_print_resume: 'notifyOnPrintResume',
} as const satisfies Record<Feature, string>

const switches = statement((db, printerId: PrinterId, channels: readonly string[]) =>
  db
    .selectFrom('printers')
    .innerJoin('users as u', 'u.id', 'printers.userId')
    .innerJoin('notificationSettings as s', 's.userId', 'u.id')
    .select((eb) => Object.values(FEATURE_COLUMN).map((column) => eb.ref(`s.${column}`).as(column)))
    .select('u.notificationEnabled')
    .where('printers.id', '=', printerId)
    .where(sql<boolean>`s.name = any(${channels}::text[])`)
    .where(sql<boolean>`s.enabled and u.is_active`),
)

/** Whether a printer's owner wants a message by any channel: most want few, and what nobody wants costs one question. */
export async function isWanted(
  db: Db,
  printerId: PrinterId,
  { channels, features, ignoresMasterSwitch }: Pick<Owed, 'channels' | 'features' | 'ignoresMasterSwitch'>,
): Promise<boolean> {
  const rows = await switches(db, printerId, channels)
  return rows.some(
    (row) =>
      (ignoresMasterSwitch || row.notificationEnabled) &&
      features.some((feature) => row[FEATURE_COLUMN[feature]]),
  )
}

/** Writes a delivery for each channel that its owner wants this by, once for a key; returns how many. */
export async function insertDeliveries(db: Db, owed: Owed): Promise<number> {
  const { now, wait, worthMs, stepMs, gatherMs = 0 } = owed
  const soonest = wait?.until ?? new Date(now.getTime() + gatherMs)
  const isProgram = sql<boolean>`s.name = any(${[...owed.programs]}::text[])`
  const step = sql<number>`(dense_rank() over (partition by ${isProgram} order by s.escalation_step) - 1)`
  const begins = sql<Date>`case when ${isProgram} then ${now}::timestamptz else ${soonest}::timestamptz end`
  const result = await db
    .insertInto('deliveries')
    .columns([
      'userId',
      'settingId',
      'channel',
      'noticeKey',
      'kind',
      'notice',
      'dueAt',
      'waitsFor',
      'expiresAt',
      'createdAt',
    ])
    .expression((eb) =>
      eb
        .selectFrom('notificationSettings as s')
        .innerJoin('users as u', 'u.id', 's.userId')
        .select((from) => [
          's.userId',
          's.id',
          's.name',
          from.val(owed.key).as('noticeKey'),
          from.val(owed.notice.kind).as('kind'),
          sql<string>`${JSON.stringify(owed.notice)}::jsonb`.as('notice'),
          sql<Date>`case when ${isProgram} then ${now}::timestamptz
            else ${begins} + ${step} * ${stepMs ?? 0}::float8 * interval '1 millisecond' end`.as('dueAt'),
          sql<
            DeliveryRow['waitsFor']
          >`case when ${isProgram} then null when ${wait !== null} then ${wait?.why ?? null}::text
            when ${stepMs !== null} and ${step} > 0 then 'escalation' end`.as('waitsFor'),
          sql<Date>`${begins} + ${worthMs}::float8 * interval '1 millisecond'`.as('expiresAt'),
          sql<Date>`${now}::timestamptz`.as('createdAt'),
        ])
        .where('s.userId', '=', owed.userId)
        .where('s.enabled', '=', true)
        .where('u.isActive', '=', true)
        .where('s.name', 'in', [...owed.channels])
        .where((where) =>
          where.or(owed.features.map((feature) => where(`s.${FEATURE_COLUMN[feature]}`, '=', true))),
        )
        .$if(!owed.ignoresMasterSwitch, (q) => q.where('u.notificationEnabled', '=', true)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

/**
 * Takes what is due, at most so many of each channel, alerts first. Who takes one has it until `until`; then it is due
 * again, as whoever had it must have died.
 */
export async function takeDue(
  db: Db,
  { free, now, until }: { free: ReadonlyMap<string, number>; now: Date; until: Date },
): Promise<DeliveryRow[]> {
  return await db
    .updateTable('deliveries')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), dueAt: until }))
    .where(
      sql<boolean>`id in (
        with due as materialized (
          select one.id from unnest(${[...free.keys()]}::text[], ${[...free.values()]}::int[]) as free (channel, slots)
          cross join lateral (
            select id from deliveries d where d.channel = free.channel and outcome is null and due_at <= ${now}
              and waits_for is distinct from 'quiet' and waits_for is distinct from 'digest'
            order by kind <> 'PrintFailure', due_at limit free.slots for update skip locked
          ) one
        ) select id from due)`,
    )
    .returningAll()
    .execute()
}

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
