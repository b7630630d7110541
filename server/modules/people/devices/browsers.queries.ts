import { type Selectable, sql } from 'kysely'
import { sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PushSubscriptions } from '../../../engines/db/types.gen.ts'

export type BrowserRow = Selectable<PushSubscriptions>

/** By which this server proves to push services that a message is its own; base64url. */
export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** The keys that are kept; undefined before there are any. */
export const findKeys = (db: Db): Promise<PushKeys | undefined> =>
  db.selectFrom('pushKeys').select(['publicKey', 'privateKey']).executeTakeFirst()

/** Keeps these, unless others are kept already. */
export async function insertKeys(db: Db, keys: PushKeys): Promise<void> {
  await db
    .insertInto('pushKeys')
    .values({ ...keys })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The browsers of somebody, the newest first. */
export const findBrowsers = (db: Db, userId: UserId): Promise<BrowserRow[]> =>
  db.selectFrom('pushSubscriptions').selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()

type Registered = Pick<BrowserRow, 'userId' | 'sessionId' | 'endpoint' | 'p256dh' | 'auth' | 'label'>

/** Adds a browser. One that is known by its address is renewed, and belongs to who turned it on last. */
export const upsertBrowser = (db: Db, browser: Registered): Promise<BrowserRow> =>
  db
    .insertInto('pushSubscriptions')
    .values(browser)
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({
        userId: browser.userId,
        sessionId: browser.sessionId,
        p256dh: browser.p256dh,
        auth: browser.auth,
        label: browser.label,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Forgets all of somebody's browsers but the newest. */
export async function deleteOldest(db: Db, userId: UserId, most: number): Promise<void> {
  await sql`delete from push_subscriptions where id in (
    select id from push_subscriptions where user_id = ${userId} order by id desc offset ${most})`.execute(db)
}

/** False when there is no such browser. */
export async function deleteBrowser(db: Db, userId: UserId, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('pushSubscriptions')
    .where('userId', '=', userId)
    .where('id', '=', sought<'pushSubscriptions'>(id))
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
