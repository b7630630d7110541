import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { Principal } from '../../../http/principal.ts'
import { keyMay, type PrinterAction } from './roles.rules.ts'

export interface PrinterScope {
  readonly principal: Principal
  readonly action: PrinterAction
  /** Archived printers are invisible unless asked for (docs/wire/rest.md 6). */
  readonly withArchived?: boolean
  /** What hangs on a printer outlives it: a print still shows its deleted printer (docs/wire/rest.md 2, 5). */
  readonly withDeleted?: boolean
}

/**
 * The only way to printers and what hangs on them: the rows that this caller may do this to. Another owner's
 * printer simply is not there (docs/wire/rest.md 2).
 */
export function printersVisibleTo(db: Db, scope: PrinterScope) {
  const { principal, withArchived = false, withDeleted = false } = scope
  let query = db.selectFrom('printers')
  if (!withDeleted) query = query.where('printers.deletedAt', 'is', null)
  if (!withArchived) query = query.where('printers.archivedAt', 'is', null)
  if (principal.kind === 'user') {
    const { key, userId } = principal
    if (key && !keyMay(key, scope.action)) return query.where((eb) => eb.val(false))
    const own = query.where('printers.userId', '=', userId)
    return key?.printerIds ? own.where(sql<boolean>`printers.id = any(${key.printerIds}::integer[])`) : own
  }
  if (principal.kind === 'printer') return query.where('printers.id', '=', principal.printerId)
  if (principal.kind === 'tunnel' && scope.action === 'see')
    return query.where('printers.id', '=', principal.printerId)
  return query.where((eb) => eb.val(false))
}

/** The printer behind an agent's token; archived and deleted ones have none (docs/wire/rest.md 2). */
export async function findByToken(db: Db, token: string) {
  return await db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .select(['printers.id', 'printers.userId'])
    .where('authToken', '=', token)
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .where('users.isActive', '=', true)
    .executeTakeFirst()
}
