import { sql, type Updateable } from 'kysely'
import { sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Prints } from '../../../engines/db/types.gen.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { accountsSeenBy, type PrinterAction, printersVisibleTo, reachesAll } from '../../core/access/index.ts'
import { type Days, spanOf } from './days.rules.ts'
import type { PrintRow } from '../lifecycle/prints.queries.ts'

export interface PrintScope {
  readonly principal: UserPrincipal
  readonly action: PrinterAction
  readonly withDeleted: boolean
}

/**
 * Prints of the printers to which the caller may do this, archived and deleted ones included, and the caller's own that
 * have no printer (uploaded time-lapses) (docs/wire/rest.md 2, 5). `accounts` says no more than that, but by the index
 * that has them in order: a page of a list reads that page, however many prints there are.
 */
function printsOf(db: Db, { principal, action, withDeleted }: PrintScope, accounts: readonly UserId[]) {
  const scope = { principal, action, withArchived: true, withDeleted: true } as const
  const visible = printersVisibleTo(db, scope).select('printers.id')
  const query = db
    .selectFrom('prints')
    .selectAll('prints')
    .where((eb) =>
      accounts.length > 1 ? eb('prints.userId', 'in', accounts) : eb('prints.userId', '=', principal.userId),
    )
    .where((eb) => {
      const onPrinter = eb('prints.printerId', 'in', visible)
      if (!reachesAll(principal, action)) return onPrinter
      const uploaded = [eb('prints.printerId', 'is', null), eb('prints.userId', '=', principal.userId)]
      return eb.or([eb.and(uploaded), onPrinter])
    })
  return withDeleted ? query : query.where('prints.deletedAt', 'is', null)
}

type Feedback = 'need_alert_overwrite' | 'need_print_shot_feedback' | 'none'

/** The common query set of docs/wire/rest.md 4: what of the caller's prints is meant. */
export interface PrintFilter {
  readonly printerIds: readonly number[]
  readonly filter: 'cancelled' | 'finished' | Feedback
  readonly feedbackNeeded: Feedback
  readonly days: Days | null
  readonly uploaded: boolean | undefined
  readonly failed: boolean | undefined
  readonly q?: string | undefined
}

type PrintsOf = ReturnType<typeof printsOf>

function filtered(query: PrintsOf, filter: PrintFilter): PrintsOf {
  const { printerIds, days, uploaded, failed, q } = filter
  let found = query
  if (q) found = found.where(sql<boolean>`strpos(lower(prints.filename), ${q.toLowerCase()}) > 0`)
  if (printerIds.length > 0) found = found.where('prints.printerId', 'in', printerIds.map(sought<'printers'>))
  if (uploaded !== undefined) found = found.where('prints.uploadedAt', uploaded ? 'is not' : 'is', null)
  if (failed !== undefined)
    found = found.where(
      'prints.alertOverwrite',
      failed ? 'is not distinct from' : 'is distinct from',
      'FAILED',
    )
  if (filter.filter === 'cancelled') found = found.where('prints.cancelledAt', 'is not', null)
  if (filter.filter === 'finished') found = found.where('prints.finishedAt', 'is not', null)
  for (const needed of [filter.filter, filter.feedbackNeeded]) {
    if (needed === 'need_alert_overwrite')
      found = found.where('prints.alertOverwrite', 'is', null).where('prints.taggedVideo', 'is not', null)
    if (needed === 'need_print_shot_feedback')
      found = found.where((eb) =>
        eb.exists(
          eb
            .selectFrom('printShotFeedbacks as shot')
            .select('shot.id')
            .whereRef('shot.printId', '=', 'prints.id')
            .where('shot.answeredAt', 'is', null),
        ),
      )
  }
  if (days === null) return found
  const { since, before } = spanOf(days)
  return found.where('prints.startedAt', '>=', since).where('prints.startedAt', '<', before)
}

/** Prints as the common query set means them, nothing selected yet: for sums. */
export const selectPrints = (db: Db, scope: PrintScope, filter: PrintFilter, accounts: readonly UserId[]) =>
  filtered(printsOf(db, scope, accounts), filter).clearSelect()

export interface PrintPage {
  readonly start: number
  readonly limit: number
  readonly sorting: 'date_desc' | 'date_asc'
  readonly after?: number | undefined
}

/** Ordered by id, not by start time (docs/wire/rest.md 4). */
export async function findPrints(db: Db, scope: PrintScope, filter: PrintFilter, page: PrintPage) {
  const isRising = page.sorting === 'date_asc'
  const accounts = await accountsSeenBy(db, scope.principal)
  const found = filtered(printsOf(db, scope, accounts), filter)
  return await (
    page.after === undefined
      ? found
      : found.where('prints.id', isRising ? '>' : '<', sought<'prints'>(page.after))
  )
    .orderBy('prints.id', isRising ? 'asc' : 'desc')
    .offset(page.start)
    .limit(page.limit)
    .execute()
}

export async function findOnePrint(db: Db, scope: PrintScope, filter: PrintFilter, printId: number) {
  const accounts = await accountsSeenBy(db, scope.principal)
  return (
    (await filtered(printsOf(db, scope, accounts), filter)
      .where('prints.id', '=', sought<'prints'>(printId))
      .executeTakeFirst()) ?? null
  )
}

/** Writes an owner's words about a print; null where it is none of this scope. */
export async function writePrint(
  db: Db,
  scope: PrintScope,
  printId: number,
  values: Pick<Updateable<Prints>, 'alertOverwrite' | 'accessConsentedAt'>,
): Promise<PrintRow | null> {
  const accounts = await accountsSeenBy(db, scope.principal)
  const row = await db
    .updateTable('prints')
    .set({ ...values, updatedAt: new Date() })
    .where(
      'id',
      'in',
      printsOf(db, scope, accounts)
        .clearSelect()
        .select('prints.id')
        .where('prints.id', '=', sought<'prints'>(printId)),
    )
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Marks prints as deleted and returns those that were not yet. Nothing takes the mark off again; what they left in
 * `files` is swept by it.
 */
export async function markDeleted(db: Db, scope: PrintScope, ids: readonly number[], at: Date) {
  if (ids.length === 0) return []
  const accounts = await accountsSeenBy(db, scope.principal)
  const meant = printsOf(db, { ...scope, withDeleted: false }, accounts)
    .clearSelect()
    .select('prints.id')
    .where(sql<boolean>`prints.id = any(${ids}::integer[])`)
  return await db
    .updateTable('prints')
    .set({ deletedAt: at, updatedAt: at })
    .where('id', 'in', meant)
    .returning(['id', 'printerId'])
    .execute()
}

/** What the prints come to, by the month in which they began in this zone; the row without a month has them all. */
export async function sumPrints(db: Db, scope: PrintScope, filter: PrintFilter, timeZone: string) {
  const accounts = await accountsSeenBy(db, scope.principal)
  const found = selectPrints(db, scope, filter, accounts).select([
    'finishedAt',
    'cancelledAt',
    'printTime',
    'filamentUsed',
    sql<boolean>`coalesce(finished_at, cancelled_at, uploaded_at) is not null`.as('ended'),
    sql<boolean>`alert_overwrite is not distinct from 'FAILED'`.as('failed'),
    sql<boolean>`alert_overwrite is null and tagged_video is not null`.as('unanswered'),
    sql<string>`to_char(coalesce(started_at, created_at) at time zone ${timeZone}, 'YYYY-MM')`.as('month'),
  ])
  return await db
    .selectFrom(found.as('found'))
    .select(({ fn }) => [
      'month',
      fn.countAll<number>().filterWhere('ended', '=', true).as('count'),
      fn
        .countAll<number>()
        .filterWhere('cancelledAt', 'is', null)
        .filterWhere('finishedAt', 'is not', null)
        .as('succeeded'),
      fn.countAll<number>().filterWhere('cancelledAt', 'is not', null).as('cancelled'),
      fn.countAll<number>().filterWhere('ended', '=', true).filterWhere('failed', '=', true).as('failed'),
      fn
        .countAll<number>()
        .filterWhere('cancelledAt', 'is not', null)
        .filterWhere('failed', '=', true)
        .as('failedCancelled'),
      fn.countAll<number>().filterWhere('ended', '=', false).as('running'),
      fn
        .countAll<number>()
        .filterWhere('ended', '=', true)
        .filterWhere('unanswered', '=', true)
        .as('needAlertOverwrite'),
      fn.sum<number | null>('printTime').filterWhere('ended', '=', true).as('printTime'),
      fn.sum<number | null>('filamentUsed').filterWhere('ended', '=', true).as('filamentUsed'),
    ])
    .groupBy(sql`rollup (month)`)
    .orderBy('month', (order) => order.desc().nullsFirst())
    .execute()
}
