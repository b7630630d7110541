import type { Selectable } from 'kysely'
import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PrintLinks } from '../../../engines/db/types.gen.ts'

export type LinkRow = Selectable<PrintLinks>

/** The link of a print, if it has one. */
export async function findLink(db: Db, printId: PrintId): Promise<LinkRow | undefined> {
  return await db.selectFrom('printLinks').selectAll().where('printId', '=', printId).executeTakeFirst()
}

/** Makes the link of a print unless there is one; two who ask at once get the same. */
export async function ensureLink(db: Db, printId: PrintId, shareToken: string): Promise<LinkRow> {
  await db
    .insertInto('printLinks')
    .values({ printId, shareToken })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await db
    .selectFrom('printLinks')
    .selectAll()
    .where('printId', '=', printId)
    .executeTakeFirstOrThrow()
}

export async function removeLink(db: Db, printId: PrintId): Promise<void> {
  await db.deleteFrom('printLinks').where('printId', '=', printId).execute()
}

/** What a link shows: a print that is not deleted, of an owner whose account is in use. */
export async function findShown(db: Db, shareToken: string) {
  return await db
    .selectFrom('printLinks')
    .innerJoin('prints', 'prints.id', 'printLinks.printId')
    .innerJoin('users', 'users.id', 'prints.userId')
    .select([
      'prints.video',
      'prints.taggedVideo',
      'prints.poster',
      'prints.predictionJson',
      'users.firstName',
      'users.lastName',
    ])
    .where('printLinks.shareToken', '=', shareToken)
    .where('prints.deletedAt', 'is', null)
    .where('users.isActive', '=', true)
    .executeTakeFirst()
}
export type Shown = NonNullable<Awaited<ReturnType<typeof findShown>>>
