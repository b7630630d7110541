import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { HouseholdRole } from '@vigil/contract/people/household.ts'
import type { Principal, UserPrincipal } from '../../../http/principal.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import { nameOf } from '../../../lib/person.ts'
import { keyMay, type PrinterAction, rolesThatMay } from './roles.rules.ts'

export interface PrinterScope {
  readonly principal: Principal
  readonly action: PrinterAction
  /** Archived printers are invisible unless asked for (docs/wire/rest.md 6). */
  readonly withArchived?: boolean
  /** What hangs on a printer outlives it: a print still shows its deleted printer (docs/wire/rest.md 2, 5). */
  readonly withDeleted?: boolean
  /** Those of the caller's own account alone: what is shared with them is not meant (queue, files, tunnels, keys). */
  readonly isOwn?: boolean
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
    if (!key && !scope.isOwn)
      return query.where(
        sql<boolean>`printers.id in (select printer_id from printer_rights(${userId}) where role in (${rolesIn(scope.action)}))`,
      )
    const own = query.where('printers.userId', '=', userId)
    return key?.printerIds ? own.where(sql<boolean>`printers.id = any(${key.printerIds}::integer[])`) : own
  }
  if (principal.kind === 'printer') return query.where('printers.id', '=', principal.printerId)
  if (principal.kind === 'tunnel' && scope.action === 'see')
    return query.where('printers.id', '=', principal.printerId)
  return query.where((eb) => eb.val(false))
}

/** As words of the statement itself: it is planned once. */
const rolesIn = (action: PrinterAction) => sql.join(rolesThatMay(action).map((role) => sql.lit(role)))

/** What a person is to printers of others that they were let in to, with whose these are, by id. */
export async function rolesOf(
  db: Db,
  { userId }: UserPrincipal,
  ids: readonly PrinterId[],
): Promise<Map<number, { role: HouseholdRole; owner: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('printers')
    .innerJoin('memberships as m', 'm.ownerId', 'printers.userId')
    .innerJoin('users as u', 'u.id', 'printers.userId')
    .select(['printers.id', 'm.role', 'u.firstName', 'u.lastName', 'u.email'])
    .where('m.memberId', '=', userId)
    .where('printers.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, role, ...owner }) => [id, { role, owner: nameOf(owner) }]))
}

/** The accounts whose printers somebody may see, their own first. */
export async function accountsSeenBy(db: Db, { userId, key }: UserPrincipal): Promise<UserId[]> {
  if (key) return [userId]
  const rows = await db.selectFrom('memberships').select('ownerId').where('memberId', '=', userId).execute()
  return [userId, ...rows.map(({ ownerId }) => ownerId)]
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
