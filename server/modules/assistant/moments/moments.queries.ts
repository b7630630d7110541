import type { Db } from '../../../engines/db/port.ts'
import type { Id } from '../../../lib/id.ts'

/** Which program a token was given to. */
export async function findApplication(db: Db, tokenId: Id<'accessTokens'>): Promise<string | null> {
  const token = await db
    .selectFrom('accessTokens')
    .select('application')
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return token?.application ?? null
}
