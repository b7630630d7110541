import type { Feature } from '@vigil/contract/tell/notifications.ts'
import { sql } from 'kysely'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Notice } from '../messages/index.ts'
import type { DeliveryRow } from './deliveries.queries.ts'

/** Who wants to hear of something, and how. */
interface Wanted {
  /** Of these switches one has to be on. */
  readonly features: readonly Feature[]
  /** The channels of this server that can tell it. */
  readonly channels: readonly string[]
  readonly ignoresMasterSwitch: boolean
}

/** A message that is owed to its reader's channels. */
export interface Owed {
  readonly userId: UserId
  readonly key: string
  readonly notice: Notice
  readonly channels: readonly string[]
  /** What the message waits for, and until when. */
  readonly wait: { readonly why: 'quiet' | 'digest' | 'film' | 'escalation'; readonly until: number } | null
  /** For so long prints are gathered of which the same is told. */
  readonly gatherMs?: number
  /** So much later each next step of the owner's channels is told; null: all are told at once. */
  readonly stepMs: number | null
}

/** What messages of one kind have in common. */
interface Owing extends Omit<Wanted, 'channels'> {
  /** Those that programs read: for them nothing waits. */
  readonly programs: readonly string[]
  readonly now: Date
  readonly worthMs: number
}

/** A message and its reader. */
export const keyOf = ({ key, userId }: Pick<Owed, 'key' | 'userId'>): string => `${userId} ${key}`

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

/** Who hears of a printer: its owner, and whom they have let in to it. */
const readers = sql`array(
  select printers.user_id union all select m.member_id from memberships m
  where m.owner_id = printers.user_id and m.member_id is not null
    and (m.printer_ids is null or printers.id = any(m.printer_ids)))`

const switches = statement((db, printerIds: readonly PrinterId[], channels: readonly string[]) =>
  db
    .selectFrom('printers')
    .innerJoin('users as u', (join) => join.on(sql<boolean>`u.id = any(${readers})`))
    .innerJoin('notificationSettings as s', 's.userId', 'u.id')
    .select((eb) => Object.values(FEATURE_COLUMN).map((column) => eb.ref(`s.${column}`).as(column)))
    .select(['u.notificationEnabled', 'printers.id as printerId'])
    .where(sql<boolean>`printers.id = any(${printerIds}::integer[])`)
    .where(sql<boolean>`s.name = any(${channels}::text[])`)
    .where(sql<boolean>`s.enabled and u.is_active`),
)

/** Those of which somebody who hears of the printer wants a message by any channel: most want few, and what nobody wants costs one question. */
export async function onlyWanted<T extends { readonly printerId: PrinterId }>(
  db: Db,
  all: readonly T[],
  { features, channels, ignoresMasterSwitch }: Wanted,
): Promise<T[]> {
  const ids = all.map(({ printerId }) => printerId)
  const rows = await switches(db, ids, channels)
  const wanting = rows.filter(
    (row) =>
      (ignoresMasterSwitch || row.notificationEnabled) &&
      features.some((feature) => row[FEATURE_COLUMN[feature]]),
  )
  const printers = new Set(wanting.map(({ printerId }) => printerId))
  return all.filter(({ printerId }) => printers.has(printerId))
}

const COLUMNS = [
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
] as const

/**
 * Writes a delivery for each channel by which its reader wants a message, once for a key; returns of which keys whose readers
 * (`keyOf`) there are any. All messages are of one kind.
 */
export async function insertDeliveries(
  db: Db,
  { features, ignoresMasterSwitch, programs, now, worthMs }: Owing,
  all: readonly Owed[],
): Promise<ReadonlySet<string>> {
  const owed = sql<{ userId: UserId }>`unnest(
    ${all.map(({ userId }) => userId)}::integer[], ${all.map(({ key }) => key)}::text[],
    ${all.map(({ notice }) => JSON.stringify(notice))}::jsonb[], ${all.map(({ channels }) => channels.join(' '))}::text[],
    ${all.map(({ wait, gatherMs = 0 }) => new Date(wait?.until ?? now.getTime() + gatherMs))}::timestamptz[],
    ${all.map(({ wait }) => wait?.why ?? null)}::text[], ${all.map(({ stepMs }) => stepMs)}::float8[])`
  const isProgram = sql<boolean>`s.name = any(${[...programs]}::text[])`
  const step = sql<number>`(dense_rank() over (partition by owed.key, owed.user_id, ${isProgram} order by s.escalation_step) - 1)`
  const begins = sql<Date>`case when ${isProgram} then ${now}::timestamptz else owed.soonest end`
  const rows = await db
    .insertInto('deliveries')
    .columns(COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom(owed.as<'owed'>(sql`owed (user_id, key, notice, channels, soonest, waits_for, step_ms)`))
        .innerJoin('notificationSettings as s', 's.userId', 'owed.userId')
        .innerJoin('users as u', 'u.id', 's.userId')
        .select([
          's.userId',
          's.id',
          's.name',
          sql<string>`owed.key`.as('noticeKey'),
          sql<string>`owed.notice ->> 'kind'`.as('kind'),
          sql<string>`owed.notice`.as('notice'),
          sql<Date>`${begins} + case when ${isProgram} then 0 else coalesce(${step} * owed.step_ms, 0) end
            * interval '1 millisecond'`.as('dueAt'),
          sql<DeliveryRow['waitsFor']>`case when ${isProgram} then null else coalesce(owed.waits_for,
            case when owed.step_ms is not null and ${step} > 0 then 'escalation' end) end`.as('waitsFor'),
          sql<Date>`${begins} + ${worthMs}::float8 * interval '1 millisecond'`.as('expiresAt'),
          sql<Date>`${now}::timestamptz`.as('createdAt'),
        ])
        .where('s.enabled', '=', true)
        .where('u.isActive', '=', true)
        .where(sql<boolean>`s.name = any(string_to_array(owed.channels, ' '))`)
        .where((where) =>
          where.or(features.map((feature) => where(`s.${FEATURE_COLUMN[feature]}`, '=', true))),
        )
        .$if(!ignoresMasterSwitch, (q) => q.where('u.notificationEnabled', '=', true)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['noticeKey', 'userId'])
    .execute()
  return new Set(rows.map(({ noticeKey, userId }) => keyOf({ key: noticeKey, userId })))
}
