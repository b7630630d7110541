import { sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import { hashOf } from '../../../lib/signing.ts'
import type { Db } from '../../../engines/db/port.ts'

/** So long a browser is known from its last sign-in on. */
const KNOWN_MS = 400 * 24 * 3_600_000
const knownSince = (now: number) => new Date(now - KNOWN_MS)

/** Whether somebody with the cookie of this browser has signed in to that account: by its address and brand, or its id. */
export async function isKnownBrowser(
  db: Db,
  whose: { brand: string; email: string } | { userId: UserId },
  { token, now }: { token: string; now: number },
): Promise<boolean> {
  const known = db
    .selectFrom('knownBrowsers')
    .innerJoin('users', 'users.id', 'knownBrowsers.userId')
    .select('knownBrowsers.userId')
    .where('knownBrowsers.tokenHash', '=', hashOf(token))
    .where('knownBrowsers.seenAt', '>=', knownSince(now))
  const found =
    'userId' in whose
      ? known.where('users.id', '=', whose.userId)
      : known
          .where('users.brand', '=', whose.brand)
          .where(sql<boolean>`lower(users.email) = lower(${whose.email})`)
  return (await found.executeTakeFirst()) !== undefined
}

/** Notes from where somebody signs in; whether they are known from there, and ever signed in from anywhere. */
export async function noteBrowsers(
  db: Db,
  { userId, hashes, now: at }: { userId: UserId; hashes: readonly Buffer[]; now: number },
): Promise<{ isKnown: boolean; isFirst: boolean }> {
  const [now, since] = [new Date(at), knownSince(at)]
  const all = await db
    .selectFrom('knownBrowsers')
    .select(['tokenHash', 'seenAt'])
    .where('userId', '=', userId)
    .execute()
  await db.deleteFrom('knownBrowsers').where('userId', '=', userId).where('seenAt', '<', since).execute()
  await db
    .insertInto('knownBrowsers')
    .values(hashes.map((tokenHash) => ({ userId, tokenHash, seenAt: now })))
    .onConflict((conflict) => conflict.columns(['userId', 'tokenHash']).doUpdateSet({ seenAt: now }))
    .execute()
  return {
    isFirst: all.length === 0,
    isKnown: all.some(
      ({ tokenHash, seenAt }) => seenAt >= since && hashes.some((hash) => hash.equals(tokenHash)),
    ),
  }
}

/**
 * From now on an account knows no browser but this one, if it did: whoever signs in from another is told of as new, and shares
 * the guesses of their address. The rows stay until then, so that not even the first goes untold.
 */
export async function forgetBrowsers(db: Db, userId: UserId, token: string | null): Promise<void> {
  await db
    .updateTable('knownBrowsers')
    .set({ seenAt: new Date(0) })
    .where('userId', '=', userId)
    .where('tokenHash', '<>', hashOf(token ?? ''))
    .execute()
}
