import { sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import { hashOf } from '../../../lib/signing.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Whether somebody with the cookie of this browser has signed in to that account: by its address and brand, or its id. */
export async function isKnownBrowser(
  db: Db,
  whose: { brand: string; email: string } | { userId: UserId },
  token: string,
): Promise<boolean> {
  const known = db
    .selectFrom('knownBrowsers')
    .innerJoin('users', 'users.id', 'knownBrowsers.userId')
    .select('knownBrowsers.userId')
    .where('knownBrowsers.tokenHash', '=', hashOf(token))
  const found =
    'userId' in whose
      ? known.where('users.id', '=', whose.userId)
      : known
          .where('users.brand', '=', whose.brand)
          .where(sql<boolean>`lower(users.email) = lower(${whose.email})`)
  return (await found.executeTakeFirst()) !== undefined
}

/** Notes from where somebody signs in; whether they ever did from there since `before`, and from anywhere at all. */
export async function noteBrowsers(
  db: Db,
  { userId, hashes, now, before }: { userId: UserId; hashes: readonly Buffer[]; now: Date; before: Date },
): Promise<{ isKnown: boolean; isFirst: boolean }> {
  await db.deleteFrom('knownBrowsers').where('userId', '=', userId).where('seenAt', '<', before).execute()
  const known = await db
    .selectFrom('knownBrowsers')
    .select('tokenHash')
    .where('userId', '=', userId)
    .execute()
  await db
    .insertInto('knownBrowsers')
    .values(hashes.map((tokenHash) => ({ userId, tokenHash, seenAt: now })))
    .onConflict((conflict) => conflict.columns(['userId', 'tokenHash']).doUpdateSet({ seenAt: now }))
    .execute()
  return {
    isFirst: known.length === 0,
    isKnown: known.some(({ tokenHash }) => hashes.some((hash) => hash.equals(tokenHash))),
  }
}
