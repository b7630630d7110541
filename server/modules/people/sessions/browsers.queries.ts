import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

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
