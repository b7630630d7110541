import { coverOf } from '@vigil/contract/printers/zones.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Printers, Prints } from '../../../engines/db/types.gen.ts'
import {
  type Authorized,
  printersVisibleTo,
  type PrinterScope,
  type Role,
  rolesOf,
} from '../../core/access/index.ts'
import { type AlertSight, findAlertSights } from '../../watch/detection/index.ts'
import { holdsToken, type PrinterRow } from '../../watch/printer-base/index.ts'
import { hoursToWatch } from '../../shop/hours/index.ts'
import { findFilesOf, findPrintsById, type GCodeFileRow } from '../../prints/prints/index.ts'

/** A printer with what every view of it needs, read in two statements however many printers; one more with files, one with alerts. */
export interface PrinterView {
  readonly printer: PrinterRow
  readonly print: Selectable<Prints> | null
  /** What the print is made from, if that is known. */
  readonly file: GCodeFileRow | null
  readonly normalizedP: number
  readonly detectionHours: number
  readonly isPro: boolean
  readonly brand: string
  /** The look that an alert is about which waits for an answer. */
  readonly alertSight: AlertSight | null
  /** How much of the picture the ignore zones leave out, 0 to 100. */
  readonly ignoredPercent: number
  /** Whether who asks may hold the printer's own token. */
  readonly isHeld: boolean
  /** What who asks is to it, and whose it is, where it is another account's. */
  readonly role: Role
  readonly sharedBy: string | null
}

/** What a view has of rows of which it has no more than this: whoever asks whether a view has changed asks for these too. */
export const BESIDE = [
  'printerPredictions.normalizedP',
  'users.dhBalance',
  'users.isPro',
  'users.brand',
] as const

const viewRows = (db: Db, scope: PrinterScope) =>
  printersVisibleTo(db, scope)
    .innerJoin('users', 'users.id', 'printers.userId')
    .leftJoin('printerPredictions', 'printerPredictions.printerId', 'printers.id')
    .selectAll('printers')
    .select(BESIDE)
    .orderBy('printers.id')

type ViewRow = Awaited<ReturnType<ReturnType<typeof viewRows>['execute']>>[number]

/** A user's own printers that are in use. */
export const ownOf = (userId: UserId): PrinterScope => ({
  principal: { kind: 'user', via: 'session', userId, language: 'en', sessionId: null },
  action: 'see',
})

/** What lists and pages ask all the time: a user's own printers, all of them or some. */
const ownRows = statement((db, userId: UserId) => viewRows(db, ownOf(userId)))
const someOwnRows = statement((db, userId: UserId, ids: readonly number[]) =>
  viewRows(db, ownOf(userId)).where(sql<boolean>`printers.id = any(${ids}::integer[])`),
)

async function findRows(
  db: Db,
  scope: PrinterScope,
  which?: number | readonly number[],
): Promise<readonly ViewRow[]> {
  const { principal, withArchived, withDeleted, isOwn } = scope
  const ids = typeof which === 'number' ? [which] : which
  if (
    principal.kind === 'user' &&
    principal.via !== 'key' &&
    !withArchived &&
    !withDeleted &&
    !isOwn &&
    scope.action === 'see'
  ) {
    const { userId } = principal
    return ids === undefined ? await ownRows(db, userId) : await someOwnRows(db, userId, ids)
  }
  const query = viewRows(db, scope)
  return await (
    ids === undefined ? query : query.where('printers.id', 'in', ids.map(sought<'printers'>))
  ).execute()
}

/** Printers of the scope with print and prediction, by id; all of them, one or some. */
export async function findViews(
  db: Db,
  scope: PrinterScope,
  which?: number | readonly number[],
): Promise<PrinterView[]> {
  const rows = await findRows(db, scope, which)
  const printIds = rows.flatMap(({ currentPrintId }) => (currentPrintId === null ? [] : [currentPrintId]))
  const prints = await findPrintsById(db, printIds)
  const byId = new Map(prints.map((print) => [print.id, print]))
  const files = await findFilesOf(db, prints)
  const sights = await findAlertSights(
    db,
    prints.filter(isAlertOpen).map(({ id }) => id),
  )
  const shared = await sharedAmong(db, scope, rows)
  return rows.map(({ normalizedP, dhBalance, isPro, brand, ...printer }) => {
    const print = (printer.currentPrintId === null ? null : byId.get(printer.currentPrintId)) ?? null
    return {
      printer,
      print,
      file: files.get(print?.gCodeFileId ?? -1) ?? null,
      normalizedP: normalizedP ?? 0,
      detectionHours: hoursToWatch(print, dhBalance),
      isPro,
      brand,
      alertSight: sights.get(print?.id ?? -1) ?? null,
      ignoredPercent: Math.round(100 * coverOf(printer.ignoreZones)),
      isHeld: holdsToken(scope.principal, printer),
      role: shared.get(printer.id)?.role ?? 'self',
      sharedBy: shared.get(printer.id)?.owner ?? null,
    }
  })
}

/** What who asks is to those of these printers that are another account's; asks the database only where there are any. */
export async function sharedAmong(
  db: Db,
  { principal }: PrinterScope,
  rows: readonly Pick<PrinterRow, 'id' | 'userId'>[],
): ReturnType<typeof rolesOf> {
  if (principal.kind !== 'user') return new Map()
  const others = rows.filter(({ userId }) => userId !== principal.userId)
  return await rolesOf(
    db,
    principal,
    others.map(({ id }) => id),
  )
}

/** An alert newer than its last answer (docs/rules/watch.md 5). */
export const isAlertOpen = ({ alertedAt, alertAcknowledgedAt }: Selectable<Prints>) =>
  alertedAt !== null && alertedAt > (alertAcknowledgedAt ?? 0)

/** Makes a printer and its prediction row. */
export async function insertPrinter(db: Db, values: Insertable<Printers>): Promise<PrinterRow> {
  const printer = await db.insertInto('printers').values(values).returningAll().executeTakeFirstOrThrow()
  await db.insertInto('printerPredictions').values({ printerId: printer.id }).execute()
  return printer
}

/** The names of a user's printers. */
export async function findNames(db: Db, userId: UserId): Promise<string[]> {
  const rows = await db
    .selectFrom('printers')
    .select('name')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ name }) => name)
}

/** Writes columns of a printer that is not deleted. */
export async function updatePrinterRow(
  db: Db,
  { id }: Authorized<'edit'>,
  values: Updateable<Printers>,
): Promise<void> {
  await db
    .updateTable('printers')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .execute()
}

/** The user whom an operator names by e-mail, or null. */
export async function findOwnerId(db: Db, email: string): Promise<UserId | null> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  return user?.id ?? null
}
