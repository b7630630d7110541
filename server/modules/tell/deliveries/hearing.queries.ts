import { sql } from 'kysely'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import { roleMay } from '../../core/access/index.ts'

const hearing = statement((db, printerIds: readonly PrinterId[]) =>
  db
    .selectFrom('printers')
    .innerJoin('memberships as m', 'm.ownerId', 'printers.userId')
    .leftJoin('notificationRules as r', 'r.userId', 'm.ownerId')
    .select(['printers.id as printerId', 'm.role', 'm.place', 'r.escalateAfter'])
    .select(sql<UserId>`m.member_id`.as('userId'))
    .select(
      sql<number>`(select count(distinct s.escalation_step)::integer from notification_settings s
        where s.user_id = m.owner_id and s.enabled)`.as('steps'),
    )
    .where(sql<boolean>`printers.id = any(${printerIds}::integer[])`)
    .where('m.memberId', 'is not', null)
    .where(sql<boolean>`(m.printer_ids is null or printers.id = any(m.printer_ids))`)
    .orderBy('m.id'),
)

/** Somebody whom a printer's owner has let in to it, and is told of it by their own channels. */
export interface Hearing {
  readonly printerId: PrinterId
  readonly userId: UserId
  /** Whether they may do something about it. */
  readonly mayAct: boolean
  /** How many turns pass before they are told of an alert that nobody answers; null: they are told at once. */
  readonly turn: number | null
}

/** Whom the owners of these printers have let in. */
export async function findHearing(
  db: Db,
  of: readonly { readonly printerId: PrinterId }[],
): Promise<Hearing[]> {
  const rows = await hearing(db, [...new Set(of.map(({ printerId }) => printerId))])
  return rows.map(({ printerId, userId, role, place, steps, escalateAfter }) => ({
    printerId,
    userId,
    mayAct: roleMay(role, 'control'),
    // The owner's own channels go first: all at once, or one after the other.
    turn: place === null ? null : (escalateAfter === null ? 1 : Math.max(1, steps)) + place - 1,
  }))
}

const shutOut = statement((db, userId: UserId, printerId: PrinterId) =>
  db
    .selectFrom('printers')
    .select('id')
    .where(
      sql<boolean>`not exists (select from printer_rights(${userId}) r where r.printer_id = printers.id)`,
    )
    .where('id', '=', printerId),
)

/** Whether somebody is still to hear of a printer: they may have been shut out since. What was owed of one that is gone is told. */
export const stillHears = async (db: Db, userId: UserId, printerId: PrinterId): Promise<boolean> =>
  (await shutOut(db, userId, printerId)).length === 0
