import { type Selectable, sql } from 'kysely'
import { sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PrinterEvents } from '../../../engines/db/types.gen.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { accountsSeenBy, printersVisibleTo } from '../access/index.ts'

export type FeedRow = Selectable<PrinterEvents>

/** Events of the printers that the caller may see, archived and deleted ones included; nothing selected yet. */
function eventsOf(db: Db, principal: UserPrincipal, accounts: readonly UserId[]) {
  const scope = { principal, action: 'see', withArchived: true, withDeleted: true } as const
  return (
    db
      .selectFrom('printerEvents')
      .where((eb) =>
        accounts.length > 1
          ? eb('printerEvents.userId', 'in', accounts)
          : eb('printerEvents.userId', '=', principal.userId),
      )
      // As an array, and no join: the order of the index is kept.
      .where(
        sql<boolean>`printer_events.printer_id = any(array(${printersVisibleTo(db, scope).select('printers.id')}))`,
      )
  )
}

export interface FeedPage {
  /** Undefined: whatever class, whatever type. */
  readonly classes: readonly string[] | undefined
  readonly types: readonly string[] | undefined
  readonly start: number
  readonly limit: number
}

/** Newest first. */
export async function findFeed(db: Db, principal: UserPrincipal, page: FeedPage): Promise<FeedRow[]> {
  const { classes, types, start, limit } = page
  if (classes?.length === 0 || types?.length === 0) return []
  const accounts = await accountsSeenBy(db, principal)
  let found = eventsOf(db, principal, accounts).select(['printerEvents.id', 'printerEvents.createdAt'])
  if (classes) found = found.where('eventClass', 'in', classes)
  if (types) found = found.where('eventType', 'in', types)
  // Which they are is found in an index alone, however many are passed by; their rows are read then.
  const meant = found
    .orderBy('printerEvents.createdAt', 'desc')
    .orderBy('printerEvents.id', 'desc')
    .offset(start)
    .limit(limit)
  return await db
    .selectFrom(meant.as('page'))
    .innerJoin('printerEvents', (join) =>
      join.onRef('printerEvents.id', '=', 'page.id').onRef('printerEvents.createdAt', '=', 'page.createdAt'),
    )
    .selectAll('printerEvents')
    .orderBy('printerEvents.createdAt', 'desc')
    .orderBy('printerEvents.id', 'desc')
    .execute()
}

/** How many there are of each class and type. */
export async function countFeed(db: Db, principal: UserPrincipal) {
  return await eventsOf(db, principal, await accountsSeenBy(db, principal))
    .select(({ fn }) => ['eventClass', 'eventType', fn.countAll<number>().as('count')])
    .groupBy(['eventClass', 'eventType'])
    .execute()
}

export async function findOneOfFeed(db: Db, principal: UserPrincipal, id: number) {
  const accounts = await accountsSeenBy(db, principal)
  return await eventsOf(db, principal, accounts)
    .selectAll('printerEvents')
    .where('printerEvents.id', '=', sought<'printerEvents'>(id))
    .executeTakeFirst()
}

/** How many events the user has not seen yet, and which came last. */
export async function findFeedState(
  db: Db,
  userId: UserId,
): Promise<{ unseen: number; newest: number | null }> {
  const row = await db
    .selectFrom('users')
    .select((eb) => [
      'unseenPrinterEvents as unseen',
      eb
        .selectFrom('printerEvents')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .as('newest'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? { unseen: 0, newest: null }
}

/** Nothing is unseen any more; returns whether anything was. */
export async function clearUnseen(db: Db, userId: UserId): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ unseenPrinterEvents: 0 })
    .where('id', '=', userId)
    .where('unseenPrinterEvents', '>', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0
}
