import type { Insertable, Selectable, Updateable } from 'kysely'
import { type Id, type PrinterId, sought } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { SharedResources } from '../../../engines/db/types.gen.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Authorized, printersVisibleTo } from '../../core/access/index.ts'

export type LinkRow = Selectable<SharedResources>

/** Links of printers that can be shown at all, with what decides whether the owner may share. */
const shownLinks = (db: Db) =>
  db
    .selectFrom('sharedResources')
    .innerJoin('printers', 'printers.id', 'sharedResources.printerId')
    .innerJoin('users', 'users.id', 'printers.userId')
    .selectAll('sharedResources')
    .select(['printers.userId', 'users.isPro', 'users.brand'])
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .where('users.isActive', '=', true)

/** The link behind a token, unless its printer is archived or deleted or its owner disabled. */
export async function findShown(db: Db, shareToken: string) {
  return await shownLinks(db).where('shareToken', '=', shareToken).executeTakeFirst()
}
export type ShownLink = NonNullable<Awaited<ReturnType<typeof findShown>>>

/** The same of several links, by their keys. */
export async function findAllShown(db: Db, ids: readonly Id<'sharedResources'>[]): Promise<ShownLink[]> {
  return await shownLinks(db)
    .where('sharedResources.id', 'in', [...ids])
    .execute()
}

/** All links of a printer, by id. */
export async function linksOf(db: Db, printerId: PrinterId): Promise<LinkRow[]> {
  return await db
    .selectFrom('sharedResources')
    .selectAll()
    .where('printerId', '=', printerId)
    .orderBy('id')
    .execute()
}

/** A link to one of a user's printers, whatever became of that. */
export async function findLink(db: Db, principal: UserPrincipal, id: number): Promise<LinkRow | undefined> {
  const visible = printersVisibleTo(db, { principal, action: 'edit', withArchived: true, withDeleted: true })
  return await db
    .selectFrom('sharedResources')
    .selectAll()
    .where('id', '=', sought<'sharedResources'>(id))
    .where('printerId', 'in', visible.select('printers.id'))
    .executeTakeFirst()
}

export async function insertLink(
  db: Db,
  { id: printerId }: Authorized<'edit'>,
  values: Omit<Insertable<SharedResources>, 'printerId'>,
): Promise<LinkRow> {
  return await db
    .insertInto('sharedResources')
    .values({ ...values, printerId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes the default link unless there is one; two who ask at once get the same. */
export async function ensureDefault(
  db: Db,
  { id: printerId }: Authorized<'edit'>,
  shareToken: string,
): Promise<LinkRow> {
  await db
    .insertInto('sharedResources')
    .values({ printerId, shareToken, isDefault: true })
    .onConflict((on) =>
      on
        .column('printerId')
        .where((eb) => eb('isDefault', '=', eb.lit(true)))
        .doNothing(),
    )
    .execute()
  return await db
    .selectFrom('sharedResources')
    .selectAll()
    .where('printerId', '=', printerId)
    .where('isDefault', '=', true)
    .executeTakeFirstOrThrow()
}

/** Changes a link of this printer. */
export async function updateLink(
  db: Db,
  printer: Authorized<'edit'>,
  id: Id<'sharedResources'>,
  values: Updateable<SharedResources>,
): Promise<void> {
  await db
    .updateTable('sharedResources')
    .set(values)
    .where('id', '=', id)
    .where('printerId', '=', printer.id)
    .execute()
}

/** Removes a link of this printer. */
export async function deleteLink(
  db: Db,
  printer: Authorized<'edit'>,
  id: Id<'sharedResources'>,
): Promise<void> {
  await db.deleteFrom('sharedResources').where('id', '=', id).where('printerId', '=', printer.id).execute()
}

/** Remembers that somebody used the link; written once a minute at most. */
export async function touchLink(db: Db, id: Id<'sharedResources'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 60_000)
  await db
    .updateTable('sharedResources')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', before)]))
    .execute()
}
