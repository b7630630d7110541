import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { AlertLinks } from '../../../engines/db/types.gen.ts'

export type AlertLinkRow = Selectable<AlertLinks>

export async function insertAlertLinks(db: Db, links: readonly Insertable<AlertLinks>[]): Promise<void> {
  await db
    .insertInto('alertLinks')
    .values([...links])
    .execute()
}

/** The link that a word's hash is of. */
export async function findAlertLink(db: Db, tokenHash: Buffer): Promise<AlertLinkRow | undefined> {
  return await db.selectFrom('alertLinks').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst()
}

type Act = 'pausedAt' | 'answeredAt'

/** Uses an act of a link up: true for the one who was first. */
export async function useAlertLink(db: Db, id: string, act: Act, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alertLinks')
    .set({ [act]: now })
    .where('id', '=', id)
    .where(act, 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing came of it, for sure: it may be tried again. */
export async function giveBackAlertLink(db: Db, id: string, act: Act): Promise<void> {
  await db
    .updateTable('alertLinks')
    .set({ [act]: null })
    .where('id', '=', id)
    .execute()
}

/** Forgets links that were made before. */
export async function deleteAlertLinks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('alertLinks').where('createdAt', '<', before).execute()
}
